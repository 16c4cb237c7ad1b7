// Models of two GGUF files: which belong together, what the second says, and what is refused.
#include "models/gguf/projector.h"

#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"

#include "support/gguf_file.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::GgufFile;
using testing::model_error;
using testing::TempDir;

const std::string kCase = FINEPRINT_TEST_DATA "/smolvlm_gguf";
const std::string kGemmaCase = FINEPRINT_TEST_DATA "/gemma3_seeing_gguf";

// A tower of one layer: tiles of 4 pixels, patches of 2, all of a tile one token; for a language
// model as wide as the case's.
struct TinyClip {
  std::string architecture = "clip", type = "idefics3";
  std::uint32_t projection = 32, blocks = 1, scale = 2, image = 4;
  bool early_names = false, says_longest_edge = true, gelu = true, vision = true;
  std::function<void(GgufFile*)> more = {};

  std::string bytes() const {
    GgufFile file;
    file.text("general.architecture", architecture);
    file.flag("clip.has_vision_encoder", vision);
    file.flag("clip.use_gelu", gelu);
    if (!type.empty()) file.text("clip.projector_type", type);
    for (const auto& [name, value] : {std::pair{"projection_dim", projection},
                                      {"image_size", image},
                                      {"patch_size", 2U},
                                      {"embedding_length", 4U},
                                      {"feed_forward_length", 6U},
                                      {"block_count", blocks},
                                      {"attention.head_count", 2U},
                                      {"projector.scale_factor", scale}}) {
      file.u32("clip.vision." + std::string(name), value);
    }
    if (says_longest_edge) file.u32("clip.vision.preproc_image_size", 12);
    file.f32("clip.vision.attention.layer_norm_epsilon", 1e-6F);
    file.f32s("clip.vision.image_mean", {0.5F, 0.5F, 0.5F});
    file.f32s("clip.vision.image_std", {0.5F, 0.5F, 0.5F});
    add_tensors(&file);
    if (more) more(&file);
    return file.bytes();
  }

  static void zeros(GgufFile* file, const std::string& name,
                    const std::vector<std::uint64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    file->tensor(name, shape, 0, std::string(4 * count, '\0'));
  }

  void add_tensors(GgufFile* file) const {
    zeros(file, "v.patch_embd.weight", {2, 2, 3, 4});
    zeros(file, "v.patch_embd.bias", {4});
    zeros(file, "v.position_embd.weight", {4, 4});
    for (const std::string name : {"attn_q", "attn_k", "attn_v", "attn_out"}) {
      zeros(file, "v.blk.0." + name + ".weight", {4, 4});
      zeros(file, "v.blk.0." + name + ".bias", {4});
    }
    for (const std::string name : {"v.blk.0.ln1", "v.blk.0.ln2", "v.post_ln"}) {
      zeros(file, name + ".weight", {4});
      zeros(file, name + ".bias", {4});
    }
    const std::string up = early_names ? "ffn_down" : "ffn_up";
    const std::string down = early_names ? "ffn_up" : "ffn_down";
    zeros(file, "v.blk.0." + up + ".weight", {4, 6});
    zeros(file, "v.blk.0." + up + ".bias", {6});
    zeros(file, "v.blk.0." + down + ".weight", {6, 4});
    zeros(file, "v.blk.0." + down + ".bias", {4});
    zeros(file, "mm.model.fc.weight", {16, 32});
  }
};

// The case's language model in a folder of its own.
class Pair {
 public:
  Pair() { std::filesystem::copy_file(kCase + "/model.gguf", text()); }
  std::string text() const { return dir_.file("model.gguf"); }
  std::string add(const std::string& name, const TinyClip& clip) const {
    return dir_.write(name, clip.bytes());
  }
  const TempDir& dir() const { return dir_; }

  // What reading the pair says, the folder's name cut away.
  std::string error(const std::string& spec) const {
    std::string message = model_error([&] { Checkpoint{read_model(spec)}; });
    for (std::size_t at; (at = message.find(dir_.path())) != std::string::npos;) {
      message.replace(at, dir_.path().size() + 1, "");
    }
    return message;
  }
  std::string error() const { return error(text()); }

 private:
  TempDir dir_;
};

