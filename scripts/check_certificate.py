#!/usr/bin/env python3
"""Checks a gridlock certificate, written from docs/certificate.md alone.

Exit status: 0 if every claim follows and every start is proven, 1 if not, 2 for bad usage.
"""
import argparse
import hashlib
import multiprocessing
import re
import struct
import sys
from collections import Counter
from functools import lru_cache
from itertools import product
from operator import itemgetter, not_
from typing import Dict, Iterator, Tuple

Board = Tuple[int, ...]  # exponents of the tiles by cell in reading order, 0 for an empty cell
Claims = Dict[Board, Tuple[int, int]]  # the lower and the upper claim, by key (see below)
NOTHING = (0, 2**32 - 1)  # in the file: no lower claim, no upper claim
HEADER = rb"gridlock certificate 1\nshape (#)x(#)\ntiles (2|2,4)\neffort (#)\nclaims (#)\n\n"
NUMBER = rb"0|[1-9][0-9]{0,14}"  # for the # above


@lru_cache(maxsize=None)
def slide_line(line: Board) -> Tuple[Board, int]:
    """The line slid toward its first cell, and the points earned."""
    tiles, points = sorted(line, key=not_), 0  # that is, the empty cells last
    for i in range(1, len(line)):
        if tiles[i - 1] == tiles[i] != 0:
            tiles[i - 1:i + 1] = tiles[i] + 1, 0
            points += 2**tiles[i - 1]
    return tuple(sorted(tiles, key=not_)), points


class Certificate:
    def __init__(self, data: bytes) -> None:
        """Reads the bytes of a file; a ValueError says what is wrong with them."""
        header = re.match(HEADER.replace(b"#", NUMBER), data)
        if not header:
            raise ValueError("it does not begin with the header of a certificate of version 1")
        self.facts = header.group().decode().strip().split("\n")[1:]
        rows, cols, self.effort, count = map(int, header.group(1, 2, 4, 5))
        self.cols, self.cells = cols, rows * cols
        if not 1 <= rows <= cols or not 2 <= self.cells <= 16 or self.effort > 1_000_000:
            raise ValueError(f"{rows}x{cols} is no shape, or the effort is above 1,000,000")
        if len(data) != header.end() + 16 * count + 32:
            raise ValueError(f"{len(data)} bytes is not the length of a file of {count} claims")
        if hashlib.sha256(data[:-32]).digest() != data[-32:]:
            raise ValueError("the SHA-256 does not match")
        self.tiles = (1, 2) if header[3] == b"2,4" else (1,)
        left = [list(range(row * cols, (row + 1) * cols)) for row in range(rows)]
        up = [list(line) for line in zip(*left)]
        self.lines = (up, left, [line[::-1] for line in up], [line[::-1] for line in left])
        self.images = [itemgetter(*sum([line[::across] for line in lines[::along]], []))
                       for lines in ([left, up] if rows == cols else [left])
                       for across, along in product((1, -1), repeat=2)]
        self.claims, last, most = {}, -1, min(2**(self.cells + 2) - 4, 65_534)
        for packed, lo, hi in struct.iter_unpack("<QII", data[header.end():-32]):
            board = tuple([packed >> 4 * cell & 15 for cell in range(self.cells)])
            if packed <= last:
                raise ValueError(f"the board {self.draw(board)} is out of order")
            if (packed >> 4 * self.cells or self.key(board) != board[::-1] or (lo, hi) == NOTHING
                    or lo > hi or sum([2**tile for tile in board if tile]) > most):
                raise ValueError(f"{self.draw(board)} is not canonical, beyond play or not claimed")
            self.claims[board[::-1]], last = (lo, hi), packed

    def draw(self, board: Board) -> str:
        tiles = [str(2**tile if tile else 0) for tile in board]
        return "/".join(" ".join(tiles[i:i + self.cols]) for i in range(0, self.cells, self.cols))

    def key(self, board: Board) -> Board:
        """The canonical form, last cell first: such tuples compare as packed boards do."""
        return min([image(board) for image in self.images])

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

    def placements(self, board: Board) -> Iterator[Board]:
        return (board[:cell] + (tile,) + board[cell + 1:]
                for cell in range(self.cells) if not board[cell] for tile in self.tiles)

    # Both expand at most self.left positions and look up the others in the claims given: to follow
    # by one step is to be shown with 1 and all claims, by search with the effort and no claims.
    def lower(self, board: Board, v: int, claims: Claims) -> bool:
        if v <= 0 or self.left == 0:
            return v <= 0 or claims.get(self.key(board), NOTHING)[0] >= v
        self.left -= 1
        return any(v <= s or all(self.lower(q, v - s, claims) for q in self.placements(slid))
                   for slid, s in self.slides(board))

    def upper(self, board: Board, u: int, claims: Claims) -> bool:
        if u < 0 or self.left == 0:
            return u >= 0 and claims.get(self.key(board), NOTHING)[1] <= u
        self.left -= 1
        return all(any(self.upper(q, u - s, claims) for q in self.placements(slid))
                   for slid, s in self.slides(board))

    @staticmethod
    def check(key: Board) -> Tuple[int, int]:
        """How many claims of a board follow by one step, by search; a ValueError if one fails."""
        self, board, found = Certificate.shared, key[::-1], [0, 0]  # shared by main
        for side, value, none in zip((self.lower, self.upper), self.claims[key], NOTHING):
            self.left = 1
            by_step = value == none or side(board, value, self.claims)
            self.left = self.effort
            if not by_step and not side(board, value, {}):
                raise ValueError(f"{self.draw(board)}: {side.__name__} {value} does not follow")
            found[not by_step] += value != none
        return found[0], found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--jobs", metavar="N", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    if args.jobs < 1:
        parser.error("--jobs must be at least 1")
    try:
        with open(args.file, "rb") as file:
            cert = Certificate(file.read())
        print(*cert.facts, sep="\n", flush=True)
        with multiprocessing.Pool(args.jobs, setattr, (Certificate, "shared", cert)) as pool:
            found = list(pool.imap(Certificate.check, cert.claims, 500))
        by_step, by_search = (sum(pair[i] for pair in found) for i in (0, 1))
        print(f"every claim follows: {by_step} by one step, {by_search} by search")
        starts = {cert.key(board) for board in product((0, 1, 2), repeat=cert.cells)
                  if board.count(0) == cert.cells - 2}
        values = Counter()
        for start in sorted(starts):
            lo, hi = cert.claims.get(start, NOTHING)
            if lo < hi:
                raise ValueError(f"the start {cert.draw(start[::-1])} is not proven")
            values[hi] += 1
        print(len(starts), "starts:", ", ".join(f"{values[h]} x {h}" for h in sorted(values)[::-1]))
    except (OSError, RecursionError, ValueError) as error:
        sys.exit(f"{args.file}: {error}")


if __name__ == "__main__":
    main()
