// Multiplies by matrices that stay in blocks of codes on a GPU.
#include "nets/weights/gpu_blocks.h"

#include <algorithm>

#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "nets/weights/held_blocks.h"

namespace fineprint::nets {
namespace {

// Rows are widened in pieces of at most this many bytes. LibTorch keeps the buffer for the next
// product.
constexpr std::int64_t kPieceOnGpu = 64 << 20;

// Returns the stream that LibTorch uses now. Tensors on the CPU have none.
void* stream_of(const at::Tensor& tensor) {
  if (!tensor.is_cuda()) return nullptr;
  return c10::impl::VirtualGuardImpl(at::kCUDA).getStream(tensor.device()).native_handle();
}

void check_launch(const char* problem) {
  TORCH_CHECK(problem == nullptr, "the GPU failed to run a product: ", problem);
}

// For many vectors, LibTorch's product of bfloat16 pays for widening the matrix first: widening is
// done once for all of them.
at::Tensor multiply_widened(const BlockKernels& kernels, const StoredBlocks& blocks,
                            const at::Tensor& x) {
  const std::int64_t most = std::max<std::int64_t>(1, kPieceOnGpu / (2 * blocks.columns));
  const std::int64_t piece = std::min(most, blocks.rows);
  const at::Tensor room = at::empty({piece, blocks.columns}, x.options());
  at::Tensor y;
  for (std::int64_t first = 0; first < blocks.rows; first += piece) {
    const std::int64_t rows = std::min(piece, blocks.rows - first);
    check_launch(
        kernels.widen(blocks, nullptr, first, rows, room.mutable_data_ptr(), stream_of(x)));
    const at::Tensor part = at::linear(x, room.narrow(0, 0, rows));
    if (rows == blocks.rows) return part;
    if (!y.defined()) y = at::empty({x.size(0), blocks.rows}, x.options());
    y.narrow(1, first, rows).copy_(part);
  }
  return y;
}

}  // namespace

HeldMatrix blocks_on(at::Device device, HeldMatrix held) {
  held.values = held.values.to(device);
  if (held.scales.defined()) held.scales = held.scales.to(device);
  if (held.leasts.defined()) held.leasts = held.leasts.to(device);
  return held;
}

at::Tensor multiply_on_gpu(const BlockKernels& kernels, const HeldMatrix& weight,
                           const at::Tensor& bias, const at::Tensor& x) {
  const StoredBlocks blocks = stored_blocks(weight);
  TORCH_CHECK(x.size(-1) == blocks.columns && x.scalar_type() == at::kBFloat16, "a product of ",
              x.sizes(), " in ", x.scalar_type(), " and a matrix of [", blocks.rows, ", ",
              blocks.columns, "] in blocks");
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = blocks.rows;
  const at::Tensor vectors = x.reshape({-1, blocks.columns}).contiguous();
  at::Tensor y;
  if (vectors.size(0) > kFewVectors) {
    y = multiply_widened(kernels, blocks, vectors);
  } else {
    y = at::empty({vectors.size(0), blocks.rows}, x.options());
    check_launch(kernels.multiply(blocks, vectors.const_data_ptr(), vectors.size(0),
                                  y.mutable_data_ptr(), stream_of(x)));
  }
  if (bias.defined()) y.add_(bias);
  return y.view(shape);
}

at::Tensor rows_on_gpu(const BlockKernels& kernels, const HeldMatrix& table,
                       const at::Tensor& index) {
  const StoredBlocks blocks = stored_blocks(table);
  const at::Tensor ids = index.contiguous();
  at::Tensor rows =
      at::empty({ids.size(0), blocks.columns}, table.values.options().dtype(at::kBFloat16));
  check_launch(kernels.widen(blocks, ids.const_data_ptr<std::int64_t>(), 0, ids.size(0),
                             rows.mutable_data_ptr(), stream_of(rows)));
  return rows;
}

}  // namespace fineprint::nets
