// The small files of one model folder, and of the adapter laid over it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/json_facts.h"

namespace fineprint::models {

// Whether `path` is a readable plain file; links are followed. `why` (may be null) gets the reason.
bool is_plain_file(const std::string& path, std::string* why = nullptr);

// Opens the files of a folder by name and remembers which ones were read. Files of `overlay`, the
// adapter's folder or "", go before those of `dir`, config.json excepted.
class FolderReader {
 public:
  FolderReader(const std::string& dir, const std::string& overlay);

  const std::string& dir() const { return dir_; }
  const JsonFacts& config() const { return config_; }
  // The path of a file that must be there; else Error(model) that ends with `advice`.
  std::string path(const std::string& name, const std::string& advice);
  JsonFacts file(const std::string& name, const std::string& advice);
  std::optional<JsonFacts> find_file(const std::string& name);
  // The path of tokenizer.json.
  std::string tokenizer();
  // preprocessor_config.json, or the object in processor_config.json that newer writers put there.
  JsonFacts preprocessor();

  const std::vector<std::string>& files_read() const { return files_read_; }

 private:
  // The first place that holds the file, or "".
  std::string locate(const std::string& name, std::string* why);

  std::string dir_, overlay_;
  std::vector<std::string> files_read_;
  JsonFacts config_;
};

}  // namespace fineprint::models
