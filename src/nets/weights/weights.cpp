// Moves a checkpoint's tensors to the device that a model runs on.
#include "nets/weights/weights.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/tensorfile/coded.h"

#include "nets/layers/parallel.h"
#include "nets/weights/gpu_blocks.h"
#include "nets/weights/held_blocks.h"
#include "nets/weights/held_groups.h"

namespace fineprint::nets {
namespace {

constexpr std::string_view kTrunk = "trunk";  // the part that low-rank changes apply to
constexpr std::string_view kWeightSuffix = ".weight";
constexpr std::int64_t kBlocksAtLeast = 256;  // fewer are not worth waking a thread

at::ScalarType type_of_view(const tensorfile::TensorView& view, const std::string& file) {
  switch (view.dtype) {
    case tensorfile::Dtype::f32:
      return at::kFloat;
    case tensorfile::Dtype::f16:
      return at::kHalf;
    case tensorfile::Dtype::bf16:
      return at::kBFloat16;
    default:
      throw Error(ErrorCode::model,
                  format("{}: tensor {} is of type {}; F32, F16 and BF16 are supported", file,
                         view.name, tensorfile::dtype_name(view.dtype)));
  }
}

// Returns the scales' format if it has 16 bits, else the 16-bit format that keeps most digits of a
// code.
MatrixFormat format_for_codes(const tensorfile::CodedMatrix& coded) {
  return coded.scales.dtype == tensorfile::Dtype::bf16 ? MatrixFormat::bfloat16
                                                       : MatrixFormat::float16;
}

// Returns the format of a matrix in memory if the user asks for none.
MatrixFormat format_for(const tensorfile::TensorView& view, const std::string& file) {
  // Of the 16-bit formats, float16 keeps most digits of a block's values.
  if (view.blocks) return MatrixFormat::float16;
  if (view.coded) return format_for_codes(*view.coded);
  const at::ScalarType type = type_of_view(view, file);
  return type == at::kHalf       ? MatrixFormat::float16
         : type == at::kBFloat16 ? MatrixFormat::bfloat16
                                 : MatrixFormat::float32;
}

// Returns the tensor as a view of the mapped file.
at::Tensor mapped(const tensorfile::TensorView& view, const std::string& file) {
  // LibTorch has no read-only tensors; nothing writes to a weight.
  auto* data = const_cast<std::uint8_t*>(view.bytes.data());
  return at::from_blob(data, view.shape, at::TensorOptions(type_of_view(view, file)));
}

// Returns true if the tensor of `changed` is not a view of the file.
bool is_copied(const models::Weight& weight) {
  return !weight.changes.empty() || weight.view->blocks || weight.view->coded ||
         weight.view->turned || weight.interleaved_heads > 0;
}

// Returns a copy of a matrix that is stored as columns of another one.
at::Tensor turned_back(const tensorfile::TensorView& view, const std::string& file) {
  tensorfile::TensorView other = view;
  other.bytes = view.turned->bytes;
  other.shape = {view.shape[1], view.turned->columns};
  return mapped(other, file).narrow(1, view.turned->first, view.shape[0]).t().contiguous();
}

// Widens blocks to float32, on LibTorch's threads.
at::Tensor widened(const tensorfile::TensorView& view, std::span<const std::uint8_t> bytes) {
  const tensorfile::BlockShape block = tensorfile::block_shape(*view.blocks);
  at::Tensor values = at::empty(view.shape, at::kFloat);
  auto* to = values.mutable_data_ptr<float>();
  const auto blocks = static_cast<std::int64_t>(bytes.size()) / block.bytes;
  parallel_loop(0, blocks, kBlocksAtLeast, [&](std::int64_t begin, std::int64_t end) {
    const auto first = static_cast<std::size_t>(begin),
               count = static_cast<std::size_t>(end - begin);
    tensorfile::widen(*view.blocks, bytes.subspan(first * block.bytes, count * block.bytes),
                      {to + first * block.values, count * block.values});
  });
  return values;
}

// Returns true if the device can multiply by matrices of codes and no other format is asked for.
bool keeps_codes(const Device& device) {
  return !device.matrices && (device.device.is_cpu() || block_kernels_of_gpu() != nullptr);
}

// Returns true if a matrix of blocks is multiplied as the file has it.
bool stays_in_blocks(const models::Weight& weight, const Device& device) {
  return weight.view->blocks && weight.changes.empty() && keeps_codes(device) &&
         may_stay_in_blocks(weight.view->shape.front());
}

// Does the same for a quantised folder's codes, which are rearranged for products.
bool stays_in_groups(const models::Weight& weight, const Device& device) {
  return weight.view->coded && weight.changes.empty() && keeps_codes(device) &&
         may_stay_in_groups(*weight.view->coded);
}

// Widens codes to float32, on LibTorch's threads.
at::Tensor widened(const tensorfile::CodedMatrix& coded) {
  at::Tensor values = at::empty({coded.rows, coded.columns}, at::kFloat);
  auto* to = values.mutable_data_ptr<float>();
  const std::int64_t bands = (coded.rows + tensorfile::kCodedRows - 1) / tensorfile::kCodedRows;
  parallel_loop(0, bands, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t band = begin; band < end; ++band) {
      const std::int64_t first = band * tensorfile::kCodedRows;
      const std::int64_t rows = std::min(tensorfile::kCodedRows, coded.rows - first);
      tensorfile::widen(
          coded, first,
          {to + first * coded.columns, static_cast<std::size_t>(rows * coded.columns)});
    }
  });
  return values;
}

}  // namespace

