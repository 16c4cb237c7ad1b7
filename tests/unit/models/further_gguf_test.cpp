// GGUF files of LFM2 and of Qwen3.5's mixtures of experts with one thing wrong: each is refused
// with what is wrong named.
#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

#include "support/gguf_file.h"
#include "support/has.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::has;
using testing::little;
using testing::model_error;
using testing::TempDir;

// A case's file, which can be changed.
class ChangedFile {
 public:
  explicit ChangedFile(const std::string& name)
      : bytes_(read_file(FINEPRINT_TEST_DATA "/" + name + "/model.gguf")) {}

  // Sets a number of 32 bits that begins `skipped` bytes after the type of the key's value.
  ChangedFile& set(const std::string& key, std::uint32_t value, std::size_t skipped = 0) {
    const std::size_t at = place_of(key) + key.size() + 4 + skipped;
    bytes_.replace(at, 4, little(value, 4));
    return *this;
  }
  // Takes a key or a tensor away by giving it a name that nobody asks for.
  ChangedFile& hide(const std::string& name) {
    bytes_[place_of(name) + name.size() - 1] = '~';
    return *this;
  }
  std::string error() const {
    const TempDir dir;
    const std::string path = dir.write("model.gguf", bytes_);
    return model_error([&] { Checkpoint(read_model(path)).check_finite(1); });
  }

 private:
  std::size_t place_of(const std::string& name) const {
    const std::size_t at = bytes_.find(testing::gguf_text(name));
    EXPECT_NE(at, std::string::npos) << name;
    return at + 8;
  }

  std::string bytes_;
};

void expect_told(const std::vector<std::pair<std::string, const char*>>& errors) {
  for (const auto& [error, told] : errors) {
    EXPECT_TRUE(has(error, "model.gguf") && has(error, told)) << told << ": " << error;
  }
}

TEST(Lfm2Gguf, FalseValuesAreNamed) {
  const auto file = [] { return ChangedFile("lfm2_gguf"); };
  const std::string heads = "lfm2.attention.head_count_kv";
  constexpr std::size_t kThird = 12 + 2 * 4;  // after the list's type and length
  EXPECT_EQ(file().error(), "no error");
  expect_told({
      {file().hide(heads).error(), "head_count_kv"},
      {file().set(heads, 0, kThird).error(), "lists no layer with attention"},
      {file().set(heads, 3, kThird).error(), "num_key_value_heads"},
      {file().set(heads, 4, kThird).error(), "shape"},
      {file().set(heads, 1, kThird - 4).error(), "must have the same number"},
      {file().set(heads, 2, kThird - 4).error(), "missing"},
      {file().set(heads, 0xFFFFFFFF, kThird).error(), "head_count_kv"},
      {file().set("lfm2.shortconv.l_cache", 0).error(), "conv_L_cache"},
      {file().set("lfm2.shortconv.l_cache", 3).error(), "shape"},
      {file().hide("lfm2.shortconv.l_cache").error(), "l_cache"},
      {file().hide("blk.0.shortconv.conv.weight").error(), "conv.conv.weight"},
      {file().hide("blk.1.shortconv.in_proj.bias").error(), "in_proj.bias"},
      {file().hide("token_embd_norm.weight").error(), "norm.weight"},
  });
}

TEST(Qwen35MoeGguf, FalseValuesAreNamed) {
  const auto file = [] { return ChangedFile("qwen35moe_gguf"); };
  EXPECT_EQ(file().error(), "no error");
  expect_told({
      {file().set("qwen35moe.expert_count", 0).error(), "num_experts"},
      {file().set("qwen35moe.expert_count", 4).error(), "ffn_gate_inp"},
      {file().set("qwen35moe.expert_used_count", 6).error(), "more than the 5 experts"},
      {file().set("qwen35moe.expert_feed_forward_length", 8).error(), "shape"},
      {file().set("qwen35moe.expert_shared_feed_forward_length", 8).error(), "shape"},
      {file().set("qwen35moe.expert_shared_feed_forward_length", 0).error(),
       "shared_expert_intermediate_size"},
      {file().hide("qwen35moe.expert_shared_feed_forward_length").error(),
       "expert_shared_feed_forward_length"},
      {file().hide("blk.0.ffn_gate_inp_shexp.weight").error(), "shared_expert_gate"},
      {file().hide("blk.3.ffn_down_shexp.weight").error(), "shared_expert.down_proj"},
      {file().hide("blk.2.ffn_up_exps.weight").error(), "experts.0.up_proj"},
  });
}

}  // namespace
}  // namespace fineprint::models
