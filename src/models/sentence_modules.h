// The list of modules that Sentence Transformers writes into a folder.
#pragma once

#include <string>
#include <vector>

#include "models/json_facts.h"

namespace fineprint::models {

// A module: its class, the last name of the class, and its folder within the model's ("" for the
// model's own).
struct Module {
  std::string type, kind, path;
};

// Returns the modules of modules.json, in order. Throws Error(model) if the file is no such list,
// or if a path leads out of the folder.
std::vector<Module> read_modules(const JsonFacts& modules);

// Returns the module of a class and a folder. Throws as read_modules does.
Module module_of(const JsonFacts& facts, const std::string& type, const std::string& path);

}  // namespace fineprint::models