Weights::Weights(std::shared_ptr<const models::Checkpoint> checkpoint, const Device& device)
    : checkpoint_(std::move(checkpoint)), device_(device) {}

Weights::~Weights() {
  if (loss_.squares == 0) return;
  log::note("int8 weights are approximate; they differ by {:.2f}% (root mean square)",
            100 * std::sqrt(loss_.squared_error / loss_.squares));
}

at::Tensor Weights::take(const std::string& part, const std::string& name) const {
  return load(checkpoint_->at(part, name));
}

at::Tensor Weights::take_if_there(const std::string& part, const std::string& name) const {
  const models::Weight* weight = checkpoint_->find(part, name);
  return weight == nullptr ? at::Tensor() : load(*weight);
}

HeldMatrix Weights::take_matrix(const std::string& part, const std::string& name) const {
  const models::Weight& weight = checkpoint_->at(part, name);
  if (device_.trained != nullptr) {
    HeldMatrix held = {load(weight), {}, device_.rounding};
    if (part == kTrunk) held.change = change_of(weight);
    return held;
  }
  if (weight.view->shape.size() != 2) return {load(weight), {}};
  if (stays_in_blocks(weight, device_)) {
    HeldMatrix held = blocks_on(device_.device, blocks_of(weight));
    // The file's pages are not needed once the GPU has its copy.
    if (!device_.device.is_cpu()) checkpoint_->release(weight);
    return held;
  }
  if (stays_in_groups(weight, device_)) {
    HeldMatrix held = blocks_on(device_.device, hold_groups(*weight.view->coded));
    checkpoint_->release(weight);
    return held;
  }
  if (!device_.device.is_cpu()) return {load(weight), {}};
  const at::Tensor values = changed(weight);
  const MatrixFormat format = device_.matrices.value_or(format_for(*weight.view, weight.file));
  HeldMatrix held = hold_as(format, values, &loss_);
  if (format == MatrixFormat::bfloat16) held.rounding = device_.rounding;
  if (!held.values.is_same(values) || is_copied(weight)) checkpoint_->release(weight);
  return held;
}

// Returns the blocks as a view of the file, or a copy if rows must be put in order.
HeldMatrix Weights::blocks_of(const models::Weight& weight) const {
  const std::span<const std::uint8_t> bytes = weight.view->bytes;
  const std::int64_t rows = weight.view->shape.front();
  const auto shape = {rows, std::ssize(bytes) / rows};
  HeldMatrix held;
  held.codec = codec_of(*weight.view->blocks);
  if (weight.interleaved_heads == 0) {
    // LibTorch has no read-only tensors; nothing writes to a weight.
    held.values = at::from_blob(const_cast<std::uint8_t*>(bytes.data()), shape, at::kByte);
    return held;
  }
  const std::vector<std::uint8_t> ordered = models::rows_in_order(weight);
  held.values = at::empty(shape, at::kByte);
  std::ranges::copy(ordered, held.values.mutable_data_ptr<std::uint8_t>());
  checkpoint_->release(weight);
  return held;
}

