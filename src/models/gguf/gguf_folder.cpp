// A GGUF file's facts as the files of a model folder would say them.
#include "models/gguf/gguf_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/gguf/gguf_facts.h"

namespace fineprint::models {
namespace {

// Of an architecture, the names that GGUF files and config.json have for it.
struct NamedArchitecture {
  std::string_view gguf, config, model_type;
};

constexpr std::array kArchitectures{
    NamedArchitecture{"llama", "LlamaForCausalLM", "llama"},
    NamedArchitecture{"qwen3", "Qwen3ForCausalLM", "qwen3"},
};

// Keys of a transformer's sizes, behind "ARCHITECTURE.".
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

constexpr const char* kEmbeddings = "token_embd.weight";
constexpr const char* kRopeFactors = "rope_freqs.weight";

const NamedArchitecture& architecture_of(const GgufFacts& gguf) {
  const std::string name = gguf.text("general.architecture");
  std::string known;
  for (const NamedArchitecture& architecture : kArchitectures) {
    if (architecture.gguf == name) return architecture;
    known += (known.empty() ? "" : ", ") + std::string(architecture.gguf);
  }
  gguf.fail("general.architecture",
            format("is \"{}\"; GGUF files of {} run here. A server can run others: `llama-server "
                   "-m {} --port 8080`, then --generator http://localhost:8080; or Ollama, then "
                   "--generator ollama:NAME",
                   name, known, gguf.reader().path()));
}

void check_whole_model(const GgufFacts& gguf) {
  if (gguf.has("general.type") && gguf.text("general.type") != "model") {
    gguf.fail("general.type",
              format("is \"{}\"; give the file of the language model", gguf.text("general.type")));
  }
  if (gguf.has("split.count") && gguf.integer("split.count") > 1) {
    gguf.fail(
        "split.count",
        "is over 1: the model lies in several files; put them together with `llama-gguf-split "
        "--merge FIRST-FILE WHOLE.gguf`");
  }
}

const tensorfile::TensorView* find_tensor(const GgufFacts& gguf, const std::string& name) {
  const auto& tensors = gguf.reader().tensors();
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

std::int64_t vocabulary_size(const GgufFacts& gguf) {
  const tensorfile::TensorView* embeddings = find_tensor(gguf, kEmbeddings);
  if (embeddings == nullptr || embeddings->shape.size() != 2) {
    gguf.fail(format("tensor '{}'", kEmbeddings), "is missing or no matrix");
  }
  return embeddings->shape.front();
}

// Numbers that divide the frequencies, half as many as a head has.
Json rope_factors(const GgufFacts& gguf, const tensorfile::TensorView& view) {
  if (view.blocks || view.dtype != tensorfile::Dtype::f32 || view.shape.size() != 1) {
    gguf.fail(format("tensor '{}'", kRopeFactors), "is no list of numbers in F32");
  }
  Json factors = Json::array();
  for (std::size_t at = 0; at < view.bytes.size(); at += sizeof(float)) {
    float factor = 0;
    std::memcpy(&factor, view.bytes.data() + at, sizeof factor);
    if (!std::isfinite(factor)) {
      gguf.fail(format("tensor '{}'", kRopeFactors), "holds a NaN or an infinity");
    }
    factors.push_back(factor);
  }
  return factors;
}

void add_rope(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  const std::string base = prefix + "rope.freq_base";
  if (gguf.has(base)) (*config)["rope_theta"] = gguf.number(base);
  const std::string scaling = prefix + "rope.scaling.type";
  const std::string type = gguf.has(scaling) ? gguf.text(scaling) : "none";
  if (const auto* factors = find_tensor(gguf, kRopeFactors)) {
    (*config)["rope_scaling"] = {{"rope_type", "factors"},
                                 {"factors", rope_factors(gguf, *factors)}};
  } else if (type == "linear") {
    (*config)["rope_scaling"] = {{"rope_type", type},
                                 {"factor", gguf.number(prefix + "rope.scaling.factor")}};
  } else if (type != "none") {
    gguf.fail(scaling, format("is \"{}\"; none and linear are supported", type));
  }
}

// Heads' width, and how much of it is rotated.
void add_head_width(const GgufFacts& gguf, const std::string& prefix, Json* config) {
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
    gguf.fail(value, format("is not {}, the width of keys; that is not supported", width));
  }
  if (gguf.has(rotated) && gguf.integer(rotated) != width) {
    gguf.fail(rotated, format("is not {}, the width of heads; that is not supported", width));
  }
}

Json config_of(const GgufFacts& gguf) {
  const NamedArchitecture& named = architecture_of(gguf);
  const std::string prefix = std::string(named.gguf) + ".";
  Json config{{"architectures", {named.config}},
              {"model_type", named.model_type},
              {"rms_norm_eps", gguf.number(prefix + "attention.layer_norm_rms_epsilon")},
              {"vocab_size", vocabulary_size(gguf)},
              {"tie_word_embeddings", find_tensor(gguf, "output.weight") == nullptr}};
  for (const NamedKey& key : kSizes) {
    const std::string name = prefix + key.gguf;
    // Without keys of their own, queries share none.
    const bool may_be_absent = std::string_view(key.config) == "num_key_value_heads";
    if (!may_be_absent || gguf.has(name)) config[key.config] = gguf.integer(name);
  }
  if (gguf.has(prefix + "expert_count") && gguf.integer(prefix + "expert_count") > 0) {
    gguf.fail(prefix + "expert_count", "is over 0: mixtures of experts are not supported");
  }
  const std::string window = prefix + "attention.sliding_window";
  if (gguf.has(window)) config["sliding_window"] = gguf.integer(window);
  add_head_width(gguf, prefix, &config);
  add_rope(gguf, prefix, &config);
  return config;
}

// Tokens that end a reply: those that the file names, and the ends of a turn that are listed as
// control tokens (files of chat models name the end of a text at times, and their templates
// another).
Json end_tokens_of(const GgufFacts& gguf) {
  std::set<std::int64_t> ids;
  for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                          "tokenizer.ggml.eom_token_id"}) {
    if (gguf.has(key)) ids.insert(gguf.integer(key));
  }
  constexpr std::int64_t kControl = 3;
  const std::vector<std::string> tokens = gguf.texts("tokenizer.ggml.tokens");
  const std::vector<std::int64_t> kinds = gguf.integers("tokenizer.ggml.token_type");
  for (std::size_t id = 0; id < std::min(tokens.size(), kinds.size()); ++id) {
    const bool ends_turn =
        tokens[id] == "<|im_end|>" || tokens[id] == "<|eot_id|>" || tokens[id] == "<|end|>";
    if (ends_turn && kinds[id] == kControl) ids.insert(static_cast<std::int64_t>(id));
  }
  return ids;
}

