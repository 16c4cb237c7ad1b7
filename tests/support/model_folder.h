// A copy of the small BERT of tests/data in a temporary folder, to be damaged by a test.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::testing {

class ModelFolder {
 public:
  ModelFolder() {
    std::filesystem::copy(FINEPRINT_TEST_DATA "/bert_mean_a/model", path(),
                          std::filesystem::copy_options::recursive);
  }

  std::string path() const { return dir_.file("model"); }
  std::string file(const std::string& name) const { return path() + "/" + name; }
  void write(const std::string& name, std::string_view bytes) const {
    dir_.write("model/" + name, bytes);
  }
  void remove(const std::string& name) const { std::filesystem::remove(file(name)); }
  // Replaces the first occurrence of `from`, which must be there.
  void replace(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(file(name));
    text.replace(text.find(from), from.size(), to);
    write(name, text);
  }

 private:
  TempDir dir_;
};

// The message of the Error(model) that `call` throws; says what went wrong when it throws none.
inline std::string model_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == ErrorCode::model ? error.what()
                                            : "wrong code: " + std::string(code_name(error.code()));
  }
  return "no error";
}

}  // namespace fineprint::testing
