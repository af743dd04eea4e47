#!/usr/bin/env python3
"""Reads the files of Gridlock: tabulations, certificates and results. Needs only Python 3.8 or newer.

    python3 gridlock.py tabulation examples.2x3 "2 0 0/0 4 0"   both values of a position
    python3 gridlock.py certificate gridlock.2x3.certificate    the claims, as one JSON object
    python3 gridlock.py results results/3x3.json                the value of each start

docs/tablebase.md and docs/certificate.md describe the files.
"""
import hashlib
import json
import os
import re
import struct
import sys
import zlib
from bisect import bisect_right
from itertools import product
from typing import BinaryIO, Dict, Iterator, List, Optional, Tuple

Board = Tuple[Tuple[int, ...], ...]  # rows of tiles, 0 for an empty cell


def parse_board(text: str) -> Board:
    """Reads a board such as 2 0 8/0 4 0."""
    rows = text.split("/")
    if re.fullmatch(r"[\d\s/]+", text) is None or len({len(row.split()) for row in rows}) != 1:
        raise ValueError(f'"{text}" is not a board; expected rows such as 2 0 8/0 4 0')
    return tuple(tuple(int(tile) for tile in row.split()) for row in rows)


def format_board(board: Board) -> str:
    return "/".join(" ".join(map(str, row)) for row in board)


def images(board: Board) -> Iterator[Board]:
    """The images of a board that have no more rows than columns."""
    transposed = tuple(zip(*board))
    for rows in {board, transposed}:
        if len(rows) <= len(rows[0]):
            for down, right in product((1, -1), repeat=2):
                yield tuple(row[::right] for row in rows[::down])


def pack(board: Board) -> int:
    """Four bits a cell, the first cell lowest: 0 for an empty cell, k for 2^k."""
    exponents = [tile.bit_length() - 1 if tile else 0 for row in board for tile in row]
    return sum(exponent << 4 * cell for cell, exponent in enumerate(exponents))


def unpack(packed: int, rows: int, cols: int) -> Board:
    exponents = [packed >> 4 * cell & 15 for cell in range(rows * cols)]
    tiles = [2**exponent if exponent else 0 for exponent in exponents]
    return tuple(tuple(tiles[row * cols:(row + 1) * cols]) for row in range(rows))


def checked(data: bytes, checksum: int, what: str) -> bytes:
    if zlib.crc32(data) != checksum:
        raise ValueError(f"{what} is damaged")
    return data


def leb128(data: bytes) -> List[int]:
    """Decodes numbers of seven bits a byte, the lowest first."""
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number, shift = 0, 0
    return numbers


