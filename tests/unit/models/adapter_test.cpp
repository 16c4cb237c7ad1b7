// Tests of LoRA adapter folders: what is read, laid over the weights, and refused.
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"

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
using fineprint::testing::model_error;
using fineprint::testing::save_tensors;
using fineprint::testing::StoredTensors;

constexpr const char* kAdapterConfig = "adapter_config.json";
constexpr const char* kTensors = "adapter_model.safetensors";

// An adapter over both query projections (64 x 64, two layers) of a copied case, in the folder
// "adapter" beside it.
class AdapterFolder {
 public:
  AdapterFolder() : base_("qwen25vl_a") {
    std::filesystem::create_directory(path());
    set({{"peft_type", "LORA"},
         {"base_model_name_or_path", "../model"},
         {"r", 4},
         {"lora_alpha", 8},
         {"target_modules", {"q_proj"}},
         {"bias", "none"},
         {"modules_to_save", nullptr},
         {"rank_pattern", Json::object()},
         {"use_dora", false}});
    StoredTensors tensors;
    for (const std::string layer : {"0", "1"}) {
      const std::string module = "base_model.model.model.layers." + layer + ".self_attn.q_proj.";
      tensors[module + "lora_A.weight"] = filled({4, 64}, 1);
      tensors[module + "lora_B.weight"] = filled({64, 4}, 2);
    }
    save_tensors(file(kTensors), tensors);
  }

  std::string path() const { return base_.root() + "/adapter"; }
  std::string file(const std::string& name) const { return path() + "/" + name; }
  const CaseFolder& base() const { return base_; }
  void set(const Json& config) const { write_file_atomic(file(kAdapterConfig), config.dump()); }
  Json config() const { return parse_json(read_file(file(kAdapterConfig)), kAdapterConfig); }
  void set(const std::string& key, const Json& value) const {
    Json changed = config();
    changed[key] = value;
    set(changed);
  }
  void edit(const std::function<void(StoredTensors&)>& change) const {
    edit_tensors(file(kTensors), change);
  }
  std::string error() const {
    return model_error([&] {
      const Checkpoint checkpoint(read_model(path()));
      checkpoint.check_finite(1);
    });
  }

 private:
  CaseFolder base_;
};

const std::string kFirst = "base_model.model.model.layers.0.self_attn.q_proj.";

TEST(Adapter, IsLaidOverItsWeights) {
  const AdapterFolder folder;
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(spec.name, "adapter over model");
  ASSERT_TRUE(spec.adapter.has_value());
  EXPECT_EQ(spec.adapter->rank, 4);
  EXPECT_EQ(spec.adapter->scale, 2);
  const Checkpoint checkpoint(spec);
  const Weight& weight = checkpoint.at("trunk", "layers.1.self_attn.q_proj.weight");
  ASSERT_EQ(weight.changes.size(), 1U);
  EXPECT_EQ(weight.changes[0].scale, 2);
  EXPECT_EQ(weight.changes[0].down->shape, (std::vector<std::int64_t>{4, 64}));
  EXPECT_EQ(weight.changes[0].up->shape, (std::vector<std::int64_t>{64, 4}));
  EXPECT_TRUE(checkpoint.at("trunk", "layers.1.self_attn.k_proj.weight").changes.empty());
  const Checkpoint base(read_model(folder.base().path()));
  EXPECT_EQ(checkpoint.parameters(), base.parameters() + 4 * 4 * 64);
  EXPECT_NE(checkpoint.hash(), base.hash());
}

TEST(Adapter, ScalesByTheRootOfTheRankWhenAsked) {
  const AdapterFolder folder;
  folder.set("use_rslora", true);
  EXPECT_DOUBLE_EQ(read_model(folder.path()).adapter->scale, 4);
}

TEST(Adapter, FitsABaseThatIsStoredInAnotherLayout) {
  const AdapterFolder folder;
  folder.edit([](StoredTensors& tensors) {
    StoredTensors renamed;
    for (auto& [name, tensor] : tensors) {
      std::string other = name;
      other.replace(other.find("model.layers"), 12, "model.language_model.layers");
      renamed[other] = tensor;
    }
    tensors = renamed;
  });
  EXPECT_EQ(folder.error(), "no error");
}

