// Reads the small files of a model folder and of the adapter over it, or the facts of a GGUF file
// in their place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/gguf/projector.h"
#include "models/json_facts.h"

namespace fineprint::models {

// Returns true if `path` is a plain file; follows links. Otherwise stores the reason in `why`,
// which may be null.
bool is_plain_file(const std::string& path, std::string* why = nullptr);

// Opens the files of a folder by name and records which ones were read. Files of `overlay` (the
// adapter's folder, or "") override those of `dir`, except config.json.
class FolderReader {
 public:
  FolderReader(const std::string& dir, const std::string& overlay);

  // Presents the facts of a GGUF file as the files of a folder. Adds those of its projector if one
  // is named or in the same folder.
  explicit FolderReader(const GgufPair& pair);

  bool is_gguf() const { return !held_.empty(); }
  const std::string& dir() const { return dir_; }  // the folder, or the GGUF file
  const JsonFacts& config() const { return config_; }
  // Returns true if the folder has the file, or the GGUF file has an equivalent.
  bool holds(const std::string& name) const;
  // Returns the path of a required file. Throws Error(model) that ends with `advice` if it is
  // missing.
  std::string path(const std::string& name, const std::string& advice);
  // Read a file as JSON or text. `file` throws if it is missing; `find_` functions return nullopt.
  JsonFacts file(const std::string& name, const std::string& advice);
  std::optional<JsonFacts> find_file(const std::string& name);
  std::optional<std::string> find_text(const std::string& name);
  // Returns the GGUF file with the tower, or "" and why there is none. Both are empty for folders.
  const FoundProjector& projector() const { return projector_; }
  // Returns the path of tokenizer.json, or of the GGUF file.
  std::string tokenizer();
  // Returns preprocessor_config.json, or the object in processor_config.json where newer writers
  // put it.
  JsonFacts preprocessor();

  const std::vector<std::string>& files_read() const { return files_read_; }

 private:
  // Returns the first place that has the file, or "" with the reason in `why`.
  std::string locate(const std::string& name, std::string* why);
  // Does the same for an optional file. Throws Error(model) if it exists but is no plain file.
  std::string find_path(const std::string& name);

  std::string dir_, overlay_;
  FoundProjector projector_;
  std::map<std::string, Json> held_;  // by file name; only for a GGUF file
  std::vector<std::string> files_read_;
  JsonFacts config_;
};

}  // namespace fineprint::models
