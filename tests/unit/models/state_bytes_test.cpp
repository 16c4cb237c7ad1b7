// Tests of what a kept state takes, in the sizes of published models: the table in
// src/models/README.md.
#include "fineprint/models/state_bytes.h"

#include <gtest/gtest.h>

#include "support/case_folder.h"

namespace fineprint::models {
namespace {

using fineprint::testing::CaseFolder;

struct Sizes {
  const char* folder;  // a case of the family
  int layers, heads, kv_heads, head_dim, window;
};

// What a state takes with 2 bytes a number.
std::int64_t bytes_of(const Sizes& sizes, std::int64_t tokens) {
  const CaseFolder folder(sizes.folder);
  const std::string file = "config.json";
  folder.set(file, "/num_hidden_layers", sizes.layers);
  folder.set(file, "/num_attention_heads", sizes.heads);
  folder.set(file, "/num_key_value_heads", sizes.kv_heads);
  folder.set(file, "/head_dim", sizes.head_dim);
  folder.set(file, "/hidden_size", sizes.heads * sizes.head_dim);
  if (sizes.window > 0) {
    folder.set(file, "/sliding_window", sizes.window);
    folder.set(file, "/sliding_window_pattern", 6);
  }
  if (std::string(sizes.folder) == "qwen35_a") {
    folder.set(file, "/layer_types", nullptr);
    folder.set(file, "/linear_num_key_heads", 16);
    folder.set(file, "/linear_num_value_heads", 32);
    folder.set(file, "/linear_key_head_dim", 128);
    folder.set(file, "/linear_value_head_dim", 128);
  }
  const ModelSpec spec = read_model(folder.path());
  return state_bytes(std::get<Decoder>(spec.trunk), tokens, 2);
}

TEST(StateBytes, OfPublishedModels) {
  const Sizes llama{"llama_a", 16, 32, 8, 64, 0};  // Llama 3.2 1B
  EXPECT_EQ(bytes_of(llama, 1000), 32'768'000);
  const Sizes qwen3{"qwen3_a", 36, 32, 8, 128, 0};  // Qwen3 4B
  EXPECT_EQ(bytes_of(qwen3, 1000), 147'456'000);
  // Of the windows' layers no more than what is still seen.
  const Sizes gemma_1b{"gemma3_a", 26, 4, 1, 256, 512};
  EXPECT_EQ(bytes_of(gemma_1b, 1000), 4'096'000 + 22 * 511 * 1024);
  EXPECT_EQ(bytes_of(gemma_1b, 2000) - bytes_of(gemma_1b, 1000), 4'096'000);
  const Sizes gemma_4b{"gemma3_a", 34, 8, 4, 256, 1024};
  EXPECT_EQ(bytes_of(gemma_4b, 1000), 139'264'000);
  EXPECT_EQ(bytes_of(gemma_4b, 10'000) - bytes_of(gemma_4b, 9'000), 20'480'000);
  // 24 layers with matrices of 2 MiB, whatever the number of tokens.
  const Sizes qwen35{"qwen35_a", 32, 16, 4, 256, 0};  // Qwen3.5 9B
  EXPECT_EQ(bytes_of(qwen35, 0), 51'511'296);
  EXPECT_EQ(bytes_of(qwen35, 1000), 51'511'296 + 32'768'000);
}

}  // namespace
}  // namespace fineprint::models