TEST(Projector, BesideTheModelMakesItSee) {
  const ModelSpec spec = read_model(kCase + "/model.gguf");
  EXPECT_EQ(spec.family, "idefics3");
  EXPECT_EQ(spec.name, "model");
  EXPECT_EQ(spec.projector, kCase + "/mmproj-model.gguf");
  EXPECT_EQ(spec.blind, "");
  const auto& tower = std::get<FixedTower>(spec.tower);
  EXPECT_EQ(tower.layers, 2);
  EXPECT_EQ(tower.hidden, 48);
  EXPECT_EQ(tower.image_size, 26);
  EXPECT_EQ(tower.patch, 4);
  EXPECT_EQ(tower.norm_eps, 1e-6);
  EXPECT_TRUE(tower.bucketed_positions);
  EXPECT_EQ(std::get<ShuffleConnector>(spec.connector).merge, 2);
  const auto& processor = std::get<preprocess::SplitProcessor>(spec.processor);
  EXPECT_EQ(processor.tile, 26);
  EXPECT_EQ(processor.longest_edge, 78);
  EXPECT_EQ(processor.tile_tokens, 9);
  EXPECT_FLOAT_EQ(processor.norm.mean[2], 0.5F);
  EXPECT_EQ(spec.prompt.image_token, 923);
  EXPECT_EQ(spec.prompt.chat.begin, "<|im_start|>");
  const Checkpoint checkpoint(spec);
  EXPECT_EQ(checkpoint.at("tower", "encoder.layers.1.mlp.fc1.weight").view->name,
            "v.blk.1.ffn_up.weight");
  EXPECT_EQ(checkpoint.at("connector", "proj.weight").view->name, "mm.model.fc.weight");
  EXPECT_EQ(checkpoint.at("trunk", "layers.0.self_attn.q_proj.weight").interleaved_heads, 4);
  const ModelFacts facts = describe_model(spec, checkpoint);
  EXPECT_TRUE(facts.sees);
  EXPECT_EQ(facts.projector, spec.projector);
  // An A4 page: three rows of three tiles and the whole, each with two marks; one more, and rows'
  // ends.
  EXPECT_EQ(facts.page_tokens, 10 * 9 + 10 * 2 + 1 + 3);
}

TEST(Projector, TheHashKnowsIt) {
  const Pair pair;
  pair.add("mmproj-a.gguf", {});
  const std::string hash = Checkpoint(read_model(pair.text())).hash();
  pair.add("mmproj-a.gguf", {.says_longest_edge = false});
  EXPECT_NE(Checkpoint(read_model(pair.text())).hash(), hash);
}

TEST(Projector, NoneLeavesAModelOfTexts) {
  const Pair pair;
  const ModelSpec spec = read_model(pair.text());
  EXPECT_EQ(spec.family, "llama");
  EXPECT_FALSE(spec.sees());
  EXPECT_EQ(spec.blind, format("there is no mmproj-*.gguf next to {}; a model that takes images "
                               "needs one",
                               pair.text()));
}

TEST(Projector, ThatBelongsToAnotherModelIsLeftAlone) {
  const Pair pair;
  const auto blind_with = [&](const TinyClip& clip) {
    const std::string path = pair.add("x-MMPROJ-f16.gguf", clip);
    const ModelSpec spec = read_model(pair.text());
    EXPECT_EQ(spec.family, "llama");
    return spec.blind.starts_with(path) ? spec.blind.substr(path.size() + 1) : spec.blind;
  };
  EXPECT_EQ(blind_with({.projection = 33}),
            "makes features of width 33, but the model's embeddings have width 32");
  EXPECT_TRUE(
      blind_with({.type = "resampler"})
          .starts_with(
              "has a projector of type \"resampler\"; supported types are "
              "gemma3, idefics3, lfm2, pixtral, qwen2.5vl_merger, qwen2vl_merger, qwen3vl_merger"));
  EXPECT_EQ(blind_with({.architecture = "llama"}), "contains no vision tower");
  EXPECT_EQ(blind_with({.vision = false}), "contains no vision tower");
  // Asked for by name it is an error.
  pair.add("x-MMPROJ-f16.gguf", {.projection = 33});
  EXPECT_EQ(pair.error(pair.text() + "+" + pair.dir().file("x-MMPROJ-f16.gguf")),
            "model.gguf: x-MMPROJ-f16.gguf makes features of width 33, but the model's embeddings "
            "have width 32");
}

TEST(Projector, OfSeveralThatFitOneIsToBeNamed) {
  const Pair pair;
  const std::string first = pair.add("mmproj-f16.gguf", {});
  const std::string second = pair.add("mmproj-f32.gguf", {.says_longest_edge = false});
  EXPECT_EQ(pair.error(),
            "model.gguf: several files next to it could be its vision tower: mmproj-f16.gguf, "
            "mmproj-f32.gguf; name one as model.gguf+mmproj-f16.gguf");
  const std::string spec = pair.text() + "+" + second;
  EXPECT_EQ(find_model(spec), spec);
  const ModelSpec model = read_model(spec);
  EXPECT_EQ(model.projector, second);
  // Without the key, four tiles a line.
  EXPECT_EQ(std::get<preprocess::SplitProcessor>(model.processor).longest_edge, 16);
  EXPECT_EQ(find_model(pair.dir().path()), pair.text());
  EXPECT_EQ(model_error([&] { find_model(pair.text() + "+" + pair.dir().file("none.gguf")); }),
            pair.dir().file("none.gguf") + ": there is no such GGUF file; check the path");
}

