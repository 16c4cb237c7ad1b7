// Presents the safetensors files of a folder, or a GGUF file, as one set of named tensors.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/gguf.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// A memory-mapped file.
struct WeightFile {
  std::string path;
  std::variant<tensorfile::SafetensorsReader, tensorfile::GgufReader> reader;
};

// A tensor and the file that contains it.
struct FoundTensor {
  const tensorfile::TensorView* view = nullptr;
  const WeightFile* file = nullptr;
};

// Keeps its files mapped; pointers into it stay valid when it is moved.
class WeightFiles {
 public:
  // Opens model.safetensors, or the shards that model.safetensors.index.json names. If `dir` is a
  // GGUF file, opens it and its projector unless that is "", with the tensor names of folders.
  // Throws Error(model) that says which file is missing or where index and shards disagree.
  static WeightFiles open_model(const std::string& dir, const std::string& projector = {});
  // Opens adapter_model.safetensors.
  static WeightFiles open_adapter(const std::string& dir);

  // Adds DIR/FOLDER/model.safetensors with its tensors as "FOLDER/NAME". Throws as open_model does.
  void add_folder(const std::string& dir, const std::string& folder);
  // Replaces the arrays of all experts of a layer, if there are any, by a matrix for each expert,
  // as views of the same bytes. Throws Error(model) if such an array has another number of
  // dimensions or too many experts.
  void cut_expert_arrays(const Decoder& decoder);
  // Replaces the arrays that store codes by matrices, under the names that they have in folders
  // without codes. Throws Error(model) as `joined_codes` does.
  void join_codes(const Quantisation& quantisation);

  const std::map<std::string, FoundTensor>& tensors() const { return tensors_; }
  const FoundTensor* find(const std::string& name) const;
  // Paths of all files that were read, the index included.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  // `beginning` is put before the names of tensors.
  void open(const std::string& path, const std::string& beginning = {});
  void open_gguf(const std::string& path);
  void open_projector(const std::string& path);
  void cut_experts(const std::string& name, const tensorfile::TensorView& all,
                   const WeightFile& file, bool turned = false);
  void add_part(const std::string& name, tensorfile::TensorView view, const WeightFile& file);
  void add_as(const std::string& name, const tensorfile::TensorView& view, const WeightFile& file);
  void open_shards(const std::string& dir, const std::string& index_path);

  std::deque<WeightFile> files_;  // views point into it, so elements must not move
  std::deque<tensorfile::TensorView> joined_;
  std::map<std::string, FoundTensor> tensors_;
  std::vector<std::string> paths_;
};

}  // namespace fineprint::models