class Column:
    """A file of a tabulation: layers by tile sum, each in blocks of up to 1,024 positions."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.file: BinaryIO = open(path, "rb")
        head = self.file.read(24)
        checked(head[:20], struct.unpack("<I", head[20:])[0], f"the head of {path}")
        if head[:8] != b"GRLKTAB\x01":
            raise ValueError(f"{path} is not a tabulation of version 1")
        self.rows, self.cols = head[8], head[9]
        # By tile sum: the first board of each block, and the offset, size and checksum of each.
        self.layers: Dict[int, Tuple[List[int], List[Tuple[int, int, int]]]] = {}
        self.positions = 0
        while True:
            head = self.file.read(32)
            if len(head) < 32:
                raise ValueError(f"{path} is incomplete")
            layer, count, _, _, blocks, size, _, checksum = struct.unpack("<8I", head)
            directory = self.file.read(16 * blocks)
            checked(head[:28] + directory, checksum, f"layer {layer} of {path}")
            if layer == 0:
                return
            at, firsts, places = self.file.tell(), [], []
            for first, length, check in struct.iter_unpack("<QII", directory):
                firsts.append(first)
                places.append((at, length, check))
                at += length
            self.layers[layer] = firsts, places
            self.positions += count
            self.file.seek(size, 1)

    def block(self, layer: int, number: int) -> bytes:
        at, length, checksum = self.layers[layer][1][number]
        self.file.seek(at)
        what = f"block {number} of layer {layer} of {self.path}"
        return zlib.decompress(checked(self.file.read(length), checksum, what), -15)


class Tabulation:
    """The values of every position of a shape.

    The prefix is that of the files: results/gridlock.3x3 for results/gridlock.3x3.positions.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.boards = Column(f"{prefix}.positions")
        self.columns: Dict[str, Column] = {}

    def find(self, board: Board) -> Optional[Tuple[int, int, int]]:
        """The layer, block and place of a position; None if no play from a start leads there."""
        if sorted((len(board), len(board[0]))) != [self.boards.rows, self.boards.cols]:
            raise ValueError(f"{format_board(board)} has another shape than {self.prefix}")
        layer = sum(map(sum, board))
        code = min(map(pack, images(board))) >> 4  # the first cell follows from the tile sum
        firsts, _ = self.boards.layers.get(layer, ([], []))
        number = bisect_right(firsts, code) - 1
        if number < 0:
            return None
        found = firsts[number]
        for place, difference in enumerate([0] + leb128(self.boards.block(layer, number))):
            found += difference
            if found == code:
                return layer, number, place
        return None

    def value(self, column: str, board: Board) -> Optional[float]:
        """A position's value in a column: minimax, expected or reach-512, for example."""
        found = self.find(board)
        if found is None:
            return None
        if column not in self.columns:
            self.columns[column] = Column(f"{self.prefix}.{column}")
        layer, number, place = found
        block = self.columns[column].block(layer, number)
        if column == "minimax":
            return 4 * leb128(block)[place]
        (units,) = struct.unpack_from("<I", block, 4 * place)
        return units / (2**16 if column == "expected" else 2**31)


def read_certificate(path: str) -> dict:
    """The claims of a certificate. scripts/check_certificate.py checks that they follow."""
    with open(path, "rb") as file:
        header = re.fullmatch(rb"gridlock certificate 2\nshape (\d+)x(\d+)\ntiles (2|2,4)\n\n",
                              b"".join(file.readline(99) for _ in range(4)))
        if not header:
            raise ValueError(f"{path} is not a certificate of version 2")
        rows, cols = int(header[1]), int(header[2])
        claims = []
        while True:
            head = file.read(44)
            if len(head) < 44:
                raise ValueError(f"{path} was cut short")
            tile_sum, count, size, packed, _ = struct.unpack("<IIIQQ", head[:28])
            payload = file.read(size)
            if hashlib.sha256(head[:28] + payload).digest()[:16] != head[28:]:
                raise ValueError(f"{path} is damaged")
            if tile_sum == 0:
                break
            numbers = leb128(zlib.decompress(payload, -15))
            columns = numbers[:count - 1], numbers[count - 1:-count], numbers[-count:]
            for difference, lower, upper in zip([0, *columns[0]], *columns[1:]):
                packed += difference
                claim = {"board": format_board(unpack(packed, rows, cols))}
                if lower > 0:
                    claim["lower"] = 4 * lower
                if upper > 0:
                    claim["upper"] = 4 * (upper - 1)
                claims.append(claim)
    tiles = [int(tile) for tile in header[3].split(b",")]
    return {"shape": f"{rows}x{cols}", "tiles": tiles, "claims": claims}


def read_results(path: str) -> Dict[str, Optional[int]]:
    """The value of each start, None if it is not known, from `gridlock export --format json`."""
    with open(path, encoding="utf-8") as file:
        return {start["board"]: start["value"] for start in json.load(file)["starts"]}


def main(what: str, path: str, *boards: str) -> None:
    if what == "tabulation":
        tabulation = Tabulation(path)
        for board in map(parse_board, boards):
            values = [tabulation.value(column, board) for column in ("minimax", "expected")]
            print(f"{format_board(board)}: {values[0]} against the placer, {values[1]} expected")
    elif what == "certificate":
        print(json.dumps(read_certificate(path)))
    elif what == "results":
        for board, value in read_results(path).items():
            print(f"{board}: {value}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
