#!/usr/bin/env python3
"""Checks a gridlock certificate, written from docs/certificate.md alone.

Exit status: 0 if every claim follows and every start is proven (its value or, in a file without
upper claims, a lower bound), 1 if not, 2 for bad usage.
"""
import argparse
import hashlib
import multiprocessing
import re
import struct
import sys
import zlib
from collections import Counter
from functools import lru_cache
from itertools import combinations, product
from operator import itemgetter, not_
from typing import BinaryIO, Dict, Iterator, List, Tuple

Board = Tuple[int, ...]  # exponents of the tiles by cell in reading order, 0 for an empty cell
Claims = Dict[Board, Tuple[int, int]]  # the lower and the upper claim, by key (see below)
NOTHING = (0, 2**64)  # no lower claim, no upper claim
HEADER = rb"gridlock certificate 2\nshape ([1-9][0-9]?)x([1-9][0-9]?)\ntiles (2|2,4)\n\n"
FULL = 16_384  # claims of a block that is not the last one of its tile sum


@lru_cache(maxsize=None)
def slide_line(line: Board) -> Tuple[Board, int]:
    """The line slid toward its first cell, and the points earned."""
    tiles, points = sorted(line, key=not_), 0  # that is, the empty cells last
    for i in range(1, len(line)):
        if tiles[i - 1] == tiles[i] != 0:
            tiles[i - 1:i + 1] = tiles[i] + 1, 0
            points += 2**tiles[i - 1]
    return tuple(sorted(tiles, key=not_)), points


