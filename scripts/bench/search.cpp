/*
 * The kernel's search (packages/kernel/assembly) rewritten in C++, as a yardstick for the kernel's
 * speed. It exceeds the limit on source files because it is deliberately one program in one file: a
 * compiler that sees all of it inlines as the kernel's compiler does, and a reader can compare it with
 * the kernel's files, whose names head its sections, from top to bottom.
 *
 * It is not part of the build. `npm run bench` compiles and runs it:
 *
 *     g++ -std=c++20 -O3 -march=native -DROWS=3 -DCOLS=3 scripts/bench/search.cpp -o search
 *     ./search 262144
 *
 * solves all starts of the shape on one thread, with a table of this many buckets, and prints JSON: the
 * time of the first solve (`seconds`) and, if that is short, of the last of several (`again`). ROWS must
 * not exceed COLS, and a shape has at most 12 cells. The program takes the kernel's steps in the
 * kernel's order, with the same table, so it expands the same nodes to the digit; the reasons for each
 * step are in the kernel's files. It uses SSE where the kernel uses WebAssembly's SIMD.
 *
 * It omits parts that a single thread does not need and that affect no node count: atomic access to the
 * table, busy marks and the path, journals, checks whether to stop, and a seed for ties. The kernel has
 * all of these, so their cost is part of the difference.
 */
#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- shape.ts

constexpr int ROW_COUNT = ROWS;
constexpr int COL_COUNT = COLS;
constexpr int CELLS = ROW_COUNT * COL_COUNT;
constexpr bool SQUARE = ROW_COUNT == COL_COUNT;
constexpr int BOARD_BITS = 4 * CELLS;
constexpr int MAX_PLACEMENTS = (1 << (CELLS + 1)) - 2;
static_assert(ROW_COUNT <= COL_COUNT && CELLS <= 12, "a normal shape of at most 12 cells");

/** Exponents of the tiles that the placer may place, one bit each: 2 and 4. */
constexpr u32 PLACED_TILES = 6;

// ---- cells.ts

constexpr u64 BOARD_MASK = ~u64{0} >> (64 - BOARD_BITS);
constexpr u64 CELL_ONES = 0x1111111111111111 & BOARD_MASK;

/** Returns the lowest bits of the empty cells among the cells whose lowest bits are in `cells`. */
u64 emptyAmong(u64 cells, u64 board) {
  const u64 pairs = board | (board >> 1);
  return cells & ~(pairs | (pairs >> 2));
}

/** Returns the lowest bits of the tiles that equal the content of the cell `step` cells farther. */
u64 equalAhead(u64 board, int step) {
  return emptyAmong(CELL_ONES, board ^ (board >> (4 * step))) & ~emptyAmong(CELL_ONES, board);
}

constexpr u64 lineMask(int length) { return (u64{1} << (4 * length)) - 1; }

/** Returns all bits of the first cell of each line of `length` cells. */
constexpr u64 firstCells(int length) { return (BOARD_MASK / lineMask(length)) * 15; }

// ---- board.ts

/** The source of each target cell; 0xff: an empty cell. */
struct alignas(16) Permutation {
  u8 from[16];
};

/** Permutations in the order of board.ts. */
Permutation permutations[20];
const Permutation* const NORMAL = permutations;
const Permutation* const FROM_TRANSPOSED = SQUARE ? NORMAL : permutations + 8;
const Permutation* const SLIDE_IMAGES = permutations + 12;

Permutation permutation(int rows, int cols, bool transpose, bool flipRows, bool flipCols) {
  const int outRows = transpose ? cols : rows;
  const int outCols = transpose ? rows : cols;
  Permutation result;
  std::fill(std::begin(result.from), std::end(result.from), u8{0xff});
  for (int r = 0; r < outRows; r++) {
    for (int c = 0; c < outCols; c++) {
      const int row = flipRows ? outRows - 1 - r : r;
      const int col = flipCols ? outCols - 1 - c : c;
      result.from[r * outCols + c] = static_cast<u8>(transpose ? col * cols + row : row * cols + col);
    }
  }
  return result;
}

void prepareBoards() {
  for (int i = 0; i < 8; i++) {
    permutations[i] =
        permutation(ROW_COUNT, COL_COUNT, SQUARE && i >= 4, (i & 2) != 0, (i & 1) != 0);
  }
  for (int i = 0; i < 4; i++) {
    const bool flipCols = (i & 1) != 0;
    permutations[8 + i] = permutation(COL_COUNT, ROW_COUNT, true, (i & 2) != 0, flipCols);
    permutations[12 + i] = permutation(ROW_COUNT, COL_COUNT, i >= 2, false, flipCols);
    permutations[16 + i] = permutation(COL_COUNT, ROW_COUNT, i >= 2, false, flipCols);
  }
}

/** Returns a packed board as sixteen bytes, one per cell. */
__m128i unpack(u64 board) {
  const __m128i packed = _mm_cvtsi64_si128(static_cast<long long>(board));
  const __m128i nibble = _mm_set1_epi8(0x0f);
  const __m128i low = _mm_and_si128(packed, nibble);
  const __m128i high = _mm_and_si128(_mm_srli_epi16(packed, 4), nibble);
  return _mm_unpacklo_epi8(low, high);
}

