// The small files of one model folder, and of the adapter laid over it; or what a GGUF file says in
// place of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/gguf/projector.h"
#include "models/json_facts.h"

namespace fineprint::models {

// Whether `path` is a readable plain file; links are followed. `why` (may be null) gets the reason.
bool is_plain_file(const std::string& path, std::string* why = nullptr);

// Opens the files of a folder by name and remembers which ones were read. Files of `overlay`, the
// adapter's folder or "", go before those of `dir`, config.json excepted.
class FolderReader {
 public:
  FolderReader(const std::string& dir, const std::string& overlay);

  // The facts of a GGUF file, in the words of a folder's files; with those of its projector when
  // one is named or lies beside it.
  explicit FolderReader(const GgufPair& pair);

  bool is_gguf() const { return !held_.empty(); }
  const std::string& dir() const { return dir_; }  // or the GGUF file
  const JsonFacts& config() const { return config_; }
  // Whether the folder, or the GGUF file in its words, has the file.
  bool holds(const std::string& name) const;
  // The path of a file that must be there; else Error(model) that ends with `advice`.
  std::string path(const std::string& name, const std::string& advice);
  JsonFacts file(const std::string& name, const std::string& advice);
  std::optional<JsonFacts> find_file(const std::string& name);
  std::optional<std::string> find_text(const std::string& name);
  // The GGUF file with the tower, or "" and why there is none. Of folders both are empty.
  const FoundProjector& projector() const { return projector_; }
  // The path of tokenizer.json, or of the GGUF file.
  std::string tokenizer();
  // preprocessor_config.json, or the object in processor_config.json that newer writers put there.
  JsonFacts preprocessor();

  const std::vector<std::string>& files_read() const { return files_read_; }

 private:
  // The first place that holds the file, or ""; then `why` says so.
  std::string locate(const std::string& name, std::string* why);
  // The same for a file that may be absent; Error(model) for one that is there and no plain file.
  std::string find_path(const std::string& name);

  std::string dir_, overlay_;
  FoundProjector projector_;
  std::map<std::string, Json> held_;  // by file, of a GGUF file
  std::vector<std::string> files_read_;
  JsonFacts config_;
};

}  // namespace fineprint::models
