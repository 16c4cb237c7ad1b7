// Reads how the weights of a quantised folder are stored. Whatever is not understood is refused,
// because codes that are read in a wrong way give a model that writes nonsense.
#include "models/quantisation.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/letter_case.h"

namespace fineprint::models {
namespace {

using tensorfile::CodeLayout;

// Limits for files from strangers, above the modules of the largest published models.
constexpr std::size_t kMostNames = 65536;
constexpr std::size_t kMostSchemes = 64;
constexpr int kLargestBlock = 1 << 18;

// Reads the number of columns that share a scale. -1 means all, which is 0 here.
int read_group_size(const JsonFacts& facts, const std::string& key, int absent) {
  const int size = facts.integer_or(key, -1, kLargestBlock, absent);
  if (size == 0) facts.fail(key, "is 0, expected -1 or the number of columns of a group");
  return std::max(size, 0);
}

int read_bits(const JsonFacts& facts, const std::string& key, std::initializer_list<int> known) {
  const int bits = facts.integer(key, 1, 32);
  if (std::ranges::find(known, bits) == known.end()) {
    std::string list;
    for (const int one : known) list += format("{}{}", list.empty() ? "" : " and ", one);
    facts.fail(key, format("is {}; weights of {} bits are read", bits, list));
  }
  return bits;
}

// Throws if a key is set to something that would change the meaning of weights.
void refuse_set(const JsonFacts& facts, const std::string& key) {
  if (facts.has(key) && !facts.json().at(key).empty() && facts.json().at(key) != false) {
    facts.fail(key, "is set, which is not supported");
  }
}

void read_awq(const JsonFacts& facts, Quantisation* read) {
  const std::string version = lower_case(facts.text("version").value_or("gemm"));
  // The other versions of AWQ store the codes in another layout.
  if (version != "gemm") {
    facts.fail("version", format("is \"{}\"; only \"gemm\" is supported", version));
  }
  CodeScheme scheme;
  scheme.layout = CodeLayout::awq;
  scheme.bits = read_bits(facts, "bits", {4});
  scheme.block_columns = read_group_size(facts, "group_size", 128);
  scheme.has_zeros = facts.flag_or("zero_point", true);
  read->schemes = {scheme};
  read->ignored = facts.texts("modules_to_not_convert", kMostNames);
}

// "dynamic" of newer writers has patterns of modules that are left out ("-:...") or stored in
// another way.
void refuse_other_modules(const JsonFacts& facts) {
  if (!facts.has("dynamic") || facts.json().at("dynamic") == false) return;
  const JsonFacts dynamic = facts.object("dynamic");
  for (const auto& [pattern, changes] : dynamic.json().items()) {
    if (!pattern.starts_with("-:")) {
      dynamic.fail(pattern,
                   "stores some modules differently from the rest, which is not supported");
    }
  }
}

void read_gptq(const JsonFacts& facts, Quantisation* read) {
  const std::string version = facts.text("checkpoint_format").value_or("gptq");
  if (version != "gptq" && version != "gptq_v2") {
    facts.fail("checkpoint_format",
               format("is \"{}\"; \"gptq\" and \"gptq_v2\" are supported", version));
  }
  facts.expect_flag("is_marlin_format", false);
  facts.expect_text("pack_dtype", "int32", true);
  refuse_other_modules(facts);
  CodeScheme scheme;
  scheme.layout = CodeLayout::gptq;
  scheme.bits = read_bits(facts, "bits", {4, 8});
  scheme.block_columns = read_group_size(facts, "group_size", -1);
  // GPTQ files have zero points even if the codes are symmetric.
  scheme.has_zeros = true;
  // The first version of the format stores zero points less one; "gptq_v2" stores them unchanged.
  scheme.zeros_less_one = version == "gptq";
  read->schemes = {scheme};
}

// Reads rows and columns from a list of two.
void read_block(const JsonFacts& facts, const std::string& key, CodeScheme* scheme) {
  const std::vector<std::int64_t> block = facts.integers(key, 2, 1, kLargestBlock);
  if (block.size() != 2) facts.fail(key, "must list two numbers, rows and columns");
  scheme->block_rows = static_cast<int>(block[0]);
  scheme->block_columns = static_cast<int>(block[1]);
}

void read_fp8(const JsonFacts& facts, Quantisation* read) {
  facts.expect_text("fmt", "e4m3", true);
  CodeScheme scheme;
  scheme.layout = CodeLayout::fp8;
  scheme.bits = 8;
  scheme.block_rows = 0;
  if (facts.has("weight_block_size")) read_block(facts, "weight_block_size", &scheme);
  read->schemes = {scheme};
  read->ignored = facts.texts("modules_to_not_convert", kMostNames);
}

CodeLayout layout_of(const JsonFacts& place, const std::string& named, const JsonFacts& weights) {
  const std::string type = weights.text("type").value_or("int");
  if (type != "int" && type != "float") {
    weights.fail("type", format("is \"{}\"; \"int\" and \"float\" are supported", type));
  }
  const bool integers = type == "int";
  if (named == "pack-quantized" && integers) return CodeLayout::packed;
  if (named == "int-quantized" && integers) return CodeLayout::int8;
  if (named == "float-quantized" && !integers) return CodeLayout::fp8;
  if (named == "naive-quantized") return integers ? CodeLayout::int8 : CodeLayout::fp8;
  place.fail("format", format("is \"{}\" with numbers of type \"{}\"; pack-quantized and "
                              "int-quantized with \"int\", float-quantized with \"float\" are "
                              "supported",
                              named, type));
}

// Reads which values share a scale. Source: compressed-tensors' QuantizationArgs.
void read_strategy(const JsonFacts& weights, CodeScheme* scheme) {
  const int group = read_group_size(weights, "group_size", -1);
  const std::string strategy = weights.text("strategy").value_or(group > 0 ? "group" : "tensor");
  if (strategy == "tensor") {
    scheme->block_rows = 0;
  } else if (strategy == "group") {
    if (group == 0) weights.fail("group_size", "is missing, but the strategy is \"group\"");
    scheme->block_columns = group;
  } else if (strategy == "block") {
    if (!weights.has("block_structure")) weights.fail("block_structure", "is missing");
    read_block(weights, "block_structure", scheme);
  } else if (strategy != "channel") {
    weights.fail("strategy",
                 format("is \"{}\"; tensor, channel, group and block are supported", strategy));
  }
  // Packed codes have one scale for each row and group of columns.
  const bool in_words = scheme->layout == CodeLayout::packed;
  if (in_words && (strategy == "block" || strategy == "tensor")) {
    weights.fail("strategy", format("is \"{}\", which packed codes do not support", strategy));
  }
}

CodeScheme read_scheme(const JsonFacts& config, const JsonFacts& group) {
  const bool own_format = group.text("format").has_value();
  const JsonFacts& place = own_format ? group : config;
  const JsonFacts weights = group.object("weights");
  if (weights.flag_or("dynamic", false))
    weights.fail("dynamic", "is true, which is not possible for stored weights");
  CodeScheme scheme;
  scheme.layout = layout_of(place, place.text("format").value_or(""), weights);
  const bool packed = scheme.layout == CodeLayout::packed;
  scheme.bits =
      packed ? read_bits(weights, "num_bits", {4, 8}) : read_bits(weights, "num_bits", {8});
  scheme.has_zeros = !weights.flag_or("symmetric", true);
  if (scheme.has_zeros && scheme.layout == CodeLayout::fp8) {
    weights.fail("symmetric", "is false, but FP8 codes are symmetric");
  }
  read_strategy(weights, &scheme);
  scheme.targets = group.texts("targets", kMostNames);
  if (scheme.targets.empty()) group.fail("targets", "names no module");
  return scheme;
}

void read_compressed(const JsonFacts& facts, Quantisation* read) {
  // Folders with another status hold weights that are not stored as codes.
  facts.expect_text("quantization_status", "compressed", true);
  // Transforms multiply weights with matrices that must be undone when they are used.
  refuse_set(facts, "transform_config");
  if (facts.has("sparsity_config") && !facts.json().at("sparsity_config").empty()) {
    facts.object("sparsity_config").expect_text("format", "dense", true);
  }
  const JsonFacts groups = facts.object("config_groups");
  if (groups.json().empty() || groups.json().size() > kMostSchemes) {
    facts.fail("config_groups", format("has {} groups", groups.json().size()));
  }
  for (const auto& [name, group] : groups.json().items()) {
    read->schemes.push_back(read_scheme(facts, groups.object(name)));
  }
  // Modules in this list are stored as ordinary weights.
  read->ignored = facts.texts("ignore", kMostNames);
}

// The facts are at the top level or in the part that is quantised.
std::optional<JsonFacts> find_facts(FolderReader& folder) {
  const std::string key = "quantization_config";
  const JsonFacts& config = folder.config();
  if (config.has(key)) return config.object(key);
  if (config.has("text_config") && config.json().at("text_config").is_object()) {
    const JsonFacts text = config.object("text_config");
    if (text.has(key)) return text.object(key);
  }
  return folder.find_file("quantize_config.json");
}

}  // namespace

std::optional<Quantisation> read_quantisation(FolderReader& folder) {
  const std::optional<JsonFacts> facts = find_facts(folder);
  if (!facts) return std::nullopt;
  Quantisation read;
  read.file = facts->path();
  // quantize_config.json comes from AutoGPTQ and does not name the method.
  read.method = facts->text("quant_method").value_or("gptq");
  if (read.method == "awq") {
    read_awq(*facts, &read);
  } else if (read.method == "gptq") {
    read_gptq(*facts, &read);
  } else if (read.method == "compressed-tensors") {
    read_compressed(*facts, &read);
  } else if (read.method == "fp8") {
    read_fp8(*facts, &read);
  } else {
    facts->fail(
        "quant_method",
        format("is \"{}\"; awq, gptq, compressed-tensors and fp8 are read. Get a version of "
               "the model in one of these, a GGUF file, or the one in F16 or BF16",
               read.method));
  }
  return read;
}

}  // namespace fineprint::models
