// Presents a GGUF file's facts as the files of a model folder.
#include "models/gguf/gguf_folder.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/gguf/gguf_architectures.h"
#include "models/gguf/gguf_encoders.h"
#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"

namespace fineprint::models {
namespace {

constexpr const char* kEmbeddings = "token_embd.weight";
constexpr const char* kRopeFactors = "rope_freqs.weight";

// Keys of a transformer's sizes, after "ARCHITECTURE.".
struct NamedKey {
  const char *gguf, *config;
};

constexpr std::array<NamedKey, 6> kSizes{{
    {"block_count", "num_hidden_layers"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
}};

void check_whole_model(const GgufFacts& gguf) {
  if (gguf.has("general.type") && gguf.text("general.type") != "model") {
    gguf.fail("general.type",
              format("is \"{}\"; give the file of the language model", gguf.text("general.type")));
  }
  const bool whole = gguf.reader().paths().size() == 1;
  if (whole && gguf.has("split.count") && gguf.integer("split.count") > 1) {
    gguf.fail("split.count",
              format("is {}, but the file does not have the name of a part; give the files of this "
                     "model their names back: NAME-00001-of-{:05}.gguf and so on",
                     gguf.integer("split.count"), gguf.integer("split.count")));
  }
}

std::int64_t vocabulary_size(const GgufFacts& gguf) {
  const tensorfile::TensorView* embeddings = gguf.find_tensor(kEmbeddings);
  if (embeddings == nullptr || embeddings->shape.size() != 2) {
    gguf.fail(format("tensor '{}'", kEmbeddings), "is missing or is not a matrix");
  }
  return embeddings->shape.front();
}

// Returns the facts of YaRN. A file has the logarithm's weight only for models that normalise their
// queries and keys by it, and then the other weight is 1.
Json yarn_facts(const GgufFacts& gguf, const std::string& scaling) {
  Json facts{{"rope_type", "yarn"}, {"factor", gguf.number(scaling + "factor")}};
  const std::string original = scaling + "original_context_length";
  if (gguf.has(original)) facts["original_max_position_embeddings"] = gguf.integer(original);
  for (const auto& [key, name] :
       {std::pair{"yarn_beta_fast", "beta_fast"}, {"yarn_beta_slow", "beta_slow"}}) {
    if (gguf.has(scaling + key)) facts[name] = gguf.number(scaling + key);
  }
  const std::string weight = scaling + "yarn_log_multiplier";
  if (gguf.has(weight) && gguf.number(weight) != 0) {
    facts["mscale"] = 1;
    facts["mscale_all_dim"] = gguf.number(weight);
  }
  for (const char* key : {"attn_factor", "yarn_attn_factor", "yarn_ext_factor"}) {
    if (gguf.has(scaling + key) && gguf.number(scaling + key) != 1) {
      gguf.fail(scaling + key, "is not 1, which is not supported for YaRN");
    }
  }
  return facts;
}

void add_rope(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  const std::string base = prefix + "rope.freq_base";
  if (gguf.has(base)) (*config)["rope_theta"] = gguf.number(base);
  const std::string scaling = prefix + "rope.scaling.type";
  const std::string type = gguf.has(scaling) ? gguf.text(scaling) : "none";
  if (const auto* factors = gguf.find_tensor(kRopeFactors)) {
    (*config)["rope_scaling"] = {{"rope_type", "factors"},
                                 {"factors", rope_factors(gguf, *factors)}};
  } else if (type == "linear") {
    (*config)["rope_scaling"] = {{"rope_type", type},
                                 {"factor", gguf.number(prefix + "rope.scaling.factor")}};
  } else if (type == "yarn") {
    (*config)["rope_scaling"] = yarn_facts(gguf, prefix + "rope.scaling.");
  } else if (type != "none" && (type != "longrope" || gguf.find_tensor(kLongFactors) == nullptr)) {
    gguf.fail(scaling, format("is \"{}\"; none, linear and yarn are supported", type));
  }
}

// Adds the width of heads and how much of it is rotated.
void add_head_width(const GgufFacts& gguf, const std::string& prefix, bool partly_rotated,
                    Json* config) {
  const std::string key = prefix + "attention.key_length";
  const std::string value = prefix + "attention.value_length";
  const std::string rotated = prefix + "rope.dimension_count";
  const std::int64_t heads =
      std::max<std::int64_t>(1, gguf.integer(prefix + "attention.head_count"));
  std::int64_t width = gguf.integer(prefix + "embedding_length") / heads;
  if (gguf.has(key)) {
    width = gguf.integer(key);
    (*config)["head_dim"] = width;
  }
  if (gguf.has(value) && gguf.integer(value) != width) {
    gguf.fail(value, format("is not {}, the width of keys, which is not supported", width));
  }
  if (!gguf.has(rotated) || gguf.integer(rotated) == width) return;
  const std::int64_t turned = gguf.integer(rotated);
  if (!partly_rotated || turned < 2 || turned > width) {
    gguf.fail(rotated, format("is not {}, the width of heads, which is not supported", width));
  }
  (*config)["partial_rotary_factor"] = static_cast<double>(turned) / static_cast<double>(width);
}

// A language model that judges: in place of the head, it has the rows of the tokens "yes" and "no".
void add_verdicts(const GgufFacts& gguf, const NamedArchitecture& named, Json* config) {
  if (named.gguf != "qwen3" || gguf.find_tensor("cls.output.weight") == nullptr) {
    gguf.fail(std::string(named.gguf) + ".pooling_type",
              "is 4 (ranks): of language models, only Qwen3-Reranker with the tensor "
              "'cls.output.weight' is supported");
  }
  const std::vector<std::string> labels = gguf.texts("qwen3.classifier.output_labels");
  if (!labels.empty() && labels != std::vector<std::string>{"yes", "no"}) {
    gguf.fail("qwen3.classifier.output_labels", "are not \"yes\" and \"no\"");
  }
  (*config)["architectures"] = {"Qwen3ForSequenceClassification"};
  (*config)["id2label"] = {{"0", "yes"}, {"1", "no"}};
}

Json config_of(const GgufFacts& gguf) {
  const NamedArchitecture& named = architecture_of(gguf);
  const std::string prefix = std::string(named.gguf) + ".";
  Json config{{"architectures", {named.config}},
              {"model_type", named.model_type},
              {"rms_norm_eps", gguf.number(prefix + "attention.layer_norm_rms_epsilon")},
              {"vocab_size", vocabulary_size(gguf)},
              {"tie_word_embeddings", gguf.find_tensor("output.weight") == nullptr}};
  for (const NamedKey& key : kSizes) {
    const std::string name = prefix + key.gguf;
    // If it is absent, every query head has a key head of its own, or every layer has experts.
    const bool may_be_absent =
        std::string_view(key.config) == "num_key_value_heads" ||
        (named.mixes_experts && std::string_view(key.config) == "intermediate_size");
    const bool listed = named.kv_heads_by_layer && name.ends_with("head_count_kv");
    if ((!may_be_absent || gguf.has(name)) && !listed) config[key.config] = gguf.integer(name);
  }
  const bool mixes = gguf.has(prefix + "expert_count") && gguf.integer(prefix + "expert_count") > 0;
  if (mixes && !named.mixes_experts) {
    gguf.fail(prefix + "expert_count",
              "is over 0: mixtures of experts are not supported in this architecture");
  }
  const std::string window = prefix + "attention.sliding_window";
  if (gguf.has(window)) config["sliding_window"] = gguf.integer(window);
  add_head_width(gguf, prefix, named.partly_rotated, &config);
  add_rope(gguf, prefix, &config);
  if (named.add_own != nullptr) named.add_own(gguf, prefix, &config);
  if (ranks_pairs(gguf)) add_verdicts(gguf, named, &config);
  return config;
}

// Returns the model's name as folders write it, for example "Bge-Small-En-V1.5".
std::string name_in_folders(const GgufFacts& gguf) {
  std::string name = gguf.text("general.name");
  std::ranges::replace(name, ' ', '-');
  return name;
}

// Returns the tokens that end a reply: the ones that the file names, end-of-turn tokens that are
// listed as control tokens, and the token for padding, which Qwen's models write after a text.
// Files of chat models sometimes name only the end of a text, while their templates use another
// token.
Json end_tokens_of(const GgufFacts& gguf) {
  std::set<std::int64_t> ids;
  for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                          "tokenizer.ggml.eom_token_id"}) {
    if (gguf.has(key)) ids.insert(gguf.integer(key));
  }
  constexpr std::int64_t kControl = 3;
  const std::vector<std::string> tokens = gguf.texts("tokenizer.ggml.tokens");
  const std::vector<std::int64_t> kinds = gguf.integers("tokenizer.ggml.token_type");
  const std::string padding = "tokenizer.ggml.padding_token_id";
  // Files of models that were trained without padding may name a token that is not there.
  const std::int64_t id_of_padding = gguf.has(padding) ? gguf.integer(padding) : -1;
  if (id_of_padding >= 0 && id_of_padding < std::ssize(tokens)) ids.insert(id_of_padding);
  for (std::size_t id = 0; id < std::min(tokens.size(), kinds.size()); ++id) {
    const bool ends_turn = tokens[id] == "<|im_end|>" || tokens[id] == "<|eot_id|>" ||
                           tokens[id] == "<|end|>" || tokens[id] == "<end_of_turn>" ||
                           tokens[id] == "<end_of_utterance>";
    if (ends_turn && kinds[id] == kControl) ids.insert(static_cast<std::int64_t>(id));
  }
  return ids;
}

constexpr std::array<NamedTensor, 7> kOutsideLayers{{
    {"cls.output.", "score."},
    {"token_embd.", "model.embed_tokens."},
    {"output_norm.", "model.norm."},
    {"token_embd_norm.", "model.norm."},  // LFM2's name of the last norm
    {"output.", "lm_head."},
    {"dense_2.", "2_Dense/linear."},
    {"dense_3.", "3_Dense/linear."},
}};

constexpr std::array<NamedTensor, 11> kInLayers{{
    {"attn_norm.", "input_layernorm."},
    {"attn_q.", "self_attn.q_proj."},
    {"attn_k.", "self_attn.k_proj."},
    {"attn_v.", "self_attn.v_proj."},
    {"attn_output.", "self_attn.o_proj."},
    {"attn_q_norm.", "self_attn.q_norm."},
    {"attn_k_norm.", "self_attn.k_norm."},
    {"ffn_norm.", "post_attention_layernorm."},
    {"ffn_gate.", "mlp.gate_proj."},
    {"ffn_up.", "mlp.up_proj."},
    {"ffn_down.", "mlp.down_proj."},
}};

}  // namespace

