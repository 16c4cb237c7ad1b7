// Multiplies by matrices that stay in blocks of codes, on the CPU.
#include "nets/weights/held_blocks.h"

#include <span>

#include <ATen/ops/empty.h>

#include "nets/layers/parallel.h"
#include "nets/products/blocks/block_product.h"
#include "nets/weights/share_out.h"

namespace fineprint::nets {
namespace {

using tensorfile::BlockType;

// codec_of and widen_block_row cast between the two lists, so their order must be the same.
static_assert(static_cast<int>(Codec::q4_0) == static_cast<int>(BlockType::q4_0) &&
              static_cast<int>(Codec::q4_k) == static_cast<int>(BlockType::q4_k) &&
              static_cast<int>(Codec::mxfp4) == static_cast<int>(BlockType::mxfp4) &&
              static_cast<std::size_t>(Codec::grouped4) == tensorfile::kBlockTypes.size());

bool has_groups(Codec codec) { return codec == Codec::grouped4 || codec == Codec::grouped8; }

// Embeddings are looked up row by row, so this need not be fast.
void widen_block_row(const StoredBlocks& matrix, std::int64_t row, float* out) {
  const std::uint8_t* blocks = matrix.blocks + row * matrix.row_bytes();
  if (has_groups(matrix.codec)) return widen_groups(matrix, row, out);
  tensorfile::widen(static_cast<BlockType>(matrix.codec),
                    {blocks, static_cast<std::size_t>(matrix.row_bytes())},
                    {out, static_cast<std::size_t>(matrix.columns)});
}

}  // namespace

Codec codec_of(BlockType type) { return static_cast<Codec>(type); }

bool may_stay_in_blocks(std::int64_t rows) { return rows >= kPanelRows; }

std::int64_t columns_of_blocks(const HeldMatrix& held) {
  const CodecFacts facts = codec_facts(*held.codec);
  return held.values.size(1) / facts.bytes * facts.values;
}

// Steps and leasts are stored separately only for groups; GGUF's blocks contain them.
StoredBlocks stored_blocks(const HeldMatrix& held) {
  StoredBlocks blocks = {*held.codec, held.values.const_data_ptr<std::uint8_t>(),
                         held.values.size(0), columns_of_blocks(held)};
  if (has_groups(blocks.codec)) {
    blocks.steps = held.scales.const_data_ptr<float>();
    blocks.leasts = held.leasts.const_data_ptr<float>();
    blocks.group = blocks.columns / held.scales.size(1);
  }
  return blocks;
}

void multiply_blocks(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x,
                     const at::Tensor& y) {
  const StoredBlocks blocks = stored_blocks(weight);
  TORCH_CHECK(x.size(-1) == blocks.columns, "a product of ", x.sizes(), " and a matrix of [",
              blocks.rows, ", ", blocks.columns, "]");
  const at::Tensor rows = x.contiguous();
  const std::int64_t vectors = x.numel() / blocks.columns;
  // Vectors are quantised once and then read by all panels.
  const at::Tensor room =
      at::empty({quantised_size(blocks.codec, vectors, blocks.columns)}, at::kByte);
  const float* from = rows.const_data_ptr<float>();
  auto* codes = room.mutable_data_ptr<std::uint8_t>();
  parallel_loop(0, quantised_groups(vectors), grain(16 * blocks.columns, 1),
                [&](std::int64_t begin, std::int64_t end) {
                  quantise_vectors(blocks.codec, from, vectors, blocks.columns, begin, end, codes);
                });
  const BlockProduct product = {blocks, codes, vectors,
                                bias.defined() ? bias.const_data_ptr<float>() : nullptr,
                                y.mutable_data_ptr<float>()};
  share_out(block_panels(blocks.rows), kPieceBytes / (kPanelRows * blocks.row_bytes()) + 1,
            [&](std::int64_t begin, std::int64_t end) { multiply_panels(product, begin, end); });
}

at::Tensor block_rows(const HeldMatrix& table, const at::Tensor& index) {
  const StoredBlocks matrix = stored_blocks(table);
  const at::Tensor ids = index.contiguous();
  const auto* id = ids.const_data_ptr<std::int64_t>();
  at::Tensor rows = at::empty({ids.size(0), matrix.columns}, at::kFloat);
  auto* out = rows.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < ids.size(0); ++i) {
    TORCH_CHECK_INDEX(id[i] >= 0 && id[i] < matrix.rows, "row ", id[i], " of ", matrix.rows);
    widen_block_row(matrix, id[i], out + i * matrix.columns);
  }
  return rows;
}

}  // namespace fineprint::nets
