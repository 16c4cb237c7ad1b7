// Tests of published quantised folders: what their configuration says, the arrays that their
// matrices lie in, and what is refused.
#include <cmath>
#include <cstring>
#include <functional>
#include <tuple>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"

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
using fineprint::testing::StoredTensor;
using fineprint::testing::StoredTensors;
using tensorfile::CodeLayout;
using tensorfile::Dtype;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
const std::string kModule = "model.layers.0.self_attn.q_proj";
const std::string kMlp = "model.layers.1.mlp.up_proj";

std::string opening_error(const CaseFolder& folder) {
  return model_error([&] {
    const Checkpoint checkpoint(read_model(folder.path()));
    checkpoint.check_finite(1);
  });
}

ModelSpec spec_of(const std::string& name) {
  return read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model");
}

TEST(QuantisedFolder, SaysHowItsMatricesLie) {
  const Quantisation awq = *spec_of("llama_awq").quantisation;
  EXPECT_EQ(awq.method, "awq");
  ASSERT_EQ(awq.schemes.size(), 1U);
  EXPECT_EQ(awq.schemes[0].layout, CodeLayout::awq);
  EXPECT_EQ(awq.schemes[0].block_columns, 32);
  EXPECT_TRUE(awq.schemes[0].has_zeros);
  EXPECT_TRUE(spec_of("llama_gptq").quantisation->schemes[0].zeros_less_one);
  EXPECT_FALSE(spec_of("llama_gptq_order").quantisation->schemes[0].zeros_less_one);
  EXPECT_EQ(spec_of("llama_gptq_order").quantisation->schemes[0].bits, 8);
  const Quantisation mixed = *spec_of("llama_w8a16").quantisation;
  ASSERT_EQ(mixed.schemes.size(), 2U);
  EXPECT_EQ(mixed.schemes[0].layout, CodeLayout::packed);
  EXPECT_EQ(mixed.schemes[1].layout, CodeLayout::int8);
  EXPECT_EQ(mixed.ignored, std::vector<std::string>{"lm_head"});
  const Quantisation fp8 = *spec_of("llama_fp8").quantisation;
  EXPECT_EQ(fp8.schemes[0].block_rows, 128);
  EXPECT_EQ(fp8.schemes[0].block_columns, 128);
  EXPECT_FALSE(spec_of("llama_a").quantisation.has_value());
}

// The same model in another form: as many parameters, under the same names.
TEST(QuantisedFolder, MatricesStandInPlaceOfTheirArrays) {
  const std::pair<const char*, const char*> cases[] = {
      {"llama_awq", "AWQ 4 bits"},
      {"llama_gptq", "GPTQ 4 bits"},
      {"llama_gptq_order", "GPTQ 8 bits"},
      {"llama_w4a16", "INT4"},
      {"llama_w8a16", "INT8"},
      {"llama_fp8", "FP8"},
      {"llama_fp8_channel", "FP8"},
  };
  const std::int64_t in_layer = 96 * (96 + 48 + 48 + 96) + 3 * 96 * 160 + 2 * 96;
  for (const auto& [name, matrices] : cases) {
    const ModelSpec spec = spec_of(name);
    const Checkpoint checkpoint(spec);
    const Weight& weight = checkpoint.at("trunk", "layers.0.self_attn.k_proj.weight");
    EXPECT_EQ(weight.view->name, "model.layers.0.self_attn.k_proj.weight");
    EXPECT_EQ(weight.view->shape, (std::vector<std::int64_t>{48, 96})) << name;
    ASSERT_NE(weight.view->coded, nullptr) << name;
    EXPECT_EQ(tensorfile::coded_name(*weight.view->coded), matrices);
    EXPECT_EQ(checkpoint.parameters(), 2 * in_layer + 2 * 960 * 96 + 96) << name;
    EXPECT_LT(checkpoint.bytes(), 2 * checkpoint.parameters()) << name;
    checkpoint.check_finite(2);
    // What each token reads: codes as they are, or 16 bits a value; of embeddings that are not the
    // head, a row.
    const ModelFacts facts = describe_model(spec, checkpoint);
    const std::int64_t read = 2 * in_layer + 960 * 96 + 96;
    EXPECT_EQ(facts.bytes_a_token, checkpoint.held_bytes() - 2 * 960 * 96) << name;
    EXPECT_LE(facts.bytes_a_token, 2 * read) << name;
  }
}

