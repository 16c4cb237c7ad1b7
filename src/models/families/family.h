// A family of models: how its folders are told apart from others and read.
#pragma once

#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// To add one, write NAME.cpp beside this file with `Family NAME_family()`; CMake lists it.
struct Family {
  std::string name;
  std::vector<std::string> architectures;  // as config.json calls its folders
  // Fills what the folder's files say; dir, name, family, adapter and files are filled already or
  // later. Throws Error(model) naming the file and the key that is missing, absurd or unsupported.
  ModelSpec (*read)(FolderReader& folder);
};

}  // namespace fineprint::models