TEST(Adapter, TakesFilesBesideItFirst) {
  const AdapterFolder folder;
  folder.base().remove("preprocessor_config.json");
  EXPECT_TRUE(has(folder.error(), "preprocessor_config.json"));
  std::filesystem::copy_file(FINEPRINT_TEST_DATA "/qwen25vl_a/model/preprocessor_config.json",
                             folder.file("preprocessor_config.json"));
  EXPECT_EQ(folder.error(), "no error");
}

TEST(Adapter, ReplacesAProjectionAndNothingElse) {
  const CaseFolder base("colpali_a");
  const std::string dir = base.root() + "/adapter";
  std::filesystem::create_directory(dir);
  write_file_atomic(dir + "/" + kAdapterConfig, Json{{"peft_type", "LORA"},
                                                     {"base_model_name_or_path", "../model"},
                                                     {"r", 2},
                                                     {"lora_alpha", 2},
                                                     {"target_modules", ".*(q_proj).*"},
                                                     {"modules_to_save", {"embedding_proj_layer"}}}
                                                    .dump());
  const std::string q = "base_model.model.vlm.language_model.model.layers.0.self_attn.q_proj.";
  StoredTensors tensors{{q + "lora_A.weight", filled({2, 64}, 1)},
                        {q + "lora_B.weight", filled({96, 2}, 1)},
                        {"base_model.model.embedding_proj_layer.weight", filled({128, 64}, 3)}};
  save_tensors(dir + "/" + kTensors, tensors);
  const Checkpoint checkpoint(read_model(dir));
  EXPECT_TRUE(has(checkpoint.at("projection", "weight").file, kTensors));
  EXPECT_FALSE(has(checkpoint.at("projection", "bias").file, kTensors));
  EXPECT_EQ(checkpoint.at("trunk", "layers.0.self_attn.q_proj.weight").changes.size(), 1U);

  const auto error_with = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    StoredTensors more = tensors;
    more[name] = filled(shape, 1);
    save_tensors(dir + "/" + kTensors, more);
    return model_error([&] { Checkpoint again(read_model(dir)); });
  };
  EXPECT_TRUE(has(error_with("base_model.model.vlm.language_model.model.norm.weight", {64}),
                  "neither a low-rank change"));
  EXPECT_TRUE(
      has(error_with("base_model.model.embedding_proj_layer.weight", {64, 64}), "[128, 64]"));
}