TEST(QuantisedFolder, RefusesOtherKinds) {
  const char* facts = "/quantization_config";
  const std::string group = "/quantization_config/config_groups/group_0";
  const auto at = [&](const char* key) { return std::string(facts) + "/" + key; };
  const auto in_weights = [&](const char* key) { return group + "/weights/" + key; };
  const std::tuple<const char*, std::string, Json, const char*> damages[] = {
      {"llama_awq", at("quant_method"), "bitsandbytes", "awq, gptq, compressed-tensors and fp8"},
      {"llama_awq", at("quant_method"), 4, "quant_method\" is not a string"},
      {"llama_awq", at("bits"), 3, "quantization_config.bits\" is 3"},
      {"llama_awq", at("bits"), 8, "quantization_config.bits\" is 8"},
      {"llama_awq", at("bits"), nullptr, "quantization_config.bits\" is missing"},
      {"llama_awq", at("group_size"), 0, "group_size"},
      {"llama_awq", at("group_size"), -2, "group_size"},
      {"llama_awq", at("group_size"), 1 << 20, "group_size"},
      {"llama_awq", at("version"), "gemv", "version"},
      {"llama_awq", at("modules_to_not_convert"), Json::array({1}), "modules_to_not_convert"},
      {"llama_awq", facts, "awq", "\"quantization_config\" is not an object"},
      {"llama_gptq", at("bits"), 2, "bits"},
      {"llama_gptq", at("checkpoint_format"), "marlin", "checkpoint_format"},
      {"llama_gptq", at("is_marlin_format"), true, "is_marlin_format"},
      {"llama_gptq", at("pack_dtype"), "int16", "pack_dtype"},
      {"llama_gptq", at("dynamic"), {{"+:.*down.*", {{"bits", 8}}}}, "dynamic.+:.*down.*"},
      {"llama_fp8", at("fmt"), "e5m2", "fmt"},
      {"llama_fp8", at("weight_block_size"), Json::array({128}), "weight_block_size"},
      {"llama_fp8", at("weight_block_size"), {128, 0}, "weight_block_size"},
      {"llama_w4a16", at("format"), "marlin-24", "format"},
      {"llama_w4a16", at("format"), "nvfp4-pack-quantized", "format"},
      {"llama_w4a16", at("format"), nullptr, "format"},
      {"llama_w4a16", at("quantization_status"), "frozen", "quantization_status"},
      {"llama_w4a16", at("transform_config"), {{"config_groups", 1}}, "transform_config"},
      {"llama_w4a16", at("sparsity_config"), {{"format", "sparse-24-bitmask"}}, "sparsity_config"},
      {"llama_w4a16", at("config_groups"), Json::object(), "config_groups"},
      {"llama_w4a16", group + "/targets", Json::array(), "group_0.targets"},
      {"llama_w4a16", at("config_groups"), nullptr, "config_groups"},
      {"llama_w4a16", group, 1, "config_groups.group_0"},
      {"llama_w4a16", in_weights("num_bits"), 5, "weights.num_bits"},
      {"llama_w4a16", in_weights("type"), "float", "with numbers of type \"float\""},
      {"llama_w4a16", in_weights("type"), "complex", "weights.type"},
      {"llama_w4a16", in_weights("strategy"), "token", "weights.strategy"},
      {"llama_w4a16", in_weights("strategy"), "tensor", "weights.strategy"},
      {"llama_w4a16", in_weights("group_size"), nullptr, "weights.group_size"},
      {"llama_w4a16", in_weights("dynamic"), true, "weights.dynamic"},
      {"llama_fp8_channel", in_weights("symmetric"), false, "weights.symmetric"},
      {"llama_fp8_channel", in_weights("strategy"), "block", "weights.block_structure"},
      {"llama_fp8_channel", in_weights("num_bits"), 4, "weights.num_bits"},
  };
  for (const auto& [name, pointer, value, named] : damages) {
    const CaseFolder folder(name);
    folder.set(kConfig, pointer, value);
    const std::string message = model_error([&] { read_model(folder.path()); });
    EXPECT_TRUE(has(message, kConfig) && has(message, named)) << pointer << ": " << message;
  }
}