/** Returns the packed images of a board under two adjacent permutations. */
__m128i imagePair(__m128i cells, const Permutation* two) {
  const __m128i a = _mm_shuffle_epi8(cells, _mm_load_si128(reinterpret_cast<const __m128i*>(two)));
  const __m128i b = _mm_shuffle_epi8(cells, _mm_load_si128(reinterpret_cast<const __m128i*>(two + 1)));
  const __m128i byte = _mm_set1_epi16(0xff);
  return _mm_packus_epi16(_mm_and_si128(_mm_or_si128(a, _mm_srli_epi16(a, 4)), byte),
                          _mm_and_si128(_mm_or_si128(b, _mm_srli_epi16(b, 4)), byte));
}

u64 firstOf(__m128i images) { return static_cast<u64>(_mm_cvtsi128_si64(images)); }
u64 secondOf(__m128i images) { return static_cast<u64>(_mm_extract_epi64(images, 1)); }

/** With this exponent, boards of up to 52 bits compare as doubles in the same order as integers. */
constexpr u64 DOUBLE = 0x3ff0000000000000;

/** Returns a board in the normal layout and its mirror image. */
__m128i besideMirrored(u64 board, __m128i cells) {
  const __m128i mirrored = _mm_shuffle_epi8(cells, _mm_load_si128(reinterpret_cast<const __m128i*>(NORMAL + 1)));
  const __m128i bytes = _mm_and_si128(_mm_or_si128(mirrored, _mm_srli_epi16(mirrored, 4)), _mm_set1_epi16(0xff));
  return _mm_insert_epi64(_mm_packus_epi16(bytes, bytes), static_cast<long long>(board), 0);
}

/** Turns packed boards in the normal layout upside down. */
__m128i upsideDown(__m128i boards) {
  if constexpr (ROW_COUNT == 1) return boards;
  constexpr int ROW_BITS = 4 * COL_COUNT;
  const __m128i top = _mm_set1_epi64x(static_cast<long long>(lineMask(COL_COUNT)));
  constexpr int AWAY = ROW_BITS * (ROW_COUNT - 1);
  const __m128i turned = _mm_or_si128(_mm_slli_epi64(_mm_and_si128(boards, top), AWAY),
                                      _mm_srli_epi64(boards, AWAY));
  if constexpr (ROW_COUNT != 3) return turned;
  return _mm_or_si128(turned, _mm_and_si128(boards, _mm_slli_epi64(top, ROW_BITS)));
}

/** Returns the smaller of each board and its upside-down image. */
__m128d smallerWay(__m128i boards) {
  const __m128i exponent = _mm_set1_epi64x(static_cast<long long>(DOUBLE));
  return _mm_min_pd(_mm_castsi128_pd(_mm_or_si128(boards, exponent)),
                    _mm_castsi128_pd(_mm_or_si128(upsideDown(boards), exponent)));
}

/** Returns the canonical form of a board: the smallest of its images under these permutations. */
u64 canonicalUnder(u64 board, const Permutation* images) {
  const __m128i cells = unpack(board);
  __m128d least = smallerWay(images == NORMAL ? besideMirrored(board, cells) : imagePair(cells, images));
  if constexpr (SQUARE) least = _mm_min_pd(least, smallerWay(imagePair(cells, images + 4)));
  const __m128i pair = _mm_castpd_si128(least);
  return std::min(firstOf(pair), secondOf(pair)) & ~DOUBLE;
}

/** Returns true if a board is its own image under a symmetry. */
bool isSymmetric(u64 board) {
  const __m128i cells = unpack(board);
  const __m128i same = _mm_set1_epi64x(static_cast<long long>(board));
  if (secondOf(imagePair(cells, NORMAL)) == board) return true;
  __m128i equal = _mm_cmpeq_epi64(imagePair(cells, NORMAL + 2), same);
  if constexpr (SQUARE) {
    equal = _mm_or_si128(equal, _mm_cmpeq_epi64(imagePair(cells, NORMAL + 4), same));
    equal = _mm_or_si128(equal, _mm_cmpeq_epi64(imagePair(cells, NORMAL + 6), same));
  }
  return !_mm_testz_si128(equal, equal);
}

// ---- lines.ts

/** Cells of the longest stretch that has line-table entries; longer lines are assembled from stretches. */
constexpr int STRETCH =
    COL_COUNT <= 4 ? COL_COUNT
                   : COL_COUNT % 4 == 0 || COL_COUNT == 7 || COL_COUNT > 9 ? 4 : 3;
constexpr int STRETCH_BITS = 4 * STRETCH;

/**
 * An entry, from the lowest bit: the stretch after the slide (16 bits), its number of tiles (4), its last
 * tile if that can still merge (4), and from bit 32 points / 4.
 */
u64 lines[std::size_t{1} << STRETCH_BITS];

void prepareLines() {
  for (u32 content = 0; content < (1u << STRETCH_BITS); content++) {
    u64 slid = 0;
    u64 tiles = 0;
    u64 last = 0;
    u64 score = 0;
    for (int cell = 0; cell < STRETCH; cell++) {
      const u64 tile = (content >> (4 * cell)) & 15;
      if (tile == 0) continue;
      if (tile == last && tile < 15) {
        slid += u64{1} << (4 * (tiles - 1));
        score += u64{1} << (tile - 1);
        last = 0;
      } else {
        slid |= tile << (4 * tiles);
        tiles++;
        last = tile;
      }
    }
    lines[content] = slid | (tiles << 16) | (last << 20) | (score << 32);
  }
}