def varints(data: bytes) -> Iterator[int]:
    """The numbers in the columns of a block."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            if byte == 0 and shift > 7:
                raise ValueError("a number is not in its shortest form")
            yield value
            value = shift = 0
    if shift:
        raise ValueError("a number has no end")


def inflate(payload: bytes, most: int) -> bytes:
    engine = zlib.decompressobj(-15)
    try:
        data = engine.decompress(payload, most)
    except zlib.error as error:
        raise ValueError(f"a block cannot be inflated: {error}") from error
    if not engine.eof or engine.unused_data:
        raise ValueError("a block is cut short, too long, or followed by other bytes")
    return data


class Game:
    shared: "Game"

    def __init__(self, file: BinaryIO) -> None:
        """Reads the header of a file; a ValueError says what is wrong with it."""
        header = re.fullmatch(HEADER, b"".join([file.readline(99) for _ in range(4)]))
        if not header:
            raise ValueError("it does not begin with the header of a certificate of version 2")
        self.facts = header.group().decode().strip().split("\n")[1:]
        rows, cols = map(int, header.group(1, 2))
        self.cols, self.cells = cols, rows * cols
        if not rows <= cols or not 2 <= self.cells <= 16:
            raise ValueError(f"{rows}x{cols} is no shape")
        self.most = min(2**(self.cells + 2) - 4, 65_534)  # the largest tile sum
        self.tiles = (1, 2) if header[3] == b"2,4" else (1,)
        left = [list(range(row * cols, (row + 1) * cols)) for row in range(rows)]
        up = [list(line) for line in zip(*left)]
        self.lines = (up, left, [line[::-1] for line in up], [line[::-1] for line in left])
        self.images = [itemgetter(*sum([line[::across] for line in lines[::along]], []))
                       for lines in ([left, up] if rows == cols else [left])
                       for across, along in product((1, -1), repeat=2)]
        self.near: Dict[int, Claims] = {}  # the claims of three tile sums, by tile sum

    def draw(self, board: Board) -> str:
        tiles = [str(2**tile if tile else 0) for tile in board]
        return "/".join(" ".join(tiles[i:i + self.cols]) for i in range(0, self.cells, self.cols))

    def key(self, board: Board) -> Board:
        """The canonical form, last cell first: such tuples compare as packed boards do."""
        return min([image(board) for image in self.images])

    def starts(self) -> Iterator[Board]:
        """The keys of the boards with two tiles, each a 2 or a 4."""
        for cells in combinations(range(self.cells), 2):
            for tiles in product((1, 2), repeat=2):
                board = dict(zip(cells, tiles))
                yield self.key(tuple([board.get(cell, 0) for cell in range(self.cells)]))

    def groups(self, file: BinaryIO) -> Iterator[Tuple[int, Claims]]:
        """The tile sums of a file and their claims."""
        claims: Claims = {}
        before, count, last, total, blocks = 0, FULL, -1, 0, 0
        while True:
            head = file.read(44)
            if len(head) < 44:
                raise ValueError("the file was cut short")
            tile_sum, n, size, first, end = struct.unpack("<IIIQQ", head[:28])
            if n > FULL or size > 20 * n + 64:
                raise ValueError(f"block {blocks + 1} has {n} claims in {size} bytes: too many")
            payload = file.read(size)
            if hashlib.sha256(head[:28] + payload).digest()[:16] != head[28:]:
                raise ValueError(f"the digest of block {blocks + 1} does not match")
            if tile_sum != before and before:
                yield before, claims
                claims = {}
            if not tile_sum:
                break
            follows = tile_sum > before or (tile_sum == before and count == FULL and first > last)
            if not follows or n < 1 or tile_sum > self.most:
                raise ValueError(f"block {blocks + 1}, of tile sum {tile_sum}, is out of order")
            self.read_block(tile_sum, n, first, end, inflate(payload, 20 * n), claims)
            before, count, last, total, blocks = tile_sum, n, end, total + n, blocks + 1
        if (head[:28] != struct.pack("<IIIQQ", 0, 0, 16, 0, 0) or file.read(1)
                or payload != struct.pack("<QQ", total, blocks)):
            raise ValueError("the end block does not fit the file")

    def read_block(self, tile_sum: int, n: int, first: int, end: int, data: bytes,
                   claims: Claims) -> None:
        numbers = list(varints(data))
        if len(numbers) != 3 * n - 1 or max(numbers[n - 1:]) >= 2**32:
            raise ValueError(f"a block of tile sum {tile_sum} does not have {n} claims")
        packed = first
        for difference, lower, upper in zip([0, *numbers[:n - 1]], numbers[n - 1:2 * n - 1],
                                            numbers[2 * n - 1:]):
            packed += difference
            board = tuple([packed >> 4 * cell & 15 for cell in range(self.cells)])
            lo, hi = 4 * lower, 4 * (upper - 1) if upper else NOTHING[1]
            if (packed >> 4 * self.cells or self.key(board) != board[::-1] or (lo, hi) == NOTHING
                    or lo > hi or sum([2**tile for tile in board if tile]) != tile_sum):
                raise ValueError(f"{self.draw(board)} is not canonical, or has no valid claim here")
            claims[board[::-1]] = lo, hi
        if packed != end or 0 in numbers[:n - 1]:
            raise ValueError(f"a block of tile sum {tile_sum} does not ascend to its last board")

    def slides(self, board: Board) -> Iterator[Tuple[Board, int]]:
        for lines in self.lines:
            after, total = list(board), 0
            for line in lines:
                slid, points = slide_line(tuple([board[cell] for cell in line]))
                total += points
                for cell, tile in zip(line, slid):
                    after[cell] = tile
            if tuple(after) != board:
                yield tuple(after), total

    def replies(self, tile_sum: int, board: Board) -> Iterator[Tuple[int, int]]:
        """The claims about the positions after all placements."""
        for tile in self.tiles:
            claims = self.near.get(tile_sum + 2**tile, {})
            for cell in range(self.cells):
                if not board[cell]:
                    yield claims.get(self.key(board[:cell] + (tile,) + board[cell + 1:]), NOTHING)

    def check(self, tile_sum: int, key: Board) -> Tuple[int, int]:
        """How many lower and upper claims of a board follow; a ValueError if one does not."""
        board, (lo, hi) = key[::-1], self.near[tile_sum][key]
        has_lower, has_upper = lo > NOTHING[0], hi < NOTHING[1]
        slides = list(self.slides(board))
        if has_lower and not any(
                lo <= earned or all(low >= lo - earned for low, _ in self.replies(tile_sum, after))
                for after, earned in slides):
            raise ValueError(f"{self.draw(board)}: h >= {lo} does not follow")
        if has_upper and not all(
                any(high <= hi - earned for _, high in self.replies(tile_sum, after))
                for after, earned in slides):
            raise ValueError(f"{self.draw(board)}: h <= {hi} does not follow")
        return has_lower, has_upper


def take(shared: Game) -> None:
    """Begins a process, which checks claims of this game, with those of three tile sums."""
    Game.shared = shared


def check(task: Tuple[int, Board]) -> Tuple[int, int]:
    return Game.shared.check(*task)


def check_group(game: Game, tile_sum: int, jobs: int) -> List[int]:
    """The numbers of lower and upper claims of a tile sum, all of which follow."""
    tasks = [(tile_sum, key) for key in game.near[tile_sum]]
    take(game)
    if jobs == 1 or len(tasks) < 5_000:
        found = list(map(check, tasks))
    else:
        with multiprocessing.Pool(jobs, take, (game,)) as pool:
            found = pool.map(check, tasks, 500)
    return [sum(sides) for sides in zip(*found)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a certificate; - reads standard input")
    parser.add_argument("--jobs", metavar="N", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    if args.jobs < 1:
        parser.error("--jobs must be at least 1")
    try:
        with sys.stdin.buffer if args.file == "-" else open(args.file, "rb") as file:
            game = Game(file)
            print(*game.facts, sep="\n", flush=True)
            starts = set(game.starts())
            found, proven = [[0, 0]], {}
            for tile_sum, claims in game.groups(file):
                # Claims follow from those of the next two tile sums.
                for ready in [old for old in sorted(game.near) if old + 4 < tile_sum]:
                    found.append(check_group(game, ready, args.jobs))
                    del game.near[ready]
                game.near[tile_sum] = claims
                proven.update((key, claims[key]) for key in starts if key in claims)
            found += [check_group(game, ready, args.jobs) for ready in sorted(game.near)]
        lower, upper = (sum(side) for side in zip(*found))
        print(f"every claim follows: {lower} lower, {upper} upper")
        lowest = min(proven.get(start, NOTHING)[0] for start in starts)
        if lowest and not upper:
            print(len(starts), "starts: each is worth at least", lowest)
            return
        values: Counter = Counter()
        for start in sorted(starts):
            lo, hi = proven.get(start, NOTHING)
            if lo < hi:
                raise ValueError(f"the start {game.draw(start[::-1])} is not proven")
            values[hi] += 1
        print(len(starts), "starts:", ", ".join(f"{values[h]} x {h}" for h in sorted(values)[::-1]))
    except (OSError, ValueError) as error:
        sys.exit(f"{args.file}: {error}")


if __name__ == "__main__":
    main()
