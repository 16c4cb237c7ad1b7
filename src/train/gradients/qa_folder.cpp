// Writes the folders of a trained QA model.
#include "train/gradients/qa_folder.h"

#include <utility>
#include <vector>

#include <ATen/TensorOperators.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/models/qa_tokens.h"
#include "fineprint/tensorfile/safetensors.h"

#include "train/gradients/checkpoint.h"

namespace fineprint::train {
namespace {

constexpr double kMostCode = 127;
constexpr double kLeastScale = 1e-6;  // for rows of zeros
constexpr const char* kMatrixOfTrunk = ".weight";

// The base's configuration with the architecture of a QA model, by which the loader recognizes it.
Json config_of(const models::ModelSpec& base) {
  const std::string path = base.dir + "/config.json";
  Json config = parse_json(read_file(path), path);
  config["architectures"] = {models::kQaArchitecture};
  return config;
}

void write_small_files(const std::string& dir, const models::ModelSpec& base, const Json& config) {
  make_folders(dir);
  write_file_atomic(dir + "/config.json", config.dump(2) + "\n");
  write_file_atomic(dir + "/tokenizer.json", read_file(base.tokenizer_path));
}

class Tensors {
 public:
  void add(const std::string& name, tensorfile::Dtype dtype, const at::Tensor& tensor) {
    held_.push_back(tensor.contiguous());
    const auto* bytes = static_cast<const std::uint8_t*>(held_.back().const_data_ptr());
    all_.push_back({name, dtype, tensor.sizes().vec(), {bytes, held_.back().nbytes()}});
  }
  void write(const std::string& path) const { tensorfile::write(path, all_, {{"format", "pt"}}); }

 private:
  std::vector<at::Tensor> held_;
  std::vector<tensorfile::TensorToWrite> all_;
};

// The heads and the small embedding tables stay in float16.
bool is_packed(const std::string& name, const at::Tensor& tensor) {
  return tensor.dim() == 2 && name.ends_with(kMatrixOfTrunk) && !name.starts_with("reader.") &&
         !name.starts_with("embeddings.position") && !name.starts_with("embeddings.token_type");
}

// Symmetric codes: each row is divided by its largest absolute value.
void add_packed(const std::string& name, const at::Tensor& matrix, Tensors* tensors) {
  // Scales have the shape [rows, 1], as the loader expects.
  const at::Tensor scales =
      (std::get<0>(matrix.abs().max(1, true)) / kMostCode).clamp_min(kLeastScale).to(at::kHalf);
  tensors->add(name, tensorfile::Dtype::i8,
               (matrix / scales.to(at::kFloat)).round().clamp(-kMostCode, kMostCode).to(at::kChar));
  tensors->add(name + "_scale", tensorfile::Dtype::f16, scales);
}

// Describes the codes in the words of compressed-tensors, so that other programs can load the
// folder.
Json packing() {
  const Json weights = {
      {"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}, {"symmetric", true}};
  return {{"quant_method", "compressed-tensors"},
          {"format", "int-quantized"},
          {"quantization_status", "compressed"},
          {"config_groups", {{"group_0", {{"targets", {"Linear"}}, {"weights", weights}}}}},
          {"ignore", Json::array()}};
}

}  // namespace

void write_trained_qa_model(const std::string& dir, const models::ModelSpec& base,
                            const nets::Trained& trained) {
  Tensors tensors;
  for (const auto& [name, tensor] : trained.tensors) {
    tensors.add(name, tensorfile::Dtype::f32, tensor.detach().to(at::kCPU));
  }
  Json config = config_of(base);
  // The base may have been packed; these weights are not.
  config.erase("quantization_config");
  write_small_files(dir, base, config);
  tensors.write(dir + "/model.safetensors");
}

void write_packed_qa_model(const std::string& dir, const models::ModelSpec& base,
                           const nets::Trained& trained) {
  Tensors tensors;
  for (const auto& [name, tensor] : trained.tensors) {
    const at::Tensor values = tensor.detach().to(at::kCPU);
    if (is_packed(name, values)) {
      add_packed(name, values, &tensors);
    } else {
      tensors.add(name, tensorfile::Dtype::f16, values.to(at::kHalf));
    }
  }
  Json config = config_of(base);
  config["quantization_config"] = packing();
  write_small_files(dir, base, config);
  tensors.write(dir + "/model.safetensors");
}

}  // namespace fineprint::train
