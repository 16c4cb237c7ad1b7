// The safetensors files of one folder, or one GGUF file, as one set of named tensors.
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

struct WeightFile {
  std::string path;
  std::variant<tensorfile::Reader, tensorfile::GgufReader> reader;
};

struct FoundTensor {
  const tensorfile::TensorView* view = nullptr;
  const WeightFile* file = nullptr;
};

class WeightFiles {
 public:
  // model.safetensors, or model.safetensors.index.json and the shards it names; or the file, when
  // `dir` is a GGUF file, and its projector unless that is "", their tensors under the names that
  // they have in folders. Throws Error(model) naming what is missing, or where index and shards
  // disagree.
  static WeightFiles open_model(const std::string& dir, const std::string& projector = {});
  // adapter_model.safetensors.
  static WeightFiles open_adapter(const std::string& dir);

  // Adds DIR/FOLDER/model.safetensors, its tensors under "FOLDER/NAME". Throws as open_model does.
  void add_folder(const std::string& dir, const std::string& folder);
  // Puts matrices in place of the arrays that their codes lie in, under the names that they have in
  // folders without codes. Throws Error(model) as `joined_codes` does.
  void join_codes(const Quantisation& quantisation);

  const std::map<std::string, FoundTensor>& tensors() const { return tensors_; }
  const FoundTensor* find(const std::string& name) const;
  // Of all files that were read, the index included.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  void open(const std::string& path, const std::string& beginning = {});  // of tensors' names
  void open_gguf(const std::string& path);
  void open_projector(const std::string& path);
  void add_as(const std::string& name, const tensorfile::TensorView& view, const WeightFile& file);
  void open_shards(const std::string& dir, const std::string& index_path);

  std::deque<WeightFile> files_;  // views point into it: elements must not move
  std::deque<tensorfile::TensorView> joined_;
  std::map<std::string, FoundTensor> tensors_;
  std::vector<std::string> paths_;
};

}  // namespace fineprint::models
