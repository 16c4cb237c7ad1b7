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

// "cls.output." comes first, because "cls." is its beginning.
constexpr std::array<NamedTensor, 6> kBertOutside{{
    {"cls.output.", "classifier."},
    {"cls.", "bert.pooler.dense."},
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

// The pooling type of cross-encoders.
constexpr std::int64_t kPoolsRanks = 4;

// Its files have the facts and tensors of a language model, but are always encoders.
constexpr std::string_view kGemmaEmbedding = "gemma-embedding";

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

// Returns rows and columns.
std::vector<std::int64_t> matrix_shape(const GgufFacts& gguf, const std::string& name) {
  const tensorfile::TensorView* found = gguf.find_tensor(name);
  if (found == nullptr || found->shape.size() != 2) {
    gguf.fail(format("tensor '{}'", name), "is missing or is not a matrix");
  }
  return found->shape;
}

std::int64_t rows_of(const GgufFacts& gguf, const std::string& name) {
  return matrix_shape(gguf, name).front();
}

// Returns modules.json as Sentence Transformers writes it.
Json listed_modules(std::span<const std::string> kinds) {
  Json modules = Json::array();
  for (std::size_t at = 0; at < kinds.size(); ++at) {
    modules.push_back({{"type", "sentence_transformers.models." + kinds[at]},
                       {"path", at == 0 ? std::string() : format("{}_{}", at, kinds[at])}});
  }
  return modules;
}

// Adds the layers after the pooling, which are dense_2 and dense_3. Only files of EmbeddingGemma
// have them. llama.cpp's converter leaves them out by default; vectors without
// them would not be the model's.
void add_last_layers(const GgufFacts& gguf, std::vector<std::string>* modules,
                     std::map<std::string, Json>* files) {
  if (gguf.text("general.architecture") != kGemmaEmbedding) return;
  for (const int number : {2, 3}) {
    const std::string name = format("dense_{}.weight", number);
    if (gguf.find_tensor(name) == nullptr) {
      gguf.fail(format("tensor '{}'", name),
                "is missing: the file lacks the model's last layers; get another one, or convert "
                "the model again with --sentence-transformers-dense-modules");
    }
    const std::vector<std::int64_t> shape = matrix_shape(gguf, name);
    (*files)[format("{}_Dense/config.json", number)] = {
        {"in_features", shape[1]},
        {"out_features", shape[0]},
        {"bias", false},
        {"activation_function", "torch.nn.modules.linear.Identity"}};
    modules->emplace_back("Dense");
  }
}

// Says that a cross-encoder gives one number, after checking that the file has both of its layers.
void add_pair_score(const GgufFacts& gguf, const EncoderKind& kind, Json* config) {
  const std::string key = std::string(kind.gguf) + ".pooling_type";
  if (kind.model_type != "bert") {
    gguf.fail(key, format("is 4 (ranks); cross-encoders of {} are read from folders, not from GGUF "
                          "files",
                          kind.gguf));
  }
  for (const char* name : {"cls.weight", "cls.output.weight"}) {
    if (gguf.find_tensor(name) != nullptr) continue;
    gguf.fail(format("tensor '{}'", name),
              "is missing: converters leave out a layer of some cross-encoders (ms-marco-MiniLM), "
              "without which scores are not the model's; get the folder of safetensors instead");
  }
  (*config)["architectures"] = {"BertForSequenceClassification"};
  (*config)["id2label"] = {{"0", "LABEL_0"}};
}

}  // namespace

bool ranks_pairs(const GgufFacts& gguf) {
  const std::string key = gguf.text("general.architecture") + ".pooling_type";
  return gguf.has(key) && gguf.integer(key) == kPoolsRanks;
}

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
  if (ranks_pairs(gguf)) add_pair_score(gguf, kind, &config);
  return config;
}

void add_pooling(const GgufFacts& gguf, std::map<std::string, Json>* files) {
  constexpr std::int64_t kNone = 0, kMean = 1, kFirst = 2, kLast = 3;
  const std::string architecture = gguf.text("general.architecture");
  const bool encodes = is_encoder_architecture(architecture) || architecture == kGemmaEmbedding;
  const std::string key = architecture + ".pooling_type";
  // Language models may lack the key, encoders must have it.
  const std::int64_t type = gguf.has(key) || encodes ? gguf.integer(key) : kNone;
  // Cross-encoders make no vectors.
  if ((type == kNone && !encodes) || type == kPoolsRanks) return;
  if (type < kMean || type > kLast) {
    gguf.fail(key, format("is {}; pooling of texts may be 1 (mean), 2 (first token) or 3 (last "
                          "token)",
                          type));
  }
  (*files)["1_Pooling/config.json"] = {{"pooling_mode_mean_tokens", type == kMean},
                                       {"pooling_mode_cls_token", type == kFirst},
                                       {"pooling_mode_lasttoken", type == kLast}};
  std::vector<std::string> modules{"Transformer", "Pooling"};
  add_last_layers(gguf, &modules, files);
  // Normalised, because llama.cpp's vectors have unit length, too.
  modules.emplace_back("Normalize");
  (*files)["modules.json"] = listed_modules(modules);
}

std::string encoder_tensor(const std::string& gguf_name, std::string_view architecture) {
  const EncoderKind* kind = find_encoder(architecture);
  if (kind == nullptr) return {};
  const std::string name = exchanged_layer("blk.", kind->in_layers, kind->layers, gguf_name);
  return name.empty() ? exchanged_name(kind->outside, gguf_name) : name;
}

}  // namespace fineprint::models