/** A line after a slide. */
struct SlidLine {
  u64 line;
  /** Points / 4. */
  int score;
  /** The last tile if it can still merge with a tile that follows, else 0. */
  u32 openEnd;
};

/** Slides a line of two stretches. */
SlidLine slideTwoStretches(u64 line) {
  const u64 first = lines[line & lineMask(STRETCH)];
  u64 behind = line >> STRETCH_BITS;
  u64 slid = first & 0xffff;
  u64 score = first >> 32;
  if (behind == 0) return {slid, static_cast<int>(score), static_cast<u32>(first >> 20) & 15};
  const u64 tiles = (first >> 16) & 15;
  const int nextAt = std::countr_zero(behind) & ~3;
  const u64 next = (behind >> nextAt) & 15;
  if (next == ((first >> 20) & 15)) {
    slid += u64{1} << (4 * (tiles - 1));
    score += u64{1} << (next - 1);
    behind &= ~(u64{15} << nextAt);
  }
  const u64 second = lines[behind];
  slid += (second & 0xffff) << (4 * tiles);
  return {slid, static_cast<int>(score + (second >> 32)), static_cast<u32>(second >> 20) & 15};
}

SlidLine slideLongLine(u64 line) {
  u64 slid = 0;
  u64 tiles = 0;
  u64 last = 0;
  u64 score = 0;
  for (; line != 0; line >>= STRETCH_BITS) {
    u64 stretch = line & lineMask(STRETCH);
    if (stretch == 0) continue;
    const int firstAt = std::countr_zero(stretch) & ~3;
    const u64 first = (stretch >> firstAt) & 15;
    if (first == last) {
      slid += u64{1} << (4 * (tiles - 1));
      score += u64{1} << (first - 1);
      last = 0;
      stretch &= ~(u64{15} << firstAt);
      if (stretch == 0) continue;
    }
    const u64 entry = lines[stretch];
    slid |= (entry & 0xffff) << (4 * tiles);
    tiles += (entry >> 16) & 15;
    last = (entry >> 20) & 15;
    score += entry >> 32;
  }
  return {slid, static_cast<int>(score), static_cast<u32>(last)};
}

/** Slides a line toward its first cell. */
template <int LENGTH>
SlidLine slideLine(u64 line) {
  if constexpr (LENGTH > 2 * STRETCH) {
    return slideLongLine(line);
  } else if constexpr (LENGTH > STRETCH) {
    return slideTwoStretches(line);
  } else {
    const u64 entry = lines[line];
    return {entry & 0xffff, static_cast<int>(entry >> 32), static_cast<u32>(entry >> 20) & 15};
  }
}

// ---- keys.ts

constexpr int KEY_BITS = BOARD_BITS + 1;
constexpr u64 KEY_MASK = (u64{1} << KEY_BITS) - 1;

u64 positionKey(u64 board) { return board << 1; }
u64 afterstateKey(u64 board) { return (board << 1) | 1; }

constexpr int SHIFT = (KEY_BITS + 1) / 2;

u64 mix(u64 key) {
  u64 x = key ^ (key >> SHIFT);
  x = (x * 0xbf58476d1ce4e5b9) & KEY_MASK;
  x ^= x >> SHIFT;
  x = (x * 0x94d049bb133111eb) & KEY_MASK;
  return x ^ (x >> SHIFT);
}

u64 unmix(u64 mixed) {
  u64 x = mixed ^ (mixed >> SHIFT);
  x = (x * 0x319642b2d24d8ec3) & KEY_MASK;
  x ^= x >> SHIFT;
  x = (x * 0x96de1b173f119089) & KEY_MASK;
  return x ^ (x >> SHIFT);
}

// ---- table.ts

constexpr int VALUE_BITS =
    CELLS <= 2 ? 3 : CELLS <= 4 ? 7 : CELLS <= 8 ? CELLS + 3 : CELLS <= 11 ? CELLS + 4 : 15;
/** No upper bound known; also the mask of a bound. */
constexpr int NONE = (1 << VALUE_BITS) - 1;

constexpr int EFFORT_BITS = 6;
constexpr u64 EFFORT_MASK = (u64{1} << EFFORT_BITS) - 1;
constexpr int HI_SHIFT = EFFORT_BITS;
constexpr int LO_SHIFT = EFFORT_BITS + VALUE_BITS;
constexpr int REST_SHIFT = EFFORT_BITS + 2 * VALUE_BITS;
constexpr int MIN_BUCKETS_LOG2 = std::max(KEY_BITS + REST_SHIFT - 64, 0);

constexpr int BUCKET_ENTRIES = 4;
/**
 * Bits of the mixed key that determine the bucket, few enough that their product with the number of
 * buckets fits a u64.
 */
constexpr int TOP_BITS = std::min(KEY_BITS, 32);

struct alignas(8 * BUCKET_ENTRIES) Bucket {
  u64 entries[BUCKET_ENTRIES];
};

