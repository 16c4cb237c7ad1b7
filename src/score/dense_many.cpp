// Products of many queries with rows: a block of rows at a time, read from memory once.
#include <algorithm>

#include "fineprint/score/dense.h"

#include "score/dense_kernels.h"
#include "score/vector_rows_aligned.h"

namespace fineprint::score {
namespace {

// Below this many queries, a product each is faster than lanes that stand mostly empty.
constexpr std::size_t kFewQueries = 6;

void multiply_few(const float* queries, std::size_t query_count, const VectorRows& rows,
                  float* scores) {
  const DenseKernel& kernel = kernel_in_use();
  for (std::size_t r = 0; r < rows.count; ++r) {
    for (std::size_t q = 0; q < query_count; ++q) {
      kernel.dot(queries + q * rows.dim, rows.slice(r, 1), scores + q * rows.count + r);
    }
  }
}

// Queries side by side, `width` of them, as the kernel reads them.
struct Panel {
  std::size_t first = 0;
  std::size_t vectors = 0;
  std::size_t width = 0;
  AlignedFloats packed;  // [dim, width], zeros where there is no query
  AlignedFloats sums;    // [block_rows, width]
};

std::vector<Panel> pack(const float* queries, std::size_t query_count, std::size_t dim,
                        const DenseKernel& kernel) {
  std::vector<Panel> panels;
  for (std::size_t first = 0; first < query_count;) {
    const std::size_t left = query_count - first;
    Panel panel{first, left > kernel.lanes ? std::size_t{2} : std::size_t{1}, 0, {}, {}};
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

// All products with the rows [first, first + count), at most block_rows of them.
void multiply_block(const VectorRows& rows, const DenseKernel& kernel, AlignedFloats& block,
                    std::vector<Panel>& panels) {
  // The rows after these, as many bytes of all of them for a value as these have.
  const std::size_t ahead_step = rows.count * vector_type_bytes(rows.type);
  for (Panel& panel : panels) std::fill(panel.sums.begin(), panel.sums.end(), 0.0F);
  for (std::size_t i = 0; i < rows.dim; i += kBlockDepth) {
    const std::size_t depth = std::min(kBlockDepth, rows.dim - i);
    for (std::size_t r = 0; r < rows.count; ++r) {
      kernel.decode(rows.type, rows.row(r) + i * vector_type_bytes(rows.type), depth,
                    block.data() + r * kBlockStride);
    }
    const std::uint8_t* ahead = rows.row(rows.count) + i * ahead_step;
    for (Panel& panel : panels) {
      kernel.multiply({panel.vectors, depth, panel.packed.data() + i * panel.width, block.data(),
                       panel.sums.data(), ahead, ahead_step});
    }
  }
}

}  // namespace

void dot_rows_many(const float* queries, std::size_t query_count, const VectorRows& rows,
                   float* scores) {
  if (query_count < kFewQueries) return multiply_few(queries, query_count, rows, scores);
  const DenseKernel& kernel = kernel_in_use();
  std::vector<Panel> panels = pack(queries, query_count, rows.dim, kernel);
  AlignedFloats block(kernel.block_rows * kBlockStride);
  for (std::size_t first = 0; first < rows.count; first += kernel.block_rows) {
    const std::size_t count = std::min(kernel.block_rows, rows.count - first);
    multiply_block(rows.slice(first, count), kernel, block, panels);
    for (const Panel& panel : panels) {
      const std::size_t used = std::min(panel.width, query_count - panel.first);
      for (std::size_t r = 0; r < count; ++r) {
        const float scale = rows.type == VectorType::i8 ? rows.scales[first + r] : 1.0F;
        for (std::size_t q = 0; q < used; ++q) {
          scores[(panel.first + q) * rows.count + first + r] =
              panel.sums[r * panel.width + q] * scale;
        }
      }
    }
  }
}

}  // namespace fineprint::score