TEST(Projector, EarlyNamesOfTheFeedForwardAreKnown) {
  const Pair pair;
  pair.add("mmproj.gguf", {.early_names = true});
  const Checkpoint checkpoint(read_model(pair.text()));
  EXPECT_EQ(checkpoint.at("tower", "encoder.layers.0.mlp.fc1.weight").view->name,
            "v.blk.0.ffn_down.weight");
  EXPECT_EQ(checkpoint.at("tower", "encoder.layers.0.mlp.fc2.bias").view->name,
            "v.blk.0.ffn_up.bias");
}

// As llama.cpp's converter writes Gemma 3: norms of its own with the 1 added.
TEST(Projector, OfGemma3PoolsPatches) {
  const ModelSpec spec = read_model(kGemmaCase + "/model.gguf");
  EXPECT_EQ(spec.family, "gemma3");
  const auto& connector = std::get<PoolConnector>(spec.connector);
  EXPECT_EQ(connector.pool, 2);
  EXPECT_FALSE(connector.norm_plus_one);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_TRUE(decoder.images_bidirectional);
  EXPECT_FALSE(decoder.norm_plus_one);
  const auto& processor = std::get<preprocess::SquareProcessor>(spec.processor);
  EXPECT_EQ(processor.tokens, 16);
  EXPECT_TRUE(processor.bilinear);
  EXPECT_EQ(spec.prompt.image_marker, "<image_soft_token>");
  EXPECT_EQ(spec.prompt.image_token, 1310);
  const Checkpoint checkpoint(spec);
  EXPECT_EQ(checkpoint.at("connector", "mm_input_projection_weight").view->name,
            "mm.input_projection.weight");
}

// Files of early converters end their vocabulary before the token that images stand as.
TEST(Projector, OfGemma3MarksImagesWithAnotherTokenWhereItsOwnIsMissing) {
  const TempDir dir;
  std::filesystem::copy_file(kGemmaCase + "/mmproj-model.gguf", dir.file("mmproj-model.gguf"));
  const std::string whole = read_file(kGemmaCase + "/model.gguf");
  const auto renamed = [&](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::string without = renamed(whole, "<image_soft_token>", "<image_lost_token>");
  dir.write("model.gguf", renamed(without, "<loc0003>", "<unused0>"));
  const ModelSpec spec = read_model(dir.file("model.gguf"));
  EXPECT_EQ(spec.prompt.image_marker, "<unused0>");
  EXPECT_EQ(load_tokenizer(spec.tokenizer_path)->encode("<unused0>", false).front().id,
            spec.prompt.image_token);
  dir.write("model.gguf", without);
  EXPECT_NE(model_error([&] {
              read_model(dir.file("model.gguf"));
            }).find("tokenizer.ggml.tokens has neither <image_soft_token> nor <unused0>"),
            std::string::npos);
}

TEST(Projector, WhatIsWrongIsNamed) {
  const Pair pair;
  const auto error_with = [&](const TinyClip& clip) {
    return pair.error(pair.text() + "+" + pair.add("mmproj.gguf", clip));
  };
  EXPECT_EQ(error_with({}), "no error");
  EXPECT_EQ(error_with({.type = ""}), "mmproj.gguf: clip.projector_type is missing");
  EXPECT_TRUE(error_with({.gelu = false}).starts_with("mmproj.gguf: clip.use_gelu is not true"));
  EXPECT_EQ(error_with({.scale = 3}),
            "model.gguf: \"scale_factor\" is 3, which does not divide the 2 patches of a tile's "
            "side");
  EXPECT_NE(error_with({.blocks = 2}).find("is missing"), std::string::npos);
  EXPECT_NE(error_with({.blocks = 1U << 31}).find("num_hidden_layers"), std::string::npos);
  EXPECT_NE(error_with({.image = 1U << 31}).find("image_size"), std::string::npos);
  EXPECT_NE(error_with({.image = 0}).find("image_size"), std::string::npos);
  EXPECT_NE(error_with({.more = [](GgufFile* f) { TinyClip::zeros(f, "v.blk.0.x", {1}); }})
                .find("belongs to no part"),
            std::string::npos);
}

TEST(Projector, ThatCannotBeReadLeavesAModelOfTexts) {
  const Pair pair;
  const std::string eyes = pair.dir().file("mmproj.gguf"), named = pair.text() + "+" + eyes;
  for (const std::string& bytes : {TinyClip().bytes().substr(0, 700), TinyClip{.type = ""}.bytes(),
                                   std::string("no such file")}) {
    pair.dir().write("mmproj.gguf", bytes);
    const ModelSpec spec = read_model(pair.text());
    EXPECT_FALSE(spec.sees());
    EXPECT_TRUE(spec.projector_unreadable);
    EXPECT_TRUE(spec.blind.starts_with(eyes)) << spec.blind;
    EXPECT_NE(pair.error(named), "no error");
  }
  // Another one that fits is taken.
  pair.add("mmproj-whole.gguf", {});
  EXPECT_TRUE(read_model(pair.text()).sees());
  EXPECT_FALSE(read_model(pair.text()).projector_unreadable);
}

}  // namespace
}  // namespace fineprint::models