struct NamedTensor {
  std::string_view gguf, folder;
};

constexpr std::array<NamedTensor, 3> kOutsideLayers{{
    {"token_embd.", "model.embed_tokens."},
    {"output_norm.", "model.norm."},
    {"output.", "lm_head."},
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

// The name with its beginning exchanged, or "".
std::string exchanged(std::span<const NamedTensor> names, std::string_view name) {
  for (const NamedTensor& named : names) {
    if (name.starts_with(named.gguf)) {
      return std::string(named.folder) + std::string(name.substr(named.gguf.size()));
    }
  }
  return {};
}

}  // namespace

std::map<std::string, Json> folder_files(const tensorfile::GgufReader& reader) {
  const GgufFacts gguf(reader);
  check_whole_model(gguf);
  std::map<std::string, Json> files;
  files["config.json"] = config_of(gguf);
  files["generation_config.json"] = {{"eos_token_id", end_tokens_of(gguf)}};
  Json tokenizer = Json::object();
  const std::string chat = "tokenizer.chat_template";
  if (gguf.has(chat)) tokenizer["chat_template"] = gguf.text(chat);
  files["tokenizer_config.json"] = tokenizer;
  return files;
}

std::string folder_name(const std::string& gguf_name) {
  constexpr std::string_view kLayer = "blk.";
  std::string name;
  if (gguf_name.starts_with(kLayer)) {
    const std::size_t dot = gguf_name.find('.', kLayer.size());
    if (dot == std::string::npos) return gguf_name;
    const std::string layer = gguf_name.substr(kLayer.size(), dot - kLayer.size());
    name = exchanged(kInLayers, std::string_view(gguf_name).substr(dot + 1));
    if (!name.empty()) name = "model.layers." + layer + "." + name;
  } else {
    name = exchanged(kOutsideLayers, gguf_name);
  }
  return name.empty() ? gguf_name : name;
}

}  // namespace fineprint::models
