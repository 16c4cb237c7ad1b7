// Sentence encoders: BERT, pooled to one vector. Sources: Devlin et al., "BERT" (2019); Reimers and
// Gurevych, "Sentence-BERT" (2019), section 3.
#include "models/families/bert.h"

#include <algorithm>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// The folder of the pooling module, after checking that no module is there that is not known.
std::string pooling_folder(const JsonFacts& modules) {
  if (!modules.json().is_array()) {
    throw Error(ErrorCode::model, format("{}: not a JSON array", modules.path()));
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

Pooling read_pooling(const JsonFacts& facts) {
  const bool mean = facts.flag_or("pooling_mode_mean_tokens", false);
  const bool first_token = facts.flag_or("pooling_mode_cls_token", false);
  if (mean == first_token) {
    facts.fail("pooling_mode_mean_tokens",
               "or \"pooling_mode_cls_token\" must be true, and only one of them");
  }
  for (const std::string other : {"pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens",
                                  "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"}) {
    facts.expect_flag(other, false);
  }
  return mean ? Pooling::mean : Pooling::first_token;
}

// What the model was trained to read before questions and passages, from the file in which Sentence
// Transformers keeps it. A file without any of it is left alone: it has no part in the vectors.
void read_prefixes(FolderReader& folder, Prompt* prompt) {
  const std::string name = "config_sentence_transformers.json";
  if (!is_plain_file(folder.dir() + "/" + name)) return;
  const JsonFacts kept(folder.dir() + "/" + name);
  if (!kept.has("prompts")) return;
  const JsonFacts prompts = kept.object("prompts");
  prompt->query_prefix = prompts.text("query").value_or("");
  const auto passage = prompts.has("passage") ? prompts.text("passage") : prompts.text("document");
  prompt->passage_prefix = passage.value_or("");
  if (!prompt->query_prefix.empty() || !prompt->passage_prefix.empty()) folder.path(name, "");
}

ModelSpec read_folder(FolderReader& folder) {
  const TextEncoder encoder = read_bert(folder.config());
  const JsonFacts modules =
      folder.file("modules.json", "the folder does not hold a sentence encoder");
  ModelSpec spec;
  spec.trunk = encoder;
  spec.head.pooling = read_pooling(folder.file(pooling_folder(modules) + "/config.json", {}));
  const JsonFacts sentence = folder.file("sentence_bert_config.json", {});
  const int longest = encoder.max_positions;
  spec.prompt.max_tokens =
      std::min(sentence.integer_or("max_seq_length", 3, 1 << 20, longest), longest);
  spec.prompt.lower_case = sentence.flag_or("do_lower_case", false);
  spec.prompt.add_special = true;
  read_prefixes(folder, &spec.prompt);
  PartTensors trunk = trunk_tensors(encoder, {"", "bert."});
  trunk.unused.push_back("cls.*");  // the heads of pre-training
  spec.parts = {trunk};
  return spec;
}

}  // namespace

TextEncoder read_bert(const JsonFacts& config) {
  config.expect_text("model_type", "bert", false);
  config.expect_text("hidden_act", "gelu", false);
  config.expect_text("position_embedding_type", "absolute", true);
  config.expect_flag("is_decoder", false);
  return read_text_encoder(config);
}

Family bert_family() { return {"bert", {"BertModel", "BertForMaskedLM"}, read_folder}; }

}  // namespace fineprint::models
