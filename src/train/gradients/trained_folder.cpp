// Writes the folder of a trained model.
#include "train/gradients/trained_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/tensorfile/safetensors.h"

#include "train/gradients/checkpoint.h"

namespace fineprint::train {
namespace {

namespace fs = std::filesystem;

// The prefix that PEFT adds to the names of modules.
constexpr std::string_view kPeftPrefix = "base_model.model.";

void write_tensors(const std::string& path, const std::map<std::string, at::Tensor>& tensors) {
  std::vector<at::Tensor> held;
  std::vector<tensorfile::TensorToWrite> all;
  for (const auto& [name, tensor] : tensors) {
    held.push_back(tensor.detach().to(at::kCPU).contiguous());
    all.push_back({name, tensorfile::Dtype::f32, tensor.sizes().vec(), bytes_of(held.back())});
  }
  tensorfile::write(path, all, {{"format", "pt"}});
}

// Weights in any format are left out: the trained ones replace them.
bool holds_weights(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json") ||
         name.ends_with(".bin") || name.ends_with(".pt") || name.ends_with(".onnx") ||
         name.ends_with(".gguf");
}

// Copies configuration, tokenizer, and files in subfolders, which published models may have at any
// depth.
void copy_small_files(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    if (entry.path().filename().string().starts_with(".")) continue;
    if (entry.is_directory()) {
      make_folders(target.string());
      copy_small_files(entry.path(), target);
    } else if (entry.is_regular_file() && !holds_weights(entry.path())) {
      write_file_atomic(target.string(), read_file(entry.path().string()));
    }
  }
}

// Returns PEFT's name of a tensor. Since version 4.52, transformers builds models with images with
// the trunk in another place than most of their checkpoints have it.
std::string peft_name(const models::ModelSpec& base, const std::string& name) {
  constexpr std::string_view kBuilt = "model.language_model.";
  const std::string prefix(kPeftPrefix);
  for (const models::PartTensors& part : base.parts) {
    const bool is_moved = part.part == "trunk" && base.sees() &&
                          std::ranges::find(part.prefixes, kBuilt) != part.prefixes.end();
    if (!is_moved) continue;
    std::string longest;
    for (const std::string& place : part.prefixes) {
      if (name.starts_with(place) && place.size() > longest.size()) longest = place;
    }
    if (!longest.empty()) return prefix + std::string(kBuilt) + name.substr(longest.size());
  }
  return prefix + name;
}

std::map<std::string, at::Tensor> peft_tensors(const models::ModelSpec& base,
                                               const nets::Trained& trained) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, tensor] : trained.tensors) tensors[peft_name(base, name)] = tensor;
  return tensors;
}

// Returns the modules in PEFT's form: last names, or, if a tower also has modules with these names,
// an expression that leaves the tower out.
Json target_modules(const models::ModelSpec& base, const std::set<std::string>& modules) {
  if (!base.sees()) return modules;
  return format("^(?!.*(?:visual|vision)).*\\.(?:{})$", join_texts(modules, "|"));
}

// The last names of modules are derived from the trained tensors, so that the list is complete by
// construction.
void write_adapter_config(const std::string& dir, const models::ModelSpec& base,
                          const nets::Trained& trained) {
  std::set<std::string> modules;
  for (const auto& [name, tensor] : trained.tensors) {
    const std::string module = name.substr(0, name.find(".lora_"));
    modules.insert(module.substr(module.rfind('.') + 1));
  }
  const Json config = {{"peft_type", "LORA"},
                       {"base_model_name_or_path", fs::absolute(base.dir).string()},
                       {"r", trained.lora->rank},
                       {"lora_alpha", trained.lora->alpha},
                       {"lora_dropout", trained.lora->dropout},
                       {"target_modules", target_modules(base, modules)},
                       {"bias", "none"},
                       {"fan_in_fan_out", false},
                       {"inference_mode", true}};
  write_file_atomic(dir + "/adapter_config.json", config.dump(2) + "\n");
}

}  // namespace

void write_trained_model(const std::string& dir, const models::ModelSpec& base,
                         const nets::Trained& trained) {
  make_folders(dir);
  if (trained.lora) {
    write_tensors(dir + "/adapter_model.safetensors", peft_tensors(base, trained));
    write_adapter_config(dir, base, trained);
    return;
  }
  copy_small_files(base.dir, dir);
  write_tensors(dir + "/model.safetensors", trained.tensors);
}

}  // namespace fineprint::train
