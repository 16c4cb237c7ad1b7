// A family of models: how its folders are recognised and read.
#pragma once

#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// To add a family, write NAME.cpp in this folder with `Family NAME_family()`; CMake lists it.
struct Family {
  std::string name;
  std::vector<std::string> architectures;  // names in config.json that belong to it
  // Fills in what the folder's files say; dir, name, family, adapter and files are set elsewhere.
  // Throws Error(model) that names the file and the key that is missing, absurd or unsupported.
  ModelSpec (*read)(FolderReader& folder);
};

// Returns all families that read_model() knows.
const std::vector<Family>& families();

}  // namespace fineprint::models
