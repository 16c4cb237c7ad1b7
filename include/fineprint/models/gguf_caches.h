// Finds GGUF files that other programs have downloaded, by the names that these programs use.
#pragma once

#include <string>
#include <vector>

namespace fineprint::models {

// Folders of other programs. The caller reads the environment; empty ones are skipped.
struct GgufPlaces {
  std::string llama_cpp = {};  // $LLAMA_CACHE or ~/.cache/llama.cpp: files
  std::string ollama = {};     // $OLLAMA_MODELS or ~/.ollama/models: manifests and blobs
  std::string lm_studio = {};  // ~/.lmstudio/models: publisher/model/files
  std::string hub = {};        // the Hugging Face cache: models--org--name/snapshots/REVISION/files
};

// A GGUF file found in one of them.
struct CachedGguf {
  std::string program;  // "llama.cpp", "Ollama", "LM Studio", "Hugging Face"
  std::string name;     // "smollm2:135m" (Ollama), else the file name without extension
  std::string path;
};

// Returns the language models, in the order of GgufPlaces, then by name. Skips files that cannot be
// read, because other programs own these folders.
std::vector<CachedGguf> cached_ggufs(const GgufPlaces& places);

// Returns org/name of each model in the Hugging Face cache, folders and files alike, by name.
std::vector<std::string> cached_repositories(const std::string& hub_cache);

// Returns what `find_model` finds for `spec`, else the one file of this name in `places`. Case does
// not matter, and "smollm2" means Ollama's "smollm2:latest". Throws Error(model) that lists all
// matches if there are several. If there is none, throws what `find_model` throws, with the names
// that exist.
std::string find_generator(const std::string& spec, const std::string& hub_cache,
                           const GgufPlaces& places);

}  // namespace fineprint::models
