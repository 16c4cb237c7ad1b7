// Opens the safetensors files of a folder, or a GGUF file, as one set of named tensors.
#include "models/weight_files.h"

#include <filesystem>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/coded_weights.h"
#include "models/config_facts.h"
#include "models/folder_reader.h"
#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_folder.h"
#include "models/gguf/projector.h"

namespace fineprint::models {
namespace {

// Shards are called "model-00001-of-00004.safetensors"; a longer name is a mistake or an attack.
constexpr std::size_t kMaxNameBytes = 128;
// In the names of arrays whose matrices have the rows of gate and up.
constexpr std::string_view kGateUp = ".gate_up_proj.";

// The last layer of a cross-encoder in a GGUF file.
constexpr std::string_view kScoreRow = "cls.output.weight";

// Returns true if a shard's name cannot lead out of its folder.
bool is_shard_name(const std::string& name) {
  // An index comes from strangers: "../../" must not open a file outside of the model.
  return name.size() <= kMaxNameBytes && name.ends_with(".safetensors") && name.front() != '.' &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

// Returns advice for a folder without weights that can be read.
std::string advice_for(const std::string& dir) {
  std::error_code ignored;
  std::string other;
  bool shards = false;
  for (const auto& entry : std::filesystem::directory_iterator(dir, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string ending = entry.path().extension().string();
    // Pickled weights could run code when they are loaded, so they are only named in the advice.
    if (ending == ".bin" || ending == ".gguf" || ending == ".pth" || ending == ".pt") other = name;
    shards = shards || ending == ".safetensors";
  }
  if (shards) return "shards are there, but not model.safetensors.index.json, which names them";
  if (other.empty()) return "the model folder is incomplete: download it again";
  return format(
      "weights in other formats ({}) are not read: get the safetensors version of the "
      "model, or convert it",
      other);
}

[[noreturn]] void disagree(const std::string& index, const std::string& problem) {
  throw Error(ErrorCode::model, format("{}: {}; download the model again", index, problem));
}

// Returns the shard of each tensor.
std::map<std::string, std::string> read_weight_map(const std::string& index_path) {
  const JsonFacts index(index_path);
  const JsonFacts map = index.object("weight_map");
  std::map<std::string, std::string> shards;
  for (const auto& [name, file] : map.json().items()) {
    if (!file.is_string() || !is_shard_name(file.get_ref<const std::string&>())) {
      index.fail("weight_map", format("gives tensor '{}' to {}, which is not the name of a "
                                      "safetensors file in this folder",
                                      name, dump_json(file)));
    }
    shards[name] = file.get<std::string>();
  }
  if (shards.empty()) index.fail("weight_map", "is empty");
  return shards;
}

}  // namespace

void WeightFiles::open(const std::string& path, const std::string& beginning) {
  const WeightFile& file =
      files_.emplace_back(WeightFile{path, tensorfile::SafetensorsReader(path)});
  paths_.push_back(path);
  for (const auto& [name, view] : std::get<tensorfile::SafetensorsReader>(file.reader).tensors()) {
    const std::string known_as = beginning + name;
    if (!tensors_.emplace(known_as, FoundTensor{&view, &file}).second) {
      throw Error(ErrorCode::model, format("{}: tensor '{}' is also in {}", path, name,
                                           tensors_.at(known_as).file->path));
    }
  }
}

void WeightFiles::open_gguf(const std::string& path) {
  const WeightFile& file = files_.emplace_back(WeightFile{path, tensorfile::GgufReader(path)});
  const auto& reader = std::get<tensorfile::GgufReader>(file.reader);
  paths_.insert(paths_.end(), reader.paths().begin(), reader.paths().end());
  const std::string architecture = GgufFacts(reader).text("general.architecture");
  // From here on, tensors have the names of folders, so that one recipe serves both formats.
  for (const auto& [name, view] : reader.tensors()) {
    const std::string known_as = folder_name(name, architecture);
    if (name == kScoreRow && view.shape.size() == 1) {
      // Some converters drop the first dimension of a matrix of one row.
      tensorfile::TensorView& row = joined_.emplace_back(view);
      row.shape.insert(row.shape.begin(), 1);
      add_as(known_as, row, file);
    } else if (known_as.find(kExpertNumber) == std::string::npos) {
      add_as(known_as, view, file);
    } else {
      cut_experts(known_as, view, file);
    }
  }
}

// From here on, each expert has matrices of its own, as in most folders.
void WeightFiles::cut_experts(const std::string& name, const tensorfile::TensorView& all,
                              const WeightFile& file, bool turned) {
  if (all.shape.size() != 3 || all.shape.front() < 1 || all.shape.front() > kMaxExperts) {
    throw Error(ErrorCode::model,
                format("{}: tensor '{}' is not an array of the matrices of up to {} experts",
                       file.path, all.name, kMaxExperts));
  }
  const auto count = static_cast<std::size_t>(all.shape.front());
  const std::size_t size = all.bytes.size() / count, at = name.find(kExpertNumber);
  const std::int64_t rows = all.shape[turned ? 2 : 1], columns = all.shape[turned ? 1 : 2];
  // Gate and up may be the halves of one matrix.
  std::vector<std::string> parts{name.substr(at + 1)};
  const std::size_t both = parts[0].find(kGateUp);
  if (both != std::string::npos) {
    if (rows % 2 != 0) {
      throw Error(ErrorCode::model,
                  format("{}: tensor '{}' has matrices of {} rows, which are not two halves",
                         file.path, all.name, rows));
    }
    parts = {parts[0].replace(both, kGateUp.size(), ".gate_proj."), name.substr(at + 1)};
    parts[1].replace(both, kGateUp.size(), ".up_proj.");
  }
  const std::size_t share = size / parts.size();
  const std::int64_t part_rows = rows / std::ssize(parts);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::uint8_t> matrix = all.bytes.subspan(i * size, size);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      tensorfile::TensorView view = all;
      view.shape = {part_rows, columns};
      view.bytes = matrix.subspan(part * share, share);
      const auto first = static_cast<std::int64_t>(part) * part_rows;
      if (turned) view.turned = tensorfile::TurnedMatrix{matrix, rows, first};
      add_part(name.substr(0, at) + std::to_string(i) + parts[part], std::move(view), file);
    }
  }
}

void WeightFiles::add_part(const std::string& name, tensorfile::TensorView view,
                           const WeightFile& file) {
  add_as(name, joined_.emplace_back(std::move(view)), file);
}

void WeightFiles::cut_expert_arrays(const Decoder& decoder) {
  if (decoder.experts.store == ExpertStore::matrices) return;
  const std::int64_t hidden = decoder.hidden, inner = decoder.experts.intermediate;
  constexpr std::string_view kExperts = ".mlp.experts.";
  std::vector<std::pair<std::string, FoundTensor>> arrays;
  for (const auto& [name, found] : tensors_) {
    if (name.ends_with(".mlp.experts.gate_up_proj") || name.ends_with(".mlp.experts.down_proj")) {
      arrays.emplace_back(name, found);
    }
  }
  for (const auto& [name, found] : arrays) {
    tensors_.erase(name);
    std::string numbered = name + ".weight";
    numbered.insert(name.rfind(kExperts) + kExperts.size(), std::string(1, kExpertNumber) + ".");
    const std::vector<std::int64_t>& shape = found.view->shape;
    const bool both = name.ends_with("gate_up_proj");
    const bool plain = shape.size() == 3 && shape[1] == (both ? 2 * inner : hidden) &&
                       shape[2] == (both ? hidden : inner);
    const bool turned = decoder.experts.store == ExpertStore::turned_arrays && !plain;
    cut_experts(numbered, *found.view, *found.file, turned);
  }
}

void WeightFiles::open_projector(const std::string& path) {
  const WeightFile& file = files_.emplace_back(WeightFile{path, tensorfile::GgufReader(path)});
  paths_.push_back(path);
  const auto& reader = std::get<tensorfile::GgufReader>(file.reader);
  const std::map<std::string, std::string> names = projector_names(reader);
  for (const auto& [name, view] : reader.tensors()) add_as(names.at(name), view, file);
}

void WeightFiles::add_as(const std::string& name, const tensorfile::TensorView& view,
                         const WeightFile& file) {
  if (!tensors_.emplace(name, FoundTensor{&view, &file}).second) {
    throw Error(ErrorCode::model,
                format("{}: two tensors have the same name {} in model folders", file.path, name));
  }
}

void WeightFiles::open_shards(const std::string& dir, const std::string& index_path) {
  const std::map<std::string, std::string> shards = read_weight_map(index_path);
  paths_.push_back(index_path);
  std::set<std::string> files;
  for (const auto& [tensor, file] : shards) files.insert(file);
  // Each shard is opened once, although the index names it for each of its tensors.
  for (const std::string& file : files) {
    const std::string path = dir + "/" + file;
    std::string why;
    if (!is_plain_file(path, &why)) {
      disagree(index_path, format("names the shard {}, which is {}", path, why));
    }
    open(path);
  }
  for (const auto& [name, file] : shards) {
    const FoundTensor* found = find(name);
    // An index and shards of different downloads would give a mixture of two models.
    if (found == nullptr || found->file->path != dir + "/" + file) {
      disagree(index_path, format("gives tensor '{}' to {}, which does not hold it", name, file));
    }
  }
  for (const auto& [name, found] : tensors_) {
    if (!shards.contains(name)) {
      disagree(index_path, format("does not name tensor '{}' of {}", name, found.file->path));
    }
  }
}

WeightFiles WeightFiles::open_model(const std::string& dir, const std::string& projector) {
  WeightFiles files;
  if (tensorfile::is_gguf(dir)) {
    files.open_gguf(dir);
    if (!projector.empty()) files.open_projector(projector);
    return files;
  }
  const std::string whole = dir + "/model.safetensors";
  const std::string index = dir + "/model.safetensors.index.json";
  std::string why;
  if (is_plain_file(whole, &why)) {
    files.open(whole);
    // A file that exists but cannot be read is reported and not replaced by shards.
  } else if (why == "missing" && is_plain_file(index)) {
    files.open_shards(dir, index);
  } else {
    throw Error(ErrorCode::model, format("{}: {}; {}", whole, why, advice_for(dir)));
  }
  return files;
}

WeightFiles WeightFiles::open_adapter(const std::string& dir) {
  WeightFiles files;
  const std::string path = dir + "/adapter_model.safetensors";
  std::string why;
  if (!is_plain_file(path, &why)) {
    throw Error(ErrorCode::model, format("{}: {}; {}", path, why, advice_for(dir)));
  }
  files.open(path);
  return files;
}

void WeightFiles::add_folder(const std::string& dir, const std::string& folder) {
  const std::string path = dir + "/" + folder + "/model.safetensors";
  std::string why;
  if (!is_plain_file(path, &why)) {
    throw Error(ErrorCode::model, format("{}: {}; {}", path, why, advice_for(dir + "/" + folder)));
  }
  open(path, folder + "/");
}

void WeightFiles::join_codes(const Quantisation& quantisation) {
  for (const JoinedMatrix& joined : joined_codes(quantisation, *this)) {
    for (const std::string& part : joined.parts) tensors_.erase(part);
    tensorfile::TensorView& view = joined_.emplace_back(*joined.codes.view);
    view.name = joined.name;
    // Values are widened from codes, so no stored type applies; F32 passes the check of types.
    view.dtype = tensorfile::Dtype::f32;
    view.shape = {joined.matrix->rows, joined.matrix->columns};
    view.coded = joined.matrix;
    if (!tensors_.emplace(joined.name, FoundTensor{&view, joined.codes.file}).second) {
      throw Error(ErrorCode::model, format("{}: has both '{}' and codes of it",
                                           joined.codes.file->path, joined.name));
    }
  }
  std::erase_if(tensors_, [](const auto& entry) { return is_of_activations(entry.first); });
}

const FoundTensor* WeightFiles::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace fineprint::models
