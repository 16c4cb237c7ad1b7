// A copy of a reference case's model folder in a temporary folder, to be damaged by a test.
#pragma once

#include <filesystem>
#include <string>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/temp_dir.h"

namespace fineprint::testing {

class CaseFolder {
 public:
  explicit CaseFolder(const std::string& name) {
    std::filesystem::copy(std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model", path(),
                          std::filesystem::copy_options::recursive);
  }

  const std::string& root() const { return dir_.path(); }
  std::string path() const { return dir_.file("model"); }
  std::string file(const std::string& name) const { return path() + "/" + name; }
  void write(const std::string& name, std::string_view bytes) const {
    dir_.write("model/" + name, bytes);
  }
  void remove(const std::string& name) const { std::filesystem::remove(file(name)); }
  Json json(const std::string& name) const { return parse_json(read_file(file(name)), name); }
  // Sets the value at a pointer such as "/vision_config/depth".
  void set(const std::string& name, const std::string& pointer, const Json& value) const {
    Json document = json(name);
    document[Json::json_pointer(pointer)] = value;
    write(name, document.dump());
  }
  void erase(const std::string& name, const std::string& pointer) const {
    Json document = json(name);
    const Json::json_pointer place(pointer);
    document[place.parent_pointer()].erase(place.back());
    write(name, document.dump());
  }

 private:
  TempDir dir_;
};

}  // namespace fineprint::testing
