// GGUF files in the folders of other programs, found by name.
#include "fineprint/models/gguf_caches.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"

#include "support/gguf_file.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::model_error;

const std::string kDigits(64, 'a');

std::string manifest(const std::string& digest) {
  return R"({"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:b"},)"
         R"({"mediaType":"application/vnd.ollama.image.model","digest":")" +
         digest + R"("}]})";
}

struct Caches {
  Caches() {
    const std::string file = testing::GgufFile().bytes();
    put("llama.cpp/Tiny-Q4_K_M.gguf", file);
    put("llama.cpp/mmproj-Tiny.gguf", file);
    put("llama.cpp/list.json", "{}");
    put("llama.cpp/broken.gguf", "GG");
    put("ollama/blobs/sha256-" + kDigits, file);
    put("ollama/manifests/registry.ollama.ai/library/smollm2/latest",
        manifest("sha256:" + kDigits));
    put("ollama/manifests/registry.ollama.ai/someone/own/3b", manifest("sha256:" + kDigits));
    put("ollama/manifests/registry.ollama.ai/library/gone/latest",
        manifest("sha256:" + std::string(64, 'c')));
    put("ollama/manifests/registry.ollama.ai/library/evil/latest",
        manifest("sha256:../../../llama.cpp/Tiny-Q4_K_M.gguf"));
    put("ollama/manifests/registry.ollama.ai/library/odd/latest", "no JSON");
    put("ollama/manifests/registry.ollama.ai/library/list/latest", R"({"layers":[7]})");
    put("lm/publisher/model-GGUF/model-Q8_0.gguf", file);
    put("hub/models--org--name/snapshots/0123/name-Q8_0.gguf", file);
    places = {dir.file("llama.cpp"), dir.file("ollama"), dir.file("lm"), dir.file("hub")};
  }
  void put(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(dir.file(name)).parent_path());
    dir.write(name, bytes);
  }
  std::string find(const std::string& spec) const { return find_generator(spec, "", places); }

  testing::TempDir dir;
  GgufPlaces places;
};

TEST(GgufCaches, EveryProgramsFilesAreFound) {
  const Caches caches;
  std::vector<std::string> names;
  for (const CachedGguf& file : cached_ggufs(caches.places)) {
    names.push_back(file.program + " " + file.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"llama.cpp Tiny-Q4_K_M", "Ollama smollm2:latest",
                                             "Ollama someone/own:3b", "LM Studio model-Q8_0",
                                             "Hugging Face name-Q8_0"}));
  EXPECT_TRUE(cached_ggufs({}).empty());
  EXPECT_TRUE(cached_ggufs({.llama_cpp = caches.dir.file("nowhere")}).empty());
}

TEST(GgufCaches, NamesStandForFiles) {
  const Caches caches;
  EXPECT_EQ(caches.find("tiny-q4_k_m"), caches.dir.file("llama.cpp/Tiny-Q4_K_M.gguf"));
  const std::string blob = caches.dir.file("ollama/blobs/sha256-" + kDigits);
  EXPECT_EQ(caches.find("smollm2"), blob);
  EXPECT_EQ(caches.find("smollm2:latest"), blob);
  EXPECT_EQ(caches.find("someone/own:3b"), blob);
  const std::string path = caches.dir.file("lm/publisher/model-GGUF/model-Q8_0.gguf");
  EXPECT_EQ(caches.find(path), path);
}

TEST(GgufCaches, WhatIsThereIsNamed) {
  const Caches caches;
  const std::string none = model_error([&] { caches.find("smollm3"); });
  EXPECT_TRUE(none.starts_with("smollm3: there is no such folder")) << none;
  EXPECT_NE(none.find("; smollm2:latest (Ollama, "), std::string::npos) << none;
  caches.put("lm/other/model-Q8_0.gguf", testing::GgufFile().bytes());
  const std::string several = model_error([&] { caches.find("model-Q8_0"); });
  EXPECT_TRUE(several.starts_with("model-Q8_0: several files have this name")) << several;
  // A folder that is there is the one that is meant.
  const std::string folder = model_error([&] { caches.find(caches.dir.file("ollama")); });
  EXPECT_NE(folder.find("not a model folder"), std::string::npos) << folder;
}

}  // namespace
}  // namespace fineprint::models