// Each of these is accepted by the configuration's reader, and does not fit the arrays.
TEST(QuantisedFolder, RefusesArraysThatItsConfigurationDoesNotDescribe) {
  const std::tuple<const char*, const char*, Json, const char*> damages[] = {
      {"llama_awq", "/quantization_config/group_size", 64, ".scales' has shape [5, 96]"},
      {"llama_awq", "/quantization_config/group_size", -1, ".scales' has shape"},
      {"llama_awq", "/quantization_config/zero_point", false, ".qzeros' is there"},
      {"llama_gptq", "/quantization_config/bits", 8, ".scales' has shape"},
      {"llama_gptq", "/quantization_config/quant_method", "awq", ".scales' has shape"},
      {"llama_gptq_order", "/quantization_config/group_size", 96, ".scales' has shape"},
      {"llama_w4a16", "/quantization_config/config_groups/group_0/weights/group_size", 16,
       ".weight_scale' has shape"},
      {"llama_w4a16",
       "/quantization_config/ignore",
       {"lm_head", "model.layers.1.mlp.up_proj"},
       "'model.layers.1.mlp.up_proj' is not quantised"},
      {"llama_awq",
       "/quantization_config/modules_to_not_convert",
       {"mlp"},
       "down_proj' is not quantised"},
      {"llama_fp8", "/quantization_config/weight_block_size", {64, 64}, ".weight_scale_inv'"},
      {"llama_fp8", "/quantization_config/quant_method", "awq", "quantization_config.bits"},
      {"llama_w4a16", "/quantization_config/ignore", {"re:.*layers\\.1\\.mlp"}, "is not quantised"},
      {"llama_w4a16",
       "/quantization_config/ignore",
       {"re:.*("},
       "\"re:.*(\" is not a valid pattern"},
      {"llama_w4a16",
       "/quantization_config/config_groups/group_0/targets",
       {"re:.*never"},
       "no group in"},
      {"llama_awq", "/num_key_value_heads", 4, "k_proj.weight' has shape [48, 96]"},
      {"llama_awq", "/intermediate_size", 168, "proj.weight' has shape"},
  };
  for (const auto& [name, pointer, value, named] : damages) {
    const CaseFolder folder(name);
    folder.set(kConfig, pointer, value);
    const std::string message = opening_error(folder);
    EXPECT_TRUE(has(message, named)) << name << " " << pointer << ": " << message;
  }
}

void expect_damage(const std::string& name, const std::string& named,
                   const std::function<void(StoredTensors&)>& change) {
  const CaseFolder folder(name);
  edit_tensors(folder.file(kWeights), change);
  const std::string message = opening_error(folder);
  EXPECT_TRUE(has(message, kWeights) || has(message, folder.path())) << message;
  EXPECT_TRUE(has(message, named)) << name << ": " << message;
}

TEST(QuantisedFolder, RefusesArraysThatLackOrDoNotFitOneAnother) {
  const auto without = [](const std::string& tensor) {
    return [tensor](StoredTensors& tensors) { ASSERT_EQ(tensors.erase(tensor), 1U) << tensor; };
  };
  const auto as = [](const std::string& tensor, Dtype dtype, std::vector<std::int64_t> shape) {
    return [=](StoredTensors& tensors) {
      std::size_t bytes = tensorfile::dtype_bytes(dtype);
      for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
      tensors.at(tensor) = {dtype, shape, std::vector<std::uint8_t>(bytes)};
    };
  };
  for (const char* name : {"llama_awq", "llama_gptq", "llama_gptq_order"}) {
    expect_damage(name, "'" + kModule + ".scales' is missing", without(kModule + ".scales"));
    expect_damage(name, "'" + kModule + ".qzeros' is missing", without(kModule + ".qzeros"));
    expect_damage(name, "q_proj", without(kModule + ".qweight"));
    expect_damage(name, "has dtype F32, but needs I32",
                  as(kModule + ".qzeros", Dtype::f32, {3, 12}));
    expect_damage(name, "is not a matrix", as(kModule + ".qweight", Dtype::i32, {96}));
    expect_damage(name, "q_proj", as(kModule + ".qweight", Dtype::i32, {0, 0}));
  }
  for (const char* name : {"llama_w4a16", "llama_w8a16"}) {
    expect_damage(name, ".weight_scale' is missing", without(kModule + ".weight_scale"));
    expect_damage(name, ".weight_shape' is missing", without(kModule + ".weight_shape"));
    expect_damage(name, "q_proj", without(kModule + ".weight_packed"));
    expect_damage(name, "not a pair of I64", as(kModule + ".weight_shape", Dtype::i32, {2}));
    expect_damage(name, "[0, 0], which is not a valid shape",
                  as(kModule + ".weight_shape", Dtype::i64, {2}));
    expect_damage(name, "is missing", without(kMlp + ".weight_zero_point"));
  }
  expect_damage("llama_fp8", "weight_scale_inv' is missing",
                without(kModule + ".weight_scale_inv"));
  expect_damage("llama_fp8_channel", ".weight_scale' is missing",
                without(kModule + ".weight_scale"));
  expect_damage("llama_fp8", "has shape [2, 2]",
                as(kModule + ".weight_scale_inv", Dtype::f32, {2, 2}));
  expect_damage("llama_fp8", "is not a matrix", as(kModule + ".weight", Dtype::f8_e4m3, {1, 2, 3}));
}