std::int64_t Weights::columns(const std::string& part, const std::string& name) const {
  return checkpoint_->at(part, name).view->shape.back();
}

// Returns the tensor with its rows in order, and with blocks and codes widened to float32; else a
// view of the file.
at::Tensor Weights::in_order(const models::Weight& weight) const {
  const tensorfile::TensorView& view = *weight.view;
  if (view.coded) return widened(*view.coded);
  if (view.turned) return turned_back(view, weight.file);
  if (weight.interleaved_heads == 0) {
    return view.blocks ? widened(view, view.bytes) : mapped(view, weight.file);
  }
  const std::vector<std::uint8_t> bytes = models::rows_in_order(weight);
  if (view.blocks) return widened(view, bytes);
  tensorfile::TensorView ordered = view;
  ordered.bytes = bytes;
  return mapped(ordered, weight.file).clone();
}

// Returns the tensor with its low-rank changes in float32, or as stored if it has none.
at::Tensor Weights::changed(const models::Weight& weight) const {
  at::Tensor tensor = in_order(weight);
  if (weight.changes.empty()) return tensor;
  // Copied even from float32, because the view of the file must not be written to.
  tensor = tensor.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
  for (const models::LowRank& change : weight.changes) {
    const at::Tensor down = mapped(*change.down, weight.file).to(at::kFloat);  // [rank, in]
    const at::Tensor up = mapped(*change.up, weight.file).to(at::kFloat);      // [out, rank]
    tensor.add_(at::matmul(up, down), change.scale);                           // [out, in]
  }
  return tensor;
}

// Returns the trained tensor of a weight. There is one for each tensor in the files, even if the
// model uses it twice, so that a tied head trains its embeddings.
at::Tensor Weights::leaf(const models::Weight& weight) const {
  at::Tensor& tensor = device_.trained->tensors[weight.view->name];
  if (!tensor.defined()) {
    const auto options = at::TensorOptions(device_.device).dtype(at::kFloat);
    tensor = changed(weight).to(options, /*non_blocking=*/false, /*copy=*/true);
    tensor.set_requires_grad(true);
  }
  return tensor;
}

// Returns the trained low-rank change of a weight, if it is a target. It begins as in PEFT: `up` is
// zero, so the model is unchanged at first.
std::optional<LinearChange> Weights::change_of(const models::Weight& weight) const {
  Trained& training = *device_.trained;
  std::string module = weight.view->name;
  if (!training.lora || !module.ends_with(kWeightSuffix)) return std::nullopt;
  const Lora& lora = *training.lora;
  module.resize(module.size() - kWeightSuffix.size());
  if (std::ranges::find(lora.targets, module.substr(module.rfind('.') + 1)) == lora.targets.end()) {
    return std::nullopt;
  }
  at::Tensor& down = training.tensors[module + ".lora_A.weight"];
  at::Tensor& up = training.tensors[module + ".lora_B.weight"];
  if (!down.defined()) {
    const std::int64_t rows = weight.view->shape.front(), columns = weight.view->shape.back();
    const double most = 1 / std::sqrt(static_cast<double>(columns));
    const auto options = at::TensorOptions(at::kFloat);
    // Drawn on the CPU, so that the same seed gives the same numbers on every device.
    at::Generator random = at::detail::createCPUGenerator(training.seed + training.tensors.size());
    down = at::rand({lora.rank, columns}, random, options).mul_(2).sub_(1).mul_(most);
    down = down.to(device_.device).set_requires_grad(true);
    up = at::zeros({rows, lora.rank}, options.device(device_.device)).set_requires_grad(true);
  }
  return LinearChange{down, up, lora.alpha / lora.rank, lora.dropout, &training.learning};
}

at::Tensor Weights::load(const models::Weight& weight) const {
  if (device_.trained != nullptr && !device_.trained->lora) return leaf(weight);
  const at::Tensor tensor = changed(weight);
  const at::Tensor result = tensor.to(device_.options());
  if (result.is_same(tensor) && !is_copied(weight)) return result;
  checkpoint_->release(weight);
  return result;
}

}  // namespace fineprint::nets
