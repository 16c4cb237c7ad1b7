// A model that takes images is two GGUF files: the language model, and one with tower and connector
// ("mmproj", architecture "clip"). This finds the second file and reads it.
#pragma once

#include <map>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// Returns true if a file name is that of a projector: it contains "mmproj", in any case.
bool is_projector_name(const std::string& file_name);

// The two files of "TEXT.gguf+MMPROJ.gguf"; `projector` is empty if only one is named.
struct GgufPair {
  std::string text, projector;
};
GgufPair split_pair(const std::string& spec);

// A projector, or why there is none.
struct FoundProjector {
  std::string path;         // "": there is none
  std::string why_none;     // for people, if there is none
  bool unreadable = false;  // the reason: a file in the model's folder cannot be read
};

// Returns the projector in the model's folder that belongs to it: its type must suit the model's
// architecture, and it must be as wide as the model's embeddings. Throws Error(model) that lists
// all matches if there are several. A file that cannot be read counts as no match.
FoundProjector find_projector(const tensorfile::GgufReader& model);

// Adds the projector's facts to the files that `folder_files` made for the language model:
// config.json becomes that of the complete model, and preprocessor_config.json is added. Throws
// Error(model) if the file is no projector or does not belong to the model.
void add_projector(const tensorfile::GgufReader& model, const tensorfile::GgufReader& projector,
                   std::map<std::string, Json>* files);

// Returns the names of a projector's tensors in folders of safetensors, by their own names. Tensors
// without another name keep theirs.
std::map<std::string, std::string> projector_names(const tensorfile::GgufReader& projector);

}  // namespace fineprint::models