std::map<std::string, Json> folder_files(const tensorfile::GgufReader& reader) {
  const GgufFacts gguf(reader);
  check_whole_model(gguf);
  std::map<std::string, Json> files;
  add_pooling(gguf, &files);
  const bool encodes = is_encoder_architecture(gguf.text("general.architecture"));
  Json& config = files["config.json"];
  config = encodes ? encoder_config(gguf) : config_of(gguf);
  if (gguf.has("general.name")) config["_name_or_path"] = name_in_folders(gguf);
  files["generation_config.json"] = {{"eos_token_id", end_tokens_of(gguf)}};
  Json tokenizer = Json::object();
  const std::string chat = "tokenizer.chat_template";
  if (gguf.has(chat)) tokenizer["chat_template"] = gguf.text(chat);
  files["tokenizer_config.json"] = tokenizer;
  return files;
}

std::string folder_name(const std::string& gguf_name, std::string_view architecture) {
  constexpr std::string_view kLayer = "blk.", kFolderLayer = "model.layers.";
  if (is_encoder_architecture(architecture)) {
    const std::string of_encoder = encoder_tensor(gguf_name, architecture);
    return of_encoder.empty() ? gguf_name : of_encoder;
  }
  const NamedArchitecture* named = find_architecture(architecture);
  std::string name;
  if (named != nullptr) {
    name = exchanged_layer(kLayer, kFolderLayer, named->in_layers, gguf_name);
  }
  if (name.empty()) name = exchanged_layer(kLayer, kFolderLayer, kInLayers, gguf_name);
  if (name.empty()) name = exchanged_name(kOutsideLayers, gguf_name);
  return name.empty() ? gguf_name : name;
}

}  // namespace fineprint::models
