// Saves and reads the state from which a stopped training continues.
#include "train/gradients/checkpoint.h"

#include <filesystem>

#include <ATen/ops/from_blob.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::train {
namespace {

// The beginnings of tensor names in the file.
constexpr std::string_view kOfTensor = "tensor/", kOfMean = "mean/", kOfSquare = "square/";

// Keeps copies on the CPU alive until the file is written.
class Collected {
 public:
  void add(std::string_view kind, const std::string& name, const at::Tensor& tensor) {
    held_.push_back(tensor.detach().to(at::kCPU).contiguous());
    tensors_.push_back({std::string(kind) + name, tensorfile::Dtype::f32, tensor.sizes().vec(),
                        bytes_of(held_.back())});
  }
  const std::vector<tensorfile::TensorToWrite>& all() const { return tensors_; }

 private:
  std::vector<at::Tensor> held_;
  std::vector<tensorfile::TensorToWrite> tensors_;
};

at::Tensor copy_of(const tensorfile::TensorView& view) {
  auto* bytes = const_cast<std::uint8_t*>(view.bytes.data());  // clone() only reads it
  return at::from_blob(bytes, view.shape, at::TensorOptions(at::kFloat)).clone();
}

}  // namespace

std::span<const std::uint8_t> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::uint8_t*>(tensor.const_data_ptr()), tensor.nbytes()};
}

// The optimizer's moments are saved with the weights: without them, a continued training would take
// other steps.
void save_checkpoint(const std::string& path, const Progressed& progressed,
                     const std::string& training) {
  Collected collected;
  for (const auto& [name, tensor] : progressed.tensors) collected.add(kOfTensor, name, tensor);
  for (const auto& [name, moments] : progressed.moments) {
    collected.add(kOfMean, name, moments.mean);
    collected.add(kOfSquare, name, moments.square);
  }
  tensorfile::write(path, collected.all(),
                    {{"schema", "fineprint.training/1"},
                     {"step", std::to_string(progressed.step)},
                     {"training", training}});
}

// A checkpoint of another training is an error and is not overwritten: it may be days of work.
std::optional<Progressed> read_checkpoint(const std::string& path, const std::string& training) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const tensorfile::SafetensorsReader file(path);
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (text("training") != training) {
    throw Error(ErrorCode::input,
                format("{}: belongs to a training with other settings, examples or model; remove "
                       "it to start again, or give another --out",
                       path));
  }
  Progressed progressed;
  progressed.step = whole_number(text("step"));
  for (const auto& [name, view] : file.tensors()) {
    if (name.starts_with(kOfTensor)) {
      progressed.tensors[name.substr(kOfTensor.size())] = copy_of(view);
    } else if (name.starts_with(kOfMean)) {
      progressed.moments[name.substr(kOfMean.size())].mean = copy_of(view);
    } else if (name.starts_with(kOfSquare)) {
      progressed.moments[name.substr(kOfSquare.size())].square = copy_of(view);
    }
  }
  return progressed;
}

}  // namespace fineprint::train