TEST(QuantisedFolder, RefusesColumnsOfNoGroup) {
  for (const std::int32_t group : {-1, 3, 1 << 30}) {
    expect_damage("llama_gptq", format("column 7 to group {} of 3", group),
                  [&](StoredTensors& tensors) {
                    std::memcpy(tensors.at(kModule + ".g_idx").bytes.data() + 7 * sizeof group,
                                &group, sizeof group);
                  });
    expect_damage("llama_w4a16", format("column 7 to group {} of 3", group),
                  [&](StoredTensors& tensors) {
                    std::memcpy(tensors.at(kMlp + ".weight_g_idx").bytes.data() + 7 * sizeof group,
                                &group, sizeof group);
                  });
  }
}

TEST(QuantisedFolder, RefusesScalesAndCodesThatAreNoNumbers) {
  const auto put = [](const std::string& tensor, std::uint32_t bits, std::size_t size) {
    return [=](StoredTensors& tensors) {
      std::memcpy(tensors.at(tensor).bytes.data() + 5 * size, &bits, size);
    };
  };
  const std::string named = "'" + kMlp + ".weight' holds a NaN";
  expect_damage("llama_awq", named, put(kMlp + ".scales", 0x7E00, 2));
  expect_damage("llama_gptq", named, put(kMlp + ".scales", 0xFC00, 2));
  expect_damage("llama_w4a16", named, put(kMlp + ".weight_scale", 0x7FC0, 2));
  expect_damage("llama_w8a16", named, put(kMlp + ".weight_scale", 0x7F80, 2));
  expect_damage("llama_fp8", "'" + kMlp + ".weight' holds a NaN", [](StoredTensors& tensors) {
    const std::uint32_t bits = 0x7F800000;
    std::memcpy(tensors.at(kMlp + ".weight_scale_inv").bytes.data(), &bits, 4);
  });
  expect_damage("llama_fp8", named, put(kMlp + ".weight", 0x7F, 1));
  expect_damage("llama_fp8_channel", named, put(kMlp + ".weight", 0xFF, 1));
}

// AutoGPTQ's biases are of no use to this model only as long as they are zeros.
TEST(QuantisedFolder, LeavesBiasesOfZerosAlone) {
  expect_damage("llama_gptq", "'" + kMlp + ".bias' belongs to no part",
                [](StoredTensors& tensors) { tensors.at(kMlp + ".bias").bytes[6] = 1; });
}

TEST(QuantisedFolder, CodesWithoutAConfigurationAreNamed) {
  for (const char* name : {"llama_awq", "llama_w4a16"}) {
    const CaseFolder folder(name);
    folder.erase(kConfig, "/quantization_config");
    EXPECT_TRUE(has(opening_error(folder), "no quantization_config")) << opening_error(folder);
  }
  const CaseFolder folder("llama_fp8");
  folder.erase(kConfig, "/quantization_config");
  EXPECT_TRUE(has(opening_error(folder), "has dtype F8_E4M3")) << opening_error(folder);
}

// Of AutoGPTQ's older folders, whose facts lie in a file of their own.
TEST(QuantisedFolder, TakesFactsFromTheFileOfOlderWriters) {
  const CaseFolder folder("llama_gptq");
  Json facts = folder.json(kConfig).at("quantization_config");
  facts.erase("quant_method");
  folder.erase(kConfig, "/quantization_config");
  folder.write("quantize_config.json", facts.dump());
  EXPECT_EQ(opening_error(folder), "no error");
  facts["bits"] = 3;
  folder.write("quantize_config.json", facts.dump());
  EXPECT_TRUE(has(opening_error(folder), "quantize_config.json")) << opening_error(folder);
}

TEST(QuantisedFolder, LeavesScalesOfActivationsAlone) {
  const CaseFolder folder("llama_fp8_channel");
  edit_tensors(folder.file(kWeights), [](StoredTensors& tensors) {
    tensors[kModule + ".input_scale"] = filled({1}, 2);
    tensors["model.layers.0.self_attn.k_scale"] = filled({1}, 2);
  });
  EXPECT_EQ(opening_error(folder), "no error");
}

TEST(QuantisedFolder, AMatrixIsThereOnce) {
  expect_damage("llama_awq", "both 'model.layers.0.self_attn.q_proj.weight' and codes",
                [](StoredTensors& tensors) { tensors[kModule + ".weight"] = filled({96, 96}, 1); });
}

}  // namespace
}  // namespace fineprint::models
