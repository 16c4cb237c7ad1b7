// Towers of Qwen2-VL and Qwen2.5-VL in GGUF files: what they say, and false values that are
// refused.
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

// A case's two files, of which the second can be changed.
class SeeingPair {
 public:
  explicit SeeingPair(const std::string& name)
      : model_(read_file(FINEPRINT_TEST_DATA "/" + name + "/model.gguf")),
        tower_(read_file(FINEPRINT_TEST_DATA "/" + name + "/mmproj-model.gguf")) {}

  // Sets a number of 32 bits, or another value whose bytes are given.
  SeeingPair& set(const std::string& key, const std::string& bytes) {
    const std::size_t at = tower_.find(testing::gguf_text(key));
    EXPECT_NE(at, std::string::npos) << key;
    tower_.replace(at + 8 + key.size() + 4, bytes.size(), bytes);
    return *this;
  }
  SeeingPair& set(const std::string& key, std::uint32_t value) {
    return set(key, little(value, 4));
  }
  // Takes a key away by giving it a name that nobody asks for, or renames a tensor.
  SeeingPair& hide(const std::string& name) {
    const std::size_t at = tower_.find(testing::gguf_text(name));
    EXPECT_NE(at, std::string::npos) << name;
    tower_[at + 8 + name.size() - 1] = '~';
    return *this;
  }

  std::string error() const {
    const TempDir dir;
    const std::string path = dir.write("model.gguf", model_);
    dir.write("mmproj.gguf", tower_);
    return model_error([&] { Checkpoint(read_model(path)).check_finite(1); });
  }

 private:
  std::string model_, tower_;
};

TEST(Qwen2Projector, SaysWhatAFolderSays) {
  const std::string data = FINEPRINT_TEST_DATA;
  const ModelSpec spec = read_model(data + "/qwen2vl_gguf/model.gguf");
  EXPECT_EQ(spec.family, "qwen2_vl");
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_EQ(tower.hidden, 32);
  EXPECT_EQ(tower.intermediate,
            128);  // of the matrix: the file's number is the other model's width
  EXPECT_TRUE(tower.qkv_apart && tower.frames_apart && !tower.gated);
  EXPECT_EQ(tower.window, 0);
  EXPECT_EQ(std::get<Decoder>(spec.trunk).rope.sections, (std::vector<int>{2, 3, 3}));
  const auto& processor = std::get<preprocess::PatchProcessor>(spec.processor);
  EXPECT_EQ(processor.min_pixels, 3136);
  EXPECT_EQ(processor.max_pixels, 12 * 784);
  const ModelSpec later = read_model(data + "/qwen25vl_gguf/model.gguf");
  EXPECT_EQ(later.family, "qwen2_5_vl");
  const auto& windowed = std::get<NativeTower>(later.tower);
  EXPECT_EQ(windowed.window, 112);
  EXPECT_EQ(windowed.full_attention_layers, (std::vector<int>{1}));
  EXPECT_TRUE(windowed.gated);
}

TEST(Qwen2Projector, WithoutItTheModelReadsTexts) {
  const TempDir dir;
  const std::string path =
      dir.write("model.gguf", read_file(FINEPRINT_TEST_DATA "/qwen2vl_gguf/model.gguf"));
  const ModelSpec spec = read_model(path);
  EXPECT_EQ(spec.family, "qwen2");
  EXPECT_FALSE(spec.sees());
  EXPECT_NO_THROW(Checkpoint(spec).check_finite(1));
}

TEST(Qwen2Projector, FalseValuesAreNamed) {
  const auto first = [] { return SeeingPair("qwen2vl_gguf"); };
  const auto later = [] { return SeeingPair("qwen25vl_gguf"); };
  EXPECT_EQ(first().error(), "no error");
  EXPECT_EQ(later().error(), "no error");
  const std::pair<std::string, const char*> errors[] = {
      {first().set("clip.vision.block_count", 3).error(), "blocks.2."},
      {first().set("clip.vision.block_count", 1).error(), "belongs to no part"},
      {first().set("clip.vision.block_count", 1 << 20).error(), "depth"},
      {first().set("clip.vision.attention.head_count", 3).error(), "num_heads"},
      {first().set("clip.vision.attention.head_count", 16).error(), "num_heads"},
      {first().set("clip.vision.patch_size", 0).error(), "patch_size"},
      {first().set("clip.vision.patch_size", 7).error(), "shape"},
      {first().hide("clip.vision.image_mean").error(), "image_mean"},
      {first().hide("v.blk.0.ffn_up.weight").error(), "v.blk.0.ffn_up.weight"},
      {first().hide("v.blk.1.attn_k.bias").error(), "attn.k.bias"},
      {first().hide("v.post_ln.weight").error(), "ln_q.weight"},
      {later().set("clip.vision.n_wa_pattern", 0).error(), "n_wa_pattern"},
      {later().hide("clip.vision.n_wa_pattern").error(), "n_wa_pattern"},
      {later().set("clip.use_silu", std::string(1, '\0')).error(), "use_silu"},
      {later().set("clip.vision.feed_forward_length", 61).error(), "shape"},
      {later().hide("v.patch_embd.weight.1").error(), "weight.1"},
  };
  for (const auto& [error, told] : errors) EXPECT_TRUE(has(error, told)) << told << ": " << error;
}

}  // namespace
}  // namespace fineprint::models