TEST(Adapter, RefusesOtherKinds) {
  const std::pair<const char*, Json> settings[] = {
      {"peft_type", "IA3"},
      {"peft_type", nullptr},
      {"use_dora", true},
      {"bias", "all"},
      {"fan_in_fan_out", true},
      {"rank_pattern", {{"q_proj", 8}}},
      {"alpha_pattern", {{"q_proj", 8}}},
      {"r", 0},
      {"r", 1'000'000'000},
      {"r", -4},
      {"lora_alpha", "8"},
      {"target_modules", Json::array()},
      {"target_modules", nullptr},
      {"target_modules", {3}},
      {"base_model_name_or_path", nullptr},
      {"base_model_name_or_path", "../nowhere"},
      {"base_model_name_or_path", "org/absent"},
      {"base_model_name_or_path", "../adapter"},
  };
  for (const auto& [key, value] : settings) {
    const AdapterFolder folder;
    folder.set(key, value);
    const std::string message = folder.error();
    EXPECT_TRUE(has(message, kAdapterConfig)) << key << ": " << message;
    if (std::string(key) != "base_model_name_or_path") {
      EXPECT_TRUE(has(message, key)) << message;
    }
  }
}

TEST(Adapter, RefusesABaseThatIsAnAdapter) {
  const AdapterFolder folder;
  std::filesystem::copy_file(folder.file(kAdapterConfig), folder.base().file(kAdapterConfig));
  EXPECT_TRUE(has(folder.error(), "is an adapter too")) << folder.error();
}

TEST(Adapter, AccountsForEveryTensor) {
  using Change = std::function<void(StoredTensors&)>;
  const std::string a = kFirst + "lora_A.weight", b = kFirst + "lora_B.weight";
  const std::pair<const char*, Change> damages[] = {
      {"lacks its other half", [&](StoredTensors& t) { t.erase(b); }},
      {"lacks its other half", [&](StoredTensors& t) { t.erase(a); }},
      {"though target_modules names it",
       [&](StoredTensors& t) {
         t.erase(a);
         t.erase(b);
       }},
      {"[4, 64]", [&](StoredTensors& t) { t[a] = filled({8, 64}, 1); }},
      {"[64, 4]", [&](StoredTensors& t) { t[b] = filled({4, 64}, 1); }},
      {"target_modules of adapter_config.json does not name",
       [&](StoredTensors& t) {
         t["base_model.model.model.layers.0.mlp.up_proj.lora_A.weight"] = filled({4, 64}, 1);
       }},
      {"which the base model does not have",
       [&](StoredTensors& t) {
         const std::string other = "base_model.model.model.layers.7.self_attn.q_proj.";
         t[other + "lora_A.weight"] = filled({4, 64}, 1);
         t[other + "lora_B.weight"] = filled({64, 4}, 1);
       }},
      {"that another tensor changes already",
       [&](StoredTensors& t) {
         const std::string same =
             "base_model.model.model.language_model.layers.0.self_attn.q_proj.";
         t[same + "lora_A.weight"] = filled({4, 64}, 1);
         t[same + "lora_B.weight"] = filled({64, 4}, 1);
       }},
      {"neither a low-rank change",
       [&](StoredTensors& t) { t[kFirst + "lora_magnitude_vector"] = filled({64}, 1); }},
      {"I64",
       [&](StoredTensors& t) {
         t[a] = {tensorfile::Dtype::i64, {4, 64}, std::vector<std::uint8_t>(4 * 64 * 8)};
       }},
      {"holds a NaN", [&](StoredTensors& t) { t[a] = filled({4, 64}, NAN); }},
      {"though target_modules names it", [&](StoredTensors& t) { t.clear(); }},
  };
  for (const auto& [named, change] : damages) {
    const AdapterFolder folder;
    folder.edit(change);
    const std::string message = folder.error();
    EXPECT_TRUE(has(message, named) && has(message, kTensors)) << named << ": " << message;
  }
}

TEST(Adapter, NamesTheMissingFile) {
  const AdapterFolder folder;
  std::filesystem::remove(folder.file(kTensors));
  write_file_atomic(folder.file("adapter_model.bin"), "x");
  EXPECT_TRUE(has(folder.error(), "adapter_model.safetensors: missing")) << folder.error();
  EXPECT_TRUE(has(folder.error(), "adapter_model.bin")) << folder.error();
}

TEST(Adapter, IgnoresChangesOfWeightsThatAreNotUsed) {
  const CaseFolder base("phi3v_a");
  const std::string dir = base.root() + "/adapter";
  std::filesystem::create_directory(dir);
  write_file_atomic(dir + "/" + kAdapterConfig, Json{{"peft_type", "LORA"},
                                                     {"base_model_name_or_path", "../model"},
                                                     {"r", 2},
                                                     {"lora_alpha", 16},
                                                     {"target_modules", {"q_proj", "o_proj"}}}
                                                    .dump());
  const std::string clip = "base_model.model.model.vision_embed_tokens.img_processor.vision_model.";
  StoredTensors tensors;
  for (const std::string layer : {"0", "1", "2"}) {  // the last one is not run
    const std::string module = clip + "encoder.layers." + layer + ".self_attn.q_proj.";
    tensors[module + "lora_A.weight"] = filled({2, 32}, 1);
    tensors[module + "lora_B.weight"] = filled({32, 2}, 1);
  }
  for (const std::string layer : {"0", "1"}) {
    const std::string module = "base_model.model.model.layers." + layer + ".self_attn.o_proj.";
    tensors[module + "lora_A.weight"] = filled({2, 64}, 1);
    tensors[module + "lora_B.weight"] = filled({64, 2}, 1);
  }
  save_tensors(dir + "/" + kTensors, tensors);
  EXPECT_EQ(model_error([&] { Checkpoint checkpoint(read_model(dir)); }), "no error");
}

}  // namespace
}  // namespace fineprint::models
