// Models that see are two GGUF files: the language model, and beside it one with tower and
// connector ("mmproj", architecture "clip"). Which two belong together, and what the second says.
#pragma once

#include <map>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// Whether a file's name is that of a projector: it holds "mmproj", in any case.
bool is_projector_name(const std::string& file_name);

// "TEXT.gguf+MMPROJ.gguf" names both files; else `projector` is empty.
struct GgufPair {
  std::string text, projector;
};
GgufPair split_pair(const std::string& spec);

struct FoundProjector {
  std::string path;         // "": there is none
  std::string why_none;     // for people, when there is none
  bool unreadable = false;  // because a file beside the model cannot be read
};

// The projector in the model's folder that belongs to it: of a type that goes with the model's
// architecture, and as wide as its embeddings. Throws Error(model) when several do, naming them. A
// file that cannot be read counts as none.
FoundProjector find_projector(const tensorfile::GgufReader& model);

// Adds what the projector says to the files that `folder_files` made of the language model:
// config.json becomes that of the whole, preprocessor_config.json is added. Throws Error(model) for
// a file that is no projector, or does not belong to the model.
void add_projector(const tensorfile::GgufReader& model, const tensorfile::GgufReader& projector,
                   std::map<std::string, Json>* files);

// The names that a projector's tensors have in folders of safetensors, by their own; those that
// have none keep theirs.
std::map<std::string, std::string> projector_names(const tensorfile::GgufReader& projector);

}  // namespace fineprint::models
