// Products of many queries with rows, one block of rows at a time, so that each row is read from
// memory once.
#include <algorithm>
#include <utility>

#include "fineprint/score/dense.h"

#include "score/kernels.h"
#include "score/vector_rows_aligned.h"

namespace fineprint::score {
namespace {

// With fewer queries, most lanes of a panel would be empty, and one product for each is faster.
constexpr std::size_t kFewQueries = 6;

// Row by row, so that each row comes from memory once and from the cache for the other queries.
void multiply_few(const float* queries, std::size_t query_count, const VectorRows& rows,
                  float* scores) {
  const DenseKernel& kernel = kernels().dense.best();
  for (std::size_t r = 0; r < rows.count; ++r) {
    for (std::size_t q = 0; q < query_count; ++q) {
      kernel.dot(queries + q * rows.dim, rows.slice(r, 1), scores + q * rows.count + r);
    }
  }
}

// `width` queries next to each other, as the kernel reads them.
struct Panel {
  std::size_t first = 0;
  std::size_t vectors = 0;
  std::size_t width = 0;
  AlignedFloats packed;  // [dim, width], zeros where there is no query
  AlignedFloats sums;    // [block_rows, width]
};

// Uses two vector registers of queries as long as more than one is needed.
std::vector<Panel> pack(const float* queries, std::size_t query_count, std::size_t dim,
                        const DenseKernel& kernel) {
  std::vector<Panel> panels;
  for (std::size_t first = 0; first < query_count;) {
    const std::size_t left = query_count - first;
    Panel panel{.first = first,
                .vectors = left > kernel.lanes ? std::size_t{2} : std::size_t{1},
                .packed = {},
                .sums = {}};
    panel.width = panel.vectors * kernel.lanes;
    const std::size_t used = std::min(left, panel.width);
    panel.packed.resize(dim * panel.width);
    for (std::size_t q = 0; q < used; ++q) {
      const float* query = queries + (first + q) * dim;
      for (std::size_t i = 0; i < dim; ++i) panel.packed[i * panel.width + q] = query[i];
    }
    panel.sums.resize(kernel.block_rows * panel.width);
    first += used;
    panels.push_back(std::move(panel));
  }
  return panels;
}

// Values [begin, begin + depth) of a block of rows; its first row is row `first` of all.
struct BlockPart {
  VectorRows rows;
  std::size_t first = 0;
  std::size_t begin = 0;
  std::size_t depth = 0;

  bool is_last() const { return begin + depth == rows.dim; }
};

BlockPart part_at(const VectorRows& rows, std::size_t first, std::size_t begin,
                  std::size_t block_rows) {
  const std::size_t count = std::min(block_rows, rows.count - first);
  return {rows.slice(first, count), first, begin, std::min(kBlockDepth, rows.dim - begin)};
}

// Returns the part after this one. It has no rows if this is the last.
BlockPart part_after(const BlockPart& part, const VectorRows& rows, std::size_t block_rows) {
  if (part.is_last()) return part_at(rows, part.first + part.rows.count, 0, block_rows);
  return part_at(rows, part.first, part.begin + part.depth, block_rows);
}

BlockDecoding decoding_of(const BlockPart& part, float* out) {
  const std::size_t bytes = vector_type_bytes(part.rows.type);
  return {part.rows.type,
          part.rows.row(0) + part.begin * bytes,
          part.rows.dim * bytes,
          part.rows.count,
          part.depth,
          out};
}

// Each panel adds its products to its sums; the first one also decodes the next block.
void multiply_part(const BlockPart& part, const float* block, const BlockDecoding& next,
                   const DenseKernel& kernel, std::vector<Panel>& panels) {
  // Prefetches the rows after these: for each value as many bytes as these rows have together.
  const std::size_t ahead_step = part.rows.count * vector_type_bytes(part.rows.type);
  const std::uint8_t* ahead = part.rows.row(part.rows.count) + part.begin * ahead_step;
  BlockDecoding meanwhile = next;
  for (Panel& panel : panels) {
    kernel.multiply({panel.vectors, part.depth, panel.packed.data() + part.begin * panel.width,
                     block, panel.sums.data(), ahead, ahead_step, meanwhile});
    meanwhile.rows = 0;  // the first panel has decoded it
  }
}

// Writes the scores of a block from the panels' sums, and sets the sums to zero.
void take_sums(const BlockPart& part, std::size_t query_count, std::size_t row_count,
               std::vector<Panel>& panels, float* scores) {
  const VectorRows& rows = part.rows;
  for (Panel& panel : panels) {
    const std::size_t used = std::min(panel.width, query_count - panel.first);
    for (std::size_t q = 0; q < used; ++q) {
      float* of_query = scores + (panel.first + q) * row_count + part.first;
      for (std::size_t r = 0; r < rows.count; ++r) {
        const float scale = rows.type == VectorType::i8 ? rows.scales[r] : 1.0F;
        of_query[r] = panel.sums[r * panel.width + q] * scale;
      }
    }
    std::fill(panel.sums.begin(), panel.sums.end(), 0.0F);
  }
}

}  // namespace

void dot_rows_many(const float* queries, std::size_t query_count, const VectorRows& rows,
                   float* scores) {
  if (query_count < kFewQueries) return multiply_few(queries, query_count, rows, scores);
  const DenseKernel& kernel = kernels().dense.best();
  std::vector<Panel> panels = pack(queries, query_count, rows.dim, kernel);
  AlignedFloats block(kernel.block_rows * kBlockStride);
  AlignedFloats next_block(kernel.block_rows * kBlockStride);
  BlockPart part = part_at(rows, 0, 0, kernel.block_rows);
  decode_block(decoding_of(part, block.data()), kernel.decode);
  while (part.rows.count > 0) {
    const BlockPart next = part_after(part, rows, kernel.block_rows);
    multiply_part(part, block.data(), decoding_of(next, next_block.data()), kernel, panels);
    if (part.is_last()) take_sums(part, query_count, rows.count, panels, scores);
    std::swap(block, next_block);
    part = next;
  }
}

}  // namespace fineprint::score
