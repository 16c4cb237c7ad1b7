// Describes GGUF files of text encoders in the terms of a folder's files.
#include "models/gguf/gguf_encoders.h"

#include <algorithm>
#include <array>
#include <span>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "models/gguf/gguf_names.h"

namespace fineprint::models {
namespace {

constexpr std::array<NamedTensor, 4> kBertOutside{{
    {"token_embd.", "embeddings.word_embeddings."},
    {"token_embd_norm.", "embeddings.LayerNorm."},
    {"token_types.", "embeddings.token_type_embeddings."},
    {"position_embd.", "embeddings.position_embeddings."},
}};

constexpr std::array<NamedTensor, 8> kBertLayers{{
    {"attn_q.", "attention.self.query."},
    {"attn_k.", "attention.self.key."},
    {"attn_v.", "attention.self.value."},
    {"attn_output.", "attention.output.dense."},
    {"attn_output_norm.", "attention.output.LayerNorm."},
    {"ffn_up.", "intermediate.dense."},
    {"ffn_down.", "output.dense."},
    {"layer_output_norm.", "output.LayerNorm."},
}};

constexpr std::array<NamedTensor, 3> kNomicOutside{{
    {"token_embd.", "embeddings.word_embeddings."},
    {"token_embd_norm.", "emb_ln."},
    {"token_types.", "embeddings.token_type_embeddings."},
}};

constexpr std::array<NamedTensor, 7> kNomicLayers{{
    {"attn_qkv.", "attn.Wqkv."},
    {"attn_output.", "attn.out_proj."},
    {"attn_output_norm.", "norm1."},
    {"ffn_up.", "mlp.fc11."},
    {"ffn_gate.", "mlp.fc12."},
    {"ffn_down.", "mlp.fc2."},
    {"layer_output_norm.", "norm2."},
}};

// An encoder architecture and how folders describe it.
struct EncoderKind {
  std::string_view gguf;                // the architecture
  std::string_view config, model_type;  // in config.json
  std::span<const NamedTensor> outside;
  std::string_view in_layers;
  std::span<const NamedTensor> layers;
};

// "bert" is also XLM-R and RoBERTa: in these files the table of positions begins after the rows of
// padding.
constexpr std::array<EncoderKind, 2> kEncoders{{
    {"bert", "BertModel", "bert", kBertOutside, "encoder.layer.", kBertLayers},
    {"nomic-bert", "NomicBertModel", "nomic_bert", kNomicOutside, "encoder.layers.", kNomicLayers},
}};

const EncoderKind* find_encoder(std::string_view architecture) {
  const auto found = std::ranges::find(kEncoders, architecture, &EncoderKind::gguf);
  return found == kEncoders.end() ? nullptr : &*found;
}

std::int64_t rows_of(const GgufFacts& gguf, const std::string& name) {
  const auto& tensors = gguf.reader().tensors();
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.shape.size() != 2) {
    gguf.fail(format("tensor '{}'", name), "is missing or is not a matrix");
  }
  return found->second.shape.front();
}

}  // namespace

bool is_encoder_architecture(std::string_view architecture) {
  return find_encoder(architecture) != nullptr;
}

std::string encoder_architectures() { return join_texts(kEncoders, ", ", &EncoderKind::gguf); }

Json encoder_config(const GgufFacts& gguf) {
  const std::string architecture = gguf.text("general.architecture");
  const EncoderKind& kind = *find_encoder(architecture);
  const std::string prefix = architecture + ".";
  if (gguf.flag_or(prefix + "attention.causal", false)) {
    gguf.fail(prefix + "attention.causal", "is true, which is not supported for an encoder");
  }
  Json config{{"architectures", {kind.config}},
              {"model_type", kind.model_type},
              {"num_hidden_layers", gguf.integer(prefix + "block_count")},
              {"max_position_embeddings", gguf.integer(prefix + "context_length")},
              {"hidden_size", gguf.integer(prefix + "embedding_length")},
              {"intermediate_size", gguf.integer(prefix + "feed_forward_length")},
              {"num_attention_heads", gguf.integer(prefix + "attention.head_count")},
              {"layer_norm_eps", gguf.number(prefix + "attention.layer_norm_epsilon")},
              // Files do not give these sizes, so the shapes of tensors do.
              {"vocab_size", rows_of(gguf, "token_embd.weight")},
              {"type_vocab_size", rows_of(gguf, "token_types.weight")}};
  // BERT's recipe needs it; Nomic's recipe sets its own.
  if (kind.model_type == "bert") config["hidden_act"] = "gelu";
  const std::string base = prefix + "rope.freq_base";
  if (gguf.has(base)) config["rope_theta"] = gguf.number(base);
  const std::string scaling = prefix + "rope.scaling.type";
  if (gguf.has(scaling) && gguf.text(scaling) != "none") {
    gguf.fail(scaling,
              format("is \"{}\", which is not supported for an encoder", gguf.text(scaling)));
  }
  return config;
}

void add_pooling(const GgufFacts& gguf, std::map<std::string, Json>* files) {
  constexpr std::int64_t kNone = 0, kMean = 1, kFirst = 2, kLast = 3, kRanks = 4;
  const std::string architecture = gguf.text("general.architecture");
  const bool encodes = is_encoder_architecture(architecture);
  const std::string key = architecture + ".pooling_type";
  // Language models may lack the key, encoders must have it.
  const std::int64_t type = gguf.has(key) || encodes ? gguf.integer(key) : kNone;
  if (type == kNone && !encodes) return;
  if (type == kRanks) {
    gguf.fail(key, "is 4 (ranks): cross-encoders are read from folders, not from GGUF files");
  }
  if (type < kMean || type > kLast) {
    gguf.fail(key, format("is {}; pooling of texts may be 1 (mean), 2 (first token) or 3 (last "
                          "token)",
                          type));
  }
  // As Sentence Transformers writes them. Normalised, because llama.cpp's vectors have unit length,
  // too.
  Json modules = Json::array();
  for (const auto& [kind, path] : {std::pair("Transformer", ""), std::pair("Pooling", "1_Pooling"),
                                   std::pair("Normalize", "2_Normalize")}) {
    modules.push_back(
        {{"type", std::string("sentence_transformers.models.") + kind}, {"path", path}});
  }
  (*files)["modules.json"] = modules;
  (*files)["1_Pooling/config.json"] = {{"pooling_mode_mean_tokens", type == kMean},
                                       {"pooling_mode_cls_token", type == kFirst},
                                       {"pooling_mode_lasttoken", type == kLast}};
}

std::string encoder_tensor(const std::string& gguf_name, std::string_view architecture) {
  const EncoderKind* kind = find_encoder(architecture);
  if (kind == nullptr) return {};
  const std::string name = exchanged_layer("blk.", kind->in_layers, kind->layers, gguf_name);
  return name.empty() ? exchanged_name(kind->outside, gguf_name) : name;
}

}  // namespace fineprint::models
