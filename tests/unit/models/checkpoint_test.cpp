// Tests of matching weights with what a model needs, and of hostile weight files.
#include "fineprint/models/checkpoint.h"

#include <bit>
#include <limits>

#include <gtest/gtest.h>

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"
#include "support/weights.h"

namespace fineprint::models {
namespace {

using fineprint::testing::CaseFolder;
using fineprint::testing::edit_tensors;
using fineprint::testing::filled;
using fineprint::testing::has;
using fineprint::testing::load_tensors;
using fineprint::testing::model_error;
using fineprint::testing::raw_safetensors;
using fineprint::testing::save_tensors;
using fineprint::testing::StoredTensor;
using fineprint::testing::StoredTensors;
using tensorfile::Dtype;

constexpr const char* kWeights = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

std::string opening_error(const CaseFolder& folder) {
  return model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
}

void expect_refused(const CaseFolder& folder, const std::string& first, const std::string& second) {
  const std::string message = opening_error(folder);
  EXPECT_TRUE(has(message, first) && has(message, second)) << message;
}

// Renames every tensor that begins with `from`.
void rename(const CaseFolder& folder, const std::string& from, const std::string& to) {
  edit_tensors(folder.file(kWeights), [&](StoredTensors& tensors) {
    StoredTensors renamed;
    for (auto& [name, tensor] : tensors) {
      const bool hit = name.starts_with(from);
      renamed[hit ? to + name.substr(from.size()) : name] = std::move(tensor);
    }
    tensors = std::move(renamed);
  });
}

TEST(Checkpoint, GivesTensorsByPartAndName) {
  const CaseFolder folder("qwen25vl_a");
  const Checkpoint checkpoint(read_model(folder.path()));
  const Weight& weight = checkpoint.at("trunk", "layers.1.self_attn.q_proj.bias");
  EXPECT_EQ(weight.view->name, "model.layers.1.self_attn.q_proj.bias");
  EXPECT_TRUE(has(weight.file, "model-0000"));
  EXPECT_TRUE(weight.changes.empty());
  EXPECT_EQ(checkpoint.find("trunk", "nothing"), nullptr);
  EXPECT_EQ(checkpoint.find("nothing", "norm.weight"), nullptr);
  EXPECT_THROW(checkpoint.at("trunk", "nothing"), Error);
  EXPECT_GT(checkpoint.parameters("tower"), 0);
  EXPECT_EQ(checkpoint.parameters("nothing"), 0);
}

TEST(Checkpoint, AcceptsEveryPublishedPrefix) {
  // case, prefix in the file, what other writers put there
  const std::array<const char*, 3> layouts[] = {
      {"qwen25vl_b_tied_v5layout", "visual.", "model.visual."},
      {"qwen25vl_b_tied_v5layout", "model.", "model.language_model."},
      {"colqwen2_a", "vlm.model.visual.", "vlm.visual."},
      {"colqwen2_a", "vlm.model.visual.", "visual."},
      {"colqwen2_a", "vlm.model.language_model.", "vlm.model."},
      {"colqwen2_a", "vlm.model.language_model.", "model."},
      {"colqwen2_a", "vlm.model.language_model.", "language_model."},
      {"colqwen2_a", "embedding_proj_layer.", "custom_text_proj."},
      {"colpali_a", "vlm.vision_tower.vision_model.", "vlm.model.vision_tower.vision_model."},
      {"colpali_a", "vlm.vision_tower.vision_model.", "vlm.vision_tower."},
      {"colpali_a", "vlm.vision_tower.vision_model.", "model.vision_tower.vision_model."},
      {"colpali_a", "vlm.multi_modal_projector.", "model.multi_modal_projector."},
      {"colpali_a", "vlm.language_model.model.", "vlm.model.language_model."},
      {"colpali_a", "vlm.language_model.model.", "model.language_model.model."},
      {"colpali_a", "embedding_proj_layer.", "custom_text_proj."},
      {"phi3v_a", "model.vision_embed_tokens.img_processor.vision_model.",
       "model.vision_embed_tokens.img_processor."},
      {"bert_mean_a", "", "bert."},
  };
  for (const auto& [name, from, to] : layouts) {
    const CaseFolder folder(name);
    rename(folder, from, to);
    EXPECT_EQ(opening_error(folder), "no error") << name << ": " << to;
  }
}

TEST(Checkpoint, ReadsEmbeddingsUnderTheirSecondName) {
  const std::string first = "model.embed_tokens.weight";
  const std::string second = "model.vision_embed_tokens.wte.weight";
  const CaseFolder folder("phi3v_a");
  edit_tensors(folder.file(kWeights),
               [&](StoredTensors& tensors) { tensors[second] = tensors[first]; });
  {
    const Checkpoint both(read_model(folder.path()));
    EXPECT_EQ(both.at("trunk", "embed_tokens.weight").view->name, first);
  }
  edit_tensors(folder.file(kWeights), [&](StoredTensors& tensors) { tensors.erase(first); });
  const Checkpoint one(read_model(folder.path()));
  EXPECT_EQ(one.at("trunk", "embed_tokens.weight").view->name, second);
}

TEST(Checkpoint, LeavesATiedHeadThatIsThereAlone) {
  const CaseFolder folder("qwen25vl_b_tied_v5layout");
  edit_tensors(folder.file(kWeights), [&](StoredTensors& tensors) {
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"];
  });
  const Checkpoint checkpoint(read_model(folder.path()));
  EXPECT_EQ(checkpoint.find("head", "lm_head.weight"), nullptr);
}

TEST(Checkpoint, NamesWhatIsMissingSurplusOrMisshapen) {
  const CaseFolder missing("phi3v_a");
  edit_tensors(missing.file(kWeights), [](StoredTensors& tensors) {
    tensors.erase("model.layers.1.self_attn.qkv_proj.weight");
    tensors.erase("model.norm.weight");
  });
  expect_refused(missing, "'model.layers.1.self_attn.qkv_proj.weight' [192, 64] of the trunk",
                 "missing (and 1 more)");

  const CaseFolder surplus("phi3v_a");
  edit_tensors(surplus.file(kWeights), [](StoredTensors& tensors) {
    tensors["model.layers.2.mlp.down_proj.weight"] = filled({64, 128}, 0);
  });
  expect_refused(surplus, "'model.layers.2.mlp.down_proj.weight'", "belongs to no part");

  const CaseFolder misshapen("phi3v_a");
  edit_tensors(misshapen.file(kWeights), [](StoredTensors& tensors) {
    tensors["model.layers.0.mlp.down_proj.weight"] = filled({128, 64}, 0);
  });
  expect_refused(misshapen, "shape [128, 64]", "needs [64, 128]");

  const CaseFolder deeper("phi3v_a");  // the configuration promises more than the file holds
  deeper.set("config.json", "/num_hidden_layers", 256);
  expect_refused(deeper, "model.layers.2.", "missing (and");
  const CaseFolder untied("qwen25vl_b_tied_v5layout");
  untied.set("config.json", "/tie_word_embeddings", false);
  expect_refused(untied, "lm_head.weight", "missing");
}

TEST(Checkpoint, RefusesOtherTypesInUseOnly) {
  for (const Dtype dtype : {Dtype::f64, Dtype::i64, Dtype::i8, Dtype::u8}) {
    const CaseFolder folder("colbert_a");
    const std::size_t bytes = 128 * 64 * tensorfile::dtype_bytes(dtype);
    edit_tensors(folder.file(kWeights), [&](StoredTensors& tensors) {
      tensors["linear.weight"] = {dtype, {128, 64}, std::vector<std::uint8_t>(bytes)};
    });
    expect_refused(folder, "'linear.weight'", std::string(tensorfile::dtype_name(dtype)));
  }
  const CaseFolder unused("colbert_a");
  edit_tensors(unused.file(kWeights), [](StoredTensors& tensors) {
    tensors["bert.embeddings.position_ids"] = {Dtype::i64, {1, 1}, std::vector<std::uint8_t>(8)};
  });
  EXPECT_EQ(opening_error(unused), "no error");
}

TEST(Checkpoint, RefusesMisalignedData) {
  const CaseFolder folder("colbert_a");
  std::string file = read_file(folder.file(kWeights));
  // One more blank at the header's end moves all data by a byte.
  const auto length = static_cast<std::uint8_t>(file[0]);
  ASSERT_LT(length, 255);
  file[0] = static_cast<char>(length + 1);
  std::uint64_t header = 0;
  for (int i = 8; i > 0; --i) header = header << 8 | static_cast<std::uint8_t>(file[i - 1]);
  file.insert(8 + header - 1, 1, ' ');
  folder.write(kWeights, file);
  expect_refused(folder, "is not aligned to the size", "model.safetensors");
}

TEST(Checkpoint, RefusesHostileHeaders) {
  const std::string good = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  const std::string tensors[] = {
      R"("dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615])",
      R"("dtype":"F32","shape":[2],"data_offsets":[8,0])",
      R"("dtype":"F32","shape":[2],"data_offsets":[-8,0])",
      R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8])",
      R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])",
      R"("dtype":"F32","shape":[3],"data_offsets":[0,8])",
      R"("dtype":"F99","shape":[2],"data_offsets":[0,8])",
      R"("dtype":"F32","shape":[2],"data_offsets":[8,16])",  // a hole
  };
  for (const std::string& tensor : tensors) {
    const CaseFolder folder("colbert_a");
    folder.write(kWeights, raw_safetensors("{\"linear.weight\":{" + tensor + "}}", 8));
    expect_refused(folder, "model.safetensors", "");
  }
  const std::string files[] = {
      "",
      "1234567",
      std::string(8, '\xff'),                                             // a header over any file
      raw_safetensors("{}", 8),                                           // bytes of no tensor
      raw_safetensors(std::string(100'000, '['), 0),                      // deep
      raw_safetensors(std::string(100'000, '{'), 0),                      // deep
      raw_safetensors("{\"a\":{" + good + "},\"a\":{" + good + "}}", 8),  // twice
      raw_safetensors("{\"a\":{" + good + "},\"b\":{" + good + "}}", 8),  // overlapping
      raw_safetensors("{\"a\":{" + good + "}}", 4),                       // cut off
      raw_safetensors("{\"__metadata__\":[1]}", 0),
      raw_safetensors("{}", 0),  // no tensors at all
  };
  for (const std::string& file : files) {
    const CaseFolder folder("colbert_a");
    folder.write(kWeights, file);
    expect_refused(folder, folder.path(), "");
  }
}

TEST(Checkpoint, FindsNumbersThatAreNone) {
  const auto damage = [](Dtype dtype, std::uint32_t bits) {
    const CaseFolder folder("colbert_a");
    edit_tensors(folder.file(kWeights), [&](StoredTensors& tensors) {
      const std::size_t size = tensorfile::dtype_bytes(dtype);
      StoredTensor tensor{dtype, {128, 64}, std::vector<std::uint8_t>(128 * 64 * size)};
      std::memcpy(tensor.bytes.data() + 777 * size, &bits, size);
      tensors["linear.weight"] = tensor;
    });
    const Checkpoint checkpoint(read_model(folder.path()));
    return model_error([&] { checkpoint.check_finite(2); });
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  using Limits = std::numeric_limits<float>;
  for (const float value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    EXPECT_TRUE(has(damage(Dtype::f32, bits(value)), "'linear.weight' holds a NaN")) << value;
    EXPECT_TRUE(has(damage(Dtype::bf16, bits(value) >> 16), "'linear.weight'")) << value;
  }
  EXPECT_TRUE(has(damage(Dtype::f16, 0x7C00), "'linear.weight'"));
  EXPECT_TRUE(has(damage(Dtype::f16, 0xFE01), "'linear.weight'"));
  EXPECT_EQ(damage(Dtype::f32, bits(Limits::max())), "no error");
  EXPECT_EQ(damage(Dtype::f32, bits(Limits::lowest())), "no error");
  EXPECT_EQ(damage(Dtype::bf16, 0xFF7F), "no error");
  EXPECT_EQ(damage(Dtype::f16, 0xFBFF), "no error");
}

TEST(Checkpoint, NamesTheFirstOfSeveralBadTensors) {
  const CaseFolder folder("bert_mean_a");
  edit_tensors(folder.file(kWeights), [](StoredTensors& tensors) {
    for (auto& [name, tensor] : tensors) {
      std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::uint8_t{0xFF});
    }
  });
  const Checkpoint checkpoint(read_model(folder.path()));
  const std::string first = model_error([&] { checkpoint.check_finite(1); });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(model_error([&] { checkpoint.check_finite(4); }), first);
  }
}

TEST(Checkpoint, RefusesAnIndexThatLies) {
  const std::string map = "/weight_map/lm_head.weight";
  for (const Json& file :
       {Json("../../../../etc/passwd"), Json("/etc/passwd"), Json("../model-00001.safetensors"),
        Json("a/b.safetensors"), Json("..safetensors"), Json(""), Json(".safetensors"), Json(3),
        Json(std::string("a\0b.safetensors", 15)), Json(std::string(5000, 'a') + ".safetensors")}) {
    const CaseFolder folder("qwen25vl_a");
    Json index = folder.json(kIndex);
    index["weight_map"]["lm_head.weight"] = file;
    folder.write(kIndex, index.dump());
    expect_refused(folder, kIndex, "lm_head.weight");
  }
  const CaseFolder absent("qwen25vl_a");
  Json index = absent.json(kIndex);
  index["weight_map"]["lm_head.weight"] = "model-00004-of-00003.safetensors";
  absent.write(kIndex, index.dump());
  expect_refused(absent, "model-00004-of-00003.safetensors, which is missing", kIndex);

  const CaseFolder swapped("qwen25vl_a");
  index["weight_map"]["lm_head.weight"] = "model-00002-of-00003.safetensors";
  swapped.write(kIndex, index.dump());
  expect_refused(swapped, "lm_head.weight", "does not hold it");

  const CaseFolder silent("qwen25vl_a");
  index["weight_map"].erase("lm_head.weight");
  silent.write(kIndex, index.dump());
  expect_refused(silent, "does not name tensor 'lm_head.weight'", kIndex);

  const CaseFolder cut("qwen25vl_a");
  cut.remove("model-00002-of-00003.safetensors");
  expect_refused(cut, "model-00002-of-00003.safetensors, which is missing", kIndex);

  for (const std::string text : {"", "{}", "[]", "{\"weight_map\": {}}", "{\"weight_map\": 3}"}) {
    const CaseFolder folder("qwen25vl_a");
    folder.write(kIndex, text);
    expect_refused(folder, kIndex, "");
  }
  const CaseFolder deep("qwen25vl_a");
  deep.write(kIndex, std::string(100'000, '['));
  expect_refused(deep, kIndex, "");
  const CaseFolder huge("qwen25vl_a");
  huge.write(kIndex, std::string(std::size_t{17} << 20, ' '));
  expect_refused(huge, kIndex, "limit");
}

TEST(Checkpoint, SaysWhatToDoWithoutWeights) {
  const CaseFolder bin("colbert_a");
  bin.remove(kWeights);
  bin.write("pytorch_model.bin", "x");
  expect_refused(bin, "pytorch_model.bin", "get the safetensors version");
  const CaseFolder none("colbert_a");
  none.remove(kWeights);
  expect_refused(none, "model.safetensors: missing", "incomplete");
  const CaseFolder shards("qwen25vl_a");
  shards.remove(kIndex);
  expect_refused(shards, "shards are there", kIndex);
  const CaseFolder loop("colbert_a");
  loop.remove(kWeights);
  std::filesystem::create_symlink(kWeights, loop.file(kWeights));
  expect_refused(loop, "model.safetensors", "symbolic links");
  const CaseFolder folder("colbert_a");
  folder.remove(kWeights);
  std::filesystem::create_directory(folder.file(kWeights));
  expect_refused(folder, "model.safetensors", "not a plain file");
}

TEST(Checkpoint, FollowsLinksToBlobs) {
  const CaseFolder folder("colbert_a");
  std::filesystem::rename(folder.file(kWeights), folder.root() + "/blob");
  std::filesystem::create_symlink("../blob", folder.file(kWeights));
  EXPECT_EQ(opening_error(folder), "no error");
}

TEST(Checkpoint, HashesContentsNotPlaces) {
  const auto hash = [](const CaseFolder& folder) {
    return Checkpoint(read_model(folder.path())).hash();
  };
  const CaseFolder first("colbert_a"), second("colbert_a");
  const std::string before = hash(first);
  EXPECT_EQ(before, hash(second));
  first.set("artifact.metadata", "/doc_maxlen", 61);
  EXPECT_NE(before, hash(first));
  edit_tensors(second.file(kWeights),
               [](StoredTensors& tensors) { tensors["linear.weight"].bytes[4000] ^= 1; });
  EXPECT_NE(before, hash(second));
}

TEST(Checkpoint, ReleasesMemoryWithoutLosingValues) {
  const CaseFolder folder("qwen25vl_a");
  const Checkpoint checkpoint(read_model(folder.path()));
  const Weight& weight = checkpoint.at("trunk", "embed_tokens.weight");
  const std::vector<std::uint8_t> before(weight.view->bytes.begin(), weight.view->bytes.end());
  checkpoint.release(weight);
  checkpoint.release(checkpoint.at("trunk", "norm.weight"));  // less than a page
  EXPECT_TRUE(std::equal(before.begin(), before.end(), weight.view->bytes.begin()));
}

}  // namespace
}  // namespace fineprint::models
