// GGUF files that other programs have downloaded, by the names that these give them.
#pragma once

#include <string>
#include <vector>

namespace fineprint::models {

// Folders of other programs, read from the environment by the caller; empty ones are left out.
struct GgufPlaces {
  std::string llama_cpp = {};  // $LLAMA_CACHE or ~/.cache/llama.cpp: files
  std::string ollama = {};     // $OLLAMA_MODELS or ~/.ollama/models: manifests and blobs
  std::string lm_studio = {};  // ~/.lmstudio/models: publisher/model/files
  std::string hub = {};        // the Hugging Face cache: models--org--name/snapshots/REVISION/files
};

struct CachedGguf {
  std::string program;  // "llama.cpp", "Ollama", "LM Studio", "Hugging Face"
  std::string name;     // "smollm2:135m" (Ollama), or the file's name without its ending
  std::string path;
};

// Language models only, in the order of GgufPlaces, then by name. What cannot be read is left out:
// these are folders of others.
std::vector<CachedGguf> cached_ggufs(const GgufPlaces& places);

// org/name of each model in the Hugging Face cache, folders and files alike, by name.
std::vector<std::string> cached_repositories(const std::string& hub_cache);

// What `find_model` finds; else the one file that has this name in `places`, upper or lower case
// ("smollm2" is Ollama's "smollm2:latest"). Throws Error(model) naming all that have it when there
// are several, and what `find_model` throws, with the names that are there, when there is none.
std::string find_generator(const std::string& spec, const std::string& hub_cache,
                           const GgufPlaces& places);

}  // namespace fineprint::models