Bucket* table;
u64 buckets;
/** Mask of the low bits that distinguish the keys of a bucket. */
u64 restMask;

/** Allocates a table of `count` buckets, in large pages if the system grants them. */
void attachTable(u64 count) {
  constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21;
  const std::size_t bytes = (count * sizeof(Bucket) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  table = static_cast<Bucket*>(std::aligned_alloc(LARGE_PAGE, bytes));
  if (table == nullptr) std::abort();
#ifdef MADV_HUGEPAGE
  madvise(table, bytes, MADV_HUGEPAGE);
#endif
  buckets = count;
  restMask = (u64{1} << (KEY_BITS - (std::bit_width(buckets) - 1))) - 1;
}

/** Empties the table, and so makes the system provide its memory before the clock starts. */
void clearTable() { std::memset(static_cast<void*>(table), 0, buckets * sizeof(Bucket)); }

Bucket& bucketOf(u64 mixed) {
  return table[((mixed >> (KEY_BITS - TOP_BITS)) * buckets) >> TOP_BITS];
}

/** Returns the entry of a mixed key, or 0. */
u64 probe(u64 mixed) {
  const u64 rest = mixed & restMask;
  for (const u64 entry : bucketOf(mixed).entries) {
    if (entry >> REST_SHIFT == rest) return entry;
  }
  return 0;
}

int loOf(u64 entry) { return static_cast<int>(entry >> LO_SHIFT) & NONE; }
int hiOf(u64 entry) { return entry == 0 ? NONE : static_cast<int>(entry >> HI_SHIFT) & NONE; }

/** Converts a number of nodes to the effort stored in entries. */
u64 effortOf(u64 nodes) {
  if (nodes < 2) return 1;
  const u64 log2 = 63 - static_cast<u64>(std::countl_zero(nodes));
  const u64 half = (nodes >> (log2 - 1)) & 1;
  return std::min(2 * log2 + half, EFFORT_MASK);
}

/** Merges a bound into the table; in a full bucket it replaces the entry that cost least. */
void merge(u64 key, int lo, int hi, u64 effort) {
  lo = std::min(lo, NONE - 1);
  hi = std::min(hi, NONE);
  const u64 mixed = mix(key);
  const u64 rest = mixed & restMask;
  Bucket& bucket = bucketOf(mixed);
  u64* at = bucket.entries;
  u64 least = ~u64{0};
  for (u64& slot : bucket.entries) {
    const u64 entry = slot;
    if (entry == 0) {
      if (least != 0) {
        least = 0;
        at = &slot;
      }
    } else if (entry >> REST_SHIFT == rest) {
      lo = std::max(lo, loOf(entry));
      hi = std::min(hi, hiOf(entry));
      effort = std::max(effort, entry & EFFORT_MASK);
      at = &slot;
      break;
    } else if ((entry & EFFORT_MASK) < least) {
      least = entry & EFFORT_MASK;
      at = &slot;
    }
  }
  *at = (rest << REST_SHIFT) | (static_cast<u64>(lo) << LO_SHIFT) |
        (static_cast<u64>(hi) << HI_SHIFT) | effort;
}

// ---- bound.ts

/** Returns true if two equal tiles are adjacent in a line. */
template <int LENGTH>
bool hasPairIn(u64 board) {
  constexpr u64 LAST_CELLS = firstCells(LENGTH) << (4 * (LENGTH - 1));
  return (equalAhead(board, 1) & ~LAST_CELLS) != 0;
}

/** Returns true if the placer can end the game at once after a board with lines of `LENGTH` cells. */
template <int LENGTH>
bool endsNext(u64 board) {
  constexpr u64 FIRST_CELLS = firstCells(LENGTH);
  constexpr u64 LAST_CELLS = FIRST_CELLS << (4 * (LENGTH - 1));
  const u64 empty = emptyAmong(CELL_ONES, board);
  if ((empty & (empty - 1)) != 0 || hasPairIn<LENGTH>(board) || equalAhead(board, LENGTH) != 0) {
    return false;
  }
  const u64 beside = CELL_ONES & (((empty << 4) & ~FIRST_CELLS) | ((empty >> 4) & ~LAST_CELLS) |
                                  (empty << (4 * LENGTH)) | (empty >> (4 * LENGTH)));
  return emptyAmong(beside, board ^ CELL_ONES) == 0 ||
         emptyAmong(beside, board ^ (CELL_ONES << 1)) == 0;
}

/** The known tiles after a slide. */
struct SlidTiles {
  u64 tiles = 0;
  /** Points / 4. */
  int score = 0;
  /** Exponents of the tiles that have become unknown, one bit each. */
  u32 released = 0;
};

/** Slides the known tiles of line `i`; `values` is the set of exponents of unknown tiles. */
template <int LENGTH>
void slideKnownLine(u64 board, int i, u32 values, SlidTiles& to) {
  const u64 line = (board >> (4 * LENGTH * i)) & lineMask(LENGTH);
  const u64 gaps = emptyAmong(CELL_ONES >> (4 * (CELLS - LENGTH)), line);
  const int end = gaps == 0 ? 4 * LENGTH : std::countr_zero(gaps);
  const SlidLine result = slideLine<LENGTH>(line & ((u64{1} << end) - 1));
  u64 slid = result.line;
  to.score += result.score;
  if (gaps != 0) {
    u64 behind = line >> end;
    if (behind != 0) behind >>= std::countr_zero(behind) & ~3;
    const u32 last = result.openEnd;
    if (last != 0 && (((values >> last) & 1) != 0 || (behind & 15) == last)) {
      slid &= ~(u64{15} << ((63 - std::countl_zero(slid)) & ~3));
      to.released |= 1u << last;
    }
    for (; behind != 0; behind >>= 4) to.released |= 1u << (behind & 15);
  }
  to.tiles |= slid << (4 * LENGTH * i);
}

template <bool TRANSPOSED>
int surelyEarned(u64 known, u32 values, int enough);

/** Slides the known tiles toward both ends of their lines; `TRANSPOSED` is the resulting layout. */
template <int LINES, int LENGTH, bool TRANSPOSED>
int earnedIn(__m128i images, u32 values, int enough) {
  int best = 0;
  for (const u64 image : {firstOf(images), secondOf(images)}) {
    SlidTiles slid;
    for (int i = 0; i < LINES; i++) slideKnownLine<LENGTH>(image, i, values, slid);
    if (slid.score == 0) continue;
    if (slid.score >= enough) return slid.score;
    const u32 unknown = (values | slid.released) & ~1u;
    const u32 next = unknown | (unknown << 1) | PLACED_TILES;
    best = std::max(
        best, slid.score + surelyEarned<TRANSPOSED>(slid.tiles, next, enough - slid.score));
    if (best >= enough) break;
  }
  return best;
}

/** Returns points / 4 that the slider is certain to earn from an afterstate; stops at `enough`. */
template <bool TRANSPOSED>
int surelyEarned(u64 known, u32 values, int enough) {
  constexpr int LINES = TRANSPOSED ? COL_COUNT : ROW_COUNT;
  constexpr int LENGTH = TRANSPOSED ? ROW_COUNT : COL_COUNT;
  const __m128i cells = unpack(known);
  const Permutation* const images = SLIDE_IMAGES + (TRANSPOSED ? 4 : 0);
  int best = 0;
  if (hasPairIn<LENGTH>(known)) {
    best = earnedIn<LINES, LENGTH, TRANSPOSED>(imagePair(cells, images), values, enough);
  }
  if (best < enough && equalAhead(known, LENGTH) != 0) {
    const __m128i turned = imagePair(cells, images + 2);
    best = std::max(best, earnedIn<LENGTH, LINES, !TRANSPOSED && !SQUARE>(turned, values, enough));
  }
  return best;
}

// ---- order.ts

constexpr int ROW_BITS = 4 * COL_COUNT;
constexpr u64 FIRST_IN_ROW = firstCells(COL_COUNT);
constexpr u64 LAST_IN_ROW = FIRST_IN_ROW << (ROW_BITS - 4);
constexpr int EMPTY_WEIGHT = 4;
constexpr int ALMOST_FULL = 3;

u64 addCells(u64 board) {
  return (board & 0x0f0f0f0f0f0f0f0f) + ((board >> 4) & 0x0f0f0f0f0f0f0f0f);
}

/** Returns the sum of the exponents of tiles adjacent to empty cells, once for each such neighbour. */
int exposure(u64 board, u64 empty) {
  const u64 cells = empty * 15;
  const u64 bytes = addCells(board & (cells >> 4) & ~LAST_IN_ROW) +
                    addCells(board & (cells << 4) & ~FIRST_IN_ROW) +
                    addCells(board & (cells >> ROW_BITS)) + addCells(board & (cells << ROW_BITS));
  const u64 words = (bytes & 0x00ff00ff00ff00ff) + ((bytes >> 8) & 0x00ff00ff00ff00ff);
  return static_cast<int>((words * 0x0001000100010001) >> 48);
}

/** Returns the rank of a slide by its afterstate, lowest first: large tiles enclosed, many cells empty. */
int slideRank(u64 after) {
  const u64 empty = emptyAmong(CELL_ONES, after);
  return exposure(after, empty) - EMPTY_WEIGHT * std::popcount(empty);
}

bool isAlmostFull(u64 afterstate) {
  return std::popcount(emptyAmong(CELL_ONES, afterstate)) <= ALMOST_FULL;
}

// ---- moves.ts

/** A slide of a position: the afterstate, canonical (until slides are ranked, its mixed key), and the points / 4 that it earns. */
struct Slide {
  u64 board;
  int rank;
  int score;
};

struct SlideList {
  int count;
  /** The largest bound, points / 4, of the slides that are known to fail and were left out. */
  int failed;
  Slide slides[4];
};

/** A reply to an afterstate: the position, and its slides. */
struct Reply {
  u64 board;
  int rank;
  int list;
};

/** The working memory of the search of an afterstate. */
struct Frame {
  Reply replies[2 * CELLS];
  SlideList lists[2 * CELLS];
};

/** The slide of the board last passed to slideAll in one direction. */
struct Direction {
  u64 image;
  u64 slid;
  /** Points / 4. */
  int score;
  /** The lines that the slide changes, one bit each. */
  u32 changed;
  int lineScores[COL_COUNT];
};

/** The place of a cell in a slide image: its line, the line's lowest bit, and the cell's in the line. */
struct Place {
  u8 line;
  u8 shift;
  u8 cellShift;
};

Direction directions[4];
Place places[4][CELLS];
/** Buckets of the slides after all replies to an afterstate. */
const Bucket* fetches[2 * CELLS * 4];
int fetchCount = 0;

void preparePlaces() {
  for (int i = 0; i < 4; i++) {
    const int length = i < 2 ? COL_COUNT : ROW_COUNT;
    for (int at = 0; at < CELLS; at++) {
      const int line = at / length;
      places[i][SLIDE_IMAGES[i].from[at]] = {static_cast<u8>(line), static_cast<u8>(4 * length * line),
                                             static_cast<u8>(4 * (at % length))};
    }
  }
}

/** Slides all lines of a board in one direction. */
template <int LINES, int LENGTH>
void slideIn(Direction& direction, u64 image) {
  u64 slid = 0;
  int score = 0;
  u32 changed = 0;
  for (int i = 0; i < LINES; i++) {
    const u64 line = (image >> (4 * LENGTH * i)) & lineMask(LENGTH);
    const SlidLine to = slideLine<LENGTH>(line);
    slid |= to.line << (4 * LENGTH * i);
    score += to.score;
    changed |= static_cast<u32>(to.line != line) << i;
    direction.lineScores[i] = to.score;
  }
  direction.image = image;
  direction.slid = slid;
  direction.score = score;
  direction.changed = changed;
}

void slideAll(u64 board) {
  const __m128i cells = unpack(board);
  const __m128i straight = imagePair(cells, SLIDE_IMAGES);
  const __m128i turned = imagePair(cells, SLIDE_IMAGES + 2);
  slideIn<ROW_COUNT, COL_COUNT>(directions[0], firstOf(straight));
  slideIn<ROW_COUNT, COL_COUNT>(directions[1], secondOf(straight));
  slideIn<COL_COUNT, ROW_COUNT>(directions[2], firstOf(turned));
  slideIn<COL_COUNT, ROW_COUNT>(directions[3], secondOf(turned));
}

template <typename Child>
bool isAmong(const Child* children, int count, u64 board) {
  return std::any_of(children, children + count, [&](const Child& c) { return c.board == board; });
}

/** Adds a slide to a list, given as a slid image, unless the list has it. */
template <int LENGTH>
void addSlide(SlideList& list, u64 slid, const Permutation* images, int score) {
  if (endsNext<LENGTH>(slid)) {
    list.failed = std::max(list.failed, score);
    return;
  }
  const u64 mixed = mix(afterstateKey(canonicalUnder(slid, images)));
  if (isAmong(list.slides, list.count, mixed)) return;
  Slide& slide = list.slides[list.count++];
  slide.board = mixed;
  slide.score = score;
  fetches[fetchCount++] = &bucketOf(mixed);
}

/** Lists the slides of a position. */
void listSlides(u64 board, SlideList& list) {
  slideAll(board);
  fetchCount = 0;
  list.count = 0;
  list.failed = 0; // an end state earns nothing
  for (int i = 0; i < 4; i++) {
    const Direction& direction = directions[i];
    if (direction.changed == 0) continue;
    if (i < 2) addSlide<COL_COUNT>(list, direction.slid, NORMAL, direction.score);
    else addSlide<ROW_COUNT>(list, direction.slid, FROM_TRANSPOSED, direction.score);
  }
}

/** Adds a slide after a tile is placed on the board last passed to slideAll. */
template <int LENGTH>
void addSlideOfReply(SlideList& list, int i, int cell, u64 tile, const Permutation* images) {
  const Direction& direction = directions[i];
  const Place& place = places[i][cell];
  const u64 line =
      ((direction.image >> place.shift) & lineMask(LENGTH)) | (tile << place.cellShift);
  const SlidLine to = slideLine<LENGTH>(line);
  if (to.line == line && (direction.changed & ~(1u << place.line)) == 0) return;
  const u64 slid = (direction.slid & ~(lineMask(LENGTH) << place.shift)) | (to.line << place.shift);
  addSlide<LENGTH>(list, slid, images,
                   direction.score - direction.lineScores[place.line] + to.score);
}

void listSlidesOfReply(SlideList& list, int cell, u64 tile) {
  list.count = 0;
  list.failed = 0;
  addSlideOfReply<COL_COUNT>(list, 0, cell, tile, NORMAL);
  addSlideOfReply<COL_COUNT>(list, 1, cell, tile, NORMAL);
  addSlideOfReply<ROW_COUNT>(list, 2, cell, tile, FROM_TRANSPOSED);
  addSlideOfReply<ROW_COUNT>(list, 3, cell, tile, FROM_TRANSPOSED);
}

volatile u64 fetchedSum;

/** Prefetches the listed buckets as the kernel does, by loads that nothing waits for. */
void fetchBuckets() {
  u64 sum = 0;
  for (int i = 0; i < fetchCount; i++) sum += fetches[i]->entries[0];
  fetchedSum = sum; // otherwise the compiler would remove all of it
}

/** Lists the replies to an afterstate, and the slides of each; returns the number of replies. */
int listReplies(u64 board, Frame& frame) {
  slideAll(board);
  const bool repeats = isSymmetric(board);
  fetchCount = 0;
  int count = 0;
  for (u64 tile = 2; tile >= 1; tile--) {
    for (u64 empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
      const int cell = std::countr_zero(empty) / 4;
      u64 reply = board | (tile << (4 * cell));
      if (repeats) {
        reply = canonicalUnder(reply, NORMAL);
        if (isAmong(frame.replies, count, reply)) continue;
      }
      frame.replies[count].board = reply;
      frame.replies[count].list = count;
      listSlidesOfReply(frame.lists[count], cell, tile);
      count++;
    }
  }
  fetchBuckets();
  return count;
}

// ---- search.ts

/** Minimum number of nodes for a position's bound to be stored. */
constexpr u64 KEPT_POSITION = 256;

u64 positions = 0;
u64 afterstates = 0;

/** Inserts a child by rank among the `count` before it; equal ranks keep their order. */
template <typename Child>
void insert(Child* children, int count, const Child& child) {
  int at = count;
  for (; at > 0 && children[at - 1].rank > child.rank; at--) children[at] = children[at - 1];
  children[at] = child;
}

/** Stores a bound that answers h ≥ threshold. */
void keep(u64 key, int threshold, int bound, u64 effort) {
  merge(key, bound >= threshold ? bound : 0, bound >= threshold ? NONE : bound, effort);
}

/** Stores the answer of an afterstate's search that began at node number `start`; returns the bound. */
int learned(u64 board, int threshold, int bound, u64 start) {
  keep(afterstateKey(board), threshold, bound, effortOf(positions + afterstates - start));
  return bound;
}

/**
 * Stores the answer of a position's search if it was expensive. In the table it is the first to be
 * replaced.
 */
int learnedOfPosition(u64 board, int threshold, int bound, u64 start) {
  if (positions + afterstates - start < KEPT_POSITION) return bound;
  keep(positionKey(canonicalUnder(board, NORMAL)), threshold, bound, 1);
  return bound;
}

/**
 * Looks up the slides of a list. If one is known to reach the threshold, returns its bound. Otherwise
 * removes the slides known to fail from the list, and returns the largest of their bounds.
 */
int lookAtSlides(SlideList& list, int threshold) {
  int most = list.failed;
  if (most >= threshold) return most;
  int open = 0;
  for (int i = 0; i < list.count; i++) {
    const Slide slide = list.slides[i];
    const u64 known = probe(slide.board);
    if (slide.score + loOf(known) >= threshold) return slide.score + loOf(known);
    if (slide.score + hiOf(known) < threshold) {
      most = std::max(most, slide.score + hiOf(known));
    } else {
      list.slides[open++] = slide;
    }
  }
  list.count = open;
  list.failed = most;
  return most;
}

int searchAfterstate(u64 board, int threshold, Frame* frame);

/** Searches a position; `frame` and those behind it are free. */
int searchPosition(u64 board, int threshold, SlideList& list, Frame* frame) {
  int bound = lookAtSlides(list, threshold);
  if (bound >= threshold || list.count == 0) return bound;
  positions++;
  const u64 start = positions + afterstates;
  for (int i = 0; i < list.count; i++) {
    Slide slide = list.slides[i];
    slide.board = unmix(slide.board) >> 1;
    slide.rank = slideRank(slide.board);
    insert(list.slides, i, slide);
  }

  for (int i = 0; i < list.count; i++) {
    const Slide& slide = list.slides[i];
    const int earned = surelyEarned<false>(slide.board, PLACED_TILES, threshold - slide.score);
    if (slide.score + earned < threshold) continue;
    learned(slide.board, earned, earned, start);
    return slide.score + earned;
  }

  for (int i = 0; i < list.count && bound < threshold; i++) {
    const Slide& slide = list.slides[i];
    const int value = searchAfterstate(slide.board, threshold - slide.score, frame);
    bound = std::max(bound, slide.score + value);
  }
  return learnedOfPosition(board, threshold, bound, start);
}

int searchAfterstate(u64 board, int threshold, Frame* frame) {
  afterstates++;
  const u64 start = positions + afterstates;
  int bound = NONE; // the smallest lower bound of the placements that do not fail
  int least = NONE; // the smallest upper bound of the placements that do

  const int listed = listReplies(board, *frame);
  const bool almostFull = isAlmostFull(board);
  int count = 0;
  for (int i = 0; i < listed; i++) {
    Reply reply = frame->replies[i];
    SlideList& list = frame->lists[reply.list];
    const int seen = lookAtSlides(list, threshold);
    if (seen >= threshold) {
      bound = std::min(bound, seen);
    } else if (list.count == 0) {
      least = std::min(least, seen);
    } else {
      reply.rank = almostFull ? list.count : 0;
      insert(frame->replies, count++, reply);
    }
  }
  if (least != NONE) return learned(board, threshold, least, start);

  for (int i = 0; i < count && bound >= threshold; i++) {
    const Reply& reply = frame->replies[i];
    const int value = searchPosition(reply.board, threshold, frame->lists[reply.list], frame + 1);
    bound = std::min(bound, value);
  }
  return learned(board, threshold, bound, start);
}

/** Asks whether h ≥ threshold for a position; returns a bound, as in search.ts. */
int ask(u64 board, int threshold, std::vector<Frame>& frames) {
  const u64 known = probe(mix(positionKey(board)));
  if (loOf(known) >= threshold) return loOf(known);
  if (hiOf(known) < threshold) return hiOf(known);
  SlideList list;
  listSlides(board, list);
  return searchPosition(board, threshold, list, frames.data());
}

// ---- packages/game/src/starts.ts and packages/solver/src/window.ts

/** Returns the starts of the shape in the order in which they are solved. */
std::vector<u64> starts() {
  std::vector<u64> all;
  for (const auto& [first, second] : {std::pair{1, 1}, std::pair{1, 2}, std::pair{2, 2}}) {
    std::set<u64> found;
    for (int a = 0; a < CELLS; a++) {
      for (int b = 0; b < CELLS; b++) {
        if (a == b) continue;
        const u64 board = (static_cast<u64>(first) << (4 * a)) | (static_cast<u64>(second) << (4 * b));
        found.insert(canonicalUnder(board, NORMAL));
      }
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

/** Returns the most points that making a tile of this exponent can have earned. */
int mostPoints(int exponent) { return exponent == 0 ? 0 : (exponent - 1) << exponent; }

/** Returns a number of points that no play from this board can exceed. */
int mostPointsToCome(u64 board) {
  int points = 0;
  for (int k = 2; k <= CELLS + 1; k++) points += mostPoints(k);
  for (; board != 0; board >>= 4) points -= mostPoints(board & 15);
  return points;
}

/** A proven bound of a value, in points. */
struct Bound {
  int lo;
  int hi;
};

/** A guess of a value: the first threshold, and the smallest step upward if that is proven. */
struct Guess {
  int threshold;
  double step;
};

Guess firstGuess() {
  const double growth = std::pow(std::min(CELLS, 12), 3.8) * std::pow(std::max(1.0, CELLS / 12.0), 1.65);
  const double value = 0.026 * growth * std::sqrt(ROW_COUNT);
  return {4 * static_cast<int>(std::ceil(value / 4)) + 4, value / 8};
}

/** Returns the threshold to ask next; nothing if the value is known. */
std::optional<int> nextThreshold(Bound bound, int ceiling, Guess guess) {
  const auto [lo, hi] = bound;
  const auto [threshold, step] = guess;
  if (lo == hi) return std::nullopt;
  if (threshold > lo && (hi >= ceiling || hi > threshold)) return std::min(threshold, hi);
  if (hi >= ceiling) {
    const double above = lo + std::max({step, double(lo - threshold), 4.0});
    return std::min(4 * static_cast<int>(std::ceil(above / 4)), hi);
  }
  const int middle = lo + 4 * ((hi - lo + 4 + 7) / 8);
  if (hi > threshold) return middle;
  return std::max(hi - 4 * ((threshold - hi) / 8), lo > 0 ? middle : 4);
}

/** Returns the value of a start, in points. */
int solve(u64 start, Guess guess, std::vector<Frame>& frames) {
  const int ceiling = mostPointsToCome(start);
  Bound bound{0, ceiling};
  while (const std::optional<int> threshold = nextThreshold(bound, ceiling, guess)) {
    const int quarter = (*threshold + 3) / 4;
    const int answer = ask(start, quarter, frames);
    if (answer >= quarter) bound.lo = std::max(bound.lo, 4 * answer);
    else bound.hi = std::min(bound.hi, 4 * answer);
  }
  return bound.lo;
}

/** Total seconds for which a search is repeated, each time with an empty table. */
constexpr double LONG_ENOUGH = 2;

} // namespace

int main(int argc, char** argv) {
  const u64 count = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (count < u64{1} << MIN_BUCKETS_LOG2 || count > u64{1} << TOP_BITS) {
    std::fprintf(stderr, "give a number of buckets from 2^%d to 2^%d\n", MIN_BUCKETS_LOG2, TOP_BITS);
    return 2;
  }
  prepareBoards();
  prepareLines();
  preparePlaces();
  attachTable(count);
  std::vector<Frame> frames(MAX_PLACEMENTS + 2);

  std::vector<int> values;
  double first = 0; // seconds
  double again = 0;
  for (double spent = 0; spent < LONG_ENOUGH; spent += again) {
    clearTable();
    positions = afterstates = 0;
    values.clear();
    const auto began = std::chrono::steady_clock::now();
    Guess guess = firstGuess();
    for (const u64 start : starts()) {
      values.push_back(solve(start, guess, frames));
      guess = {values.back() + 4, 4};
    }
    again = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (spent == 0) first = again;
  }

  std::printf("{\"shape\":\"%dx%d\",\"values\":[", ROW_COUNT, COL_COUNT);
  for (std::size_t i = 0; i < values.size(); i++) std::printf(i == 0 ? "%d" : ",%d", values[i]);
  std::printf("],\"positions\":%llu,\"afterstates\":%llu,\"seconds\":%.6f,\"again\":%.6f}\n",
              static_cast<unsigned long long>(positions), static_cast<unsigned long long>(afterstates),
              first, again);
}
