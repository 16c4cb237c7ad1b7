// Reads what folders of text encoders contain in addition to config.json. Sources: Reimers and
// Gurevych, "Sentence-BERT" (2019), section 3; Chaffin and Sourty, "PyLate" (2025); the files that
// both libraries write.
#include "models/sentence_folder.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/parts.h"
#include "models/sentence_modules.h"
#include "models/sparse_folder.h"

namespace fineprint::models {
namespace {

constexpr const char* kPromptsFile = "config_sentence_transformers.json";
// Limits for files from strangers, far above what published folders have.
constexpr std::size_t kMostSkipped = 1 << 12;
constexpr std::size_t kMostDense = 16;

// Refuses modules whose work is not known.
void expect_known(const JsonFacts& modules, const std::vector<Module>& all) {
  for (const Module& module : all) {
    const bool known = module.kind == "Transformer" || module.kind == "Pooling" ||
                       module.kind == "Dense" || module.kind == "Normalize" ||
                       module.kind == "Dropout";
    if (known) continue;
    modules.fail("type", format("is \"{}\"; only Transformer, Pooling, Dense, Normalize, Dropout, "
                                "and those of sparse encoders are supported",
                                module.type));
  }
}

Pooling pooling_called(const JsonFacts& facts, const std::string& mode) {
  if (mode == "mean") return Pooling::mean;
  if (mode == "cls") return Pooling::first_token;
  if (mode == "lasttoken") return Pooling::last_token;
  facts.fail("pooling_mode", format("is \"{}\"; only mean, cls and lasttoken are supported", mode));
}

Pooling read_pooling(const JsonFacts& facts) {
  if (facts.has("pooling_mode")) {
    const std::vector<std::string> modes = facts.texts("pooling_mode", 8);
    if (modes.size() != 1) {
      facts.fail("pooling_mode",
                 "lists several modes, whose vectors would be concatenated; only one mode is "
                 "supported");
    }
    return pooling_called(facts, modes.front());
  }
  // Older files have one flag for each mode.
  const bool mean = facts.flag_or("pooling_mode_mean_tokens", false);
  const bool first_token = facts.flag_or("pooling_mode_cls_token", false);
  const bool last_token = facts.flag_or("pooling_mode_lasttoken", false);
  if (mean + first_token + last_token != 1) {
    facts.fail("pooling_mode_mean_tokens",
               "or \"pooling_mode_cls_token\" or \"pooling_mode_lasttoken\" must be true, and only "
               "one of them");
  }
  // Other modes would change the vectors, so a folder that asks for one is refused.
  for (const std::string other : {"pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens",
                                  "pooling_mode_weightedmean_tokens"}) {
    facts.expect_flag(other, false);
  }
  return mean ? Pooling::mean : first_token ? Pooling::first_token : Pooling::last_token;
}

std::optional<Activation> read_activation(const JsonFacts& facts) {
  const std::string name = facts.text("activation_function").value_or("");
  const std::string last = name.substr(name.rfind('.') + 1);
  // Names are those of PyTorch's classes, with their modules in front.
  if (last == "Identity") return std::nullopt;
  if (last == "Tanh") return Activation::tanh;
  if (last == "GELU") return Activation::gelu;
  if (last == "SiLU") return Activation::silu;
  facts.fail("activation_function",
             format("is \"{}\"; only Identity, Tanh, GELU and SiLU are supported", name));
}

DenseLayer read_dense(FolderReader& folder, const std::string& path) {
  const JsonFacts facts = folder.file(path + "/config.json", {});
  DenseLayer layer;
  layer.folder = path;
  layer.in = facts.integer("in_features", 1, kMaxInner);
  layer.out = facts.integer("out_features", 1, kMaxInner);
  layer.bias = facts.flag_or("bias", true);
  layer.activation = read_activation(facts);
  layer.residual = facts.flag_or("use_residual", false);
  return layer;
}

// Each layer must fit the one before; the first must fit the trunk.
void add_dense(FolderReader& folder, const std::string& path, ModelSpec* spec) {
  std::vector<DenseLayer>& layers = spec->head.dense;
  const int hidden = std::visit([](const auto& trunk) { return trunk.hidden; }, spec->trunk);
  const int width = layers.empty() ? hidden : layers.back().out;
  DenseLayer layer = read_dense(folder, path);
  if (layer.in != width || layers.size() == kMostDense) {
    throw Error(ErrorCode::model,
                format("{}/{}/config.json: \"in_features\" is {}, but the layer's "
                       "input has {} values",
                       folder.dir(), path, layer.in, width));
  }
  spec->parts.push_back(dense_tensors(layer));
  layers.push_back(std::move(layer));
}

std::string prompt_of(const JsonFacts& prompts, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto text = prompts.text(name); text && !text->empty()) return *text;
  }
  return {};
}

// Reads the prefixes that the model was trained with. A file without prefixes does not count as
// read, because it has no effect on the vectors.
void read_prompts(const JsonFacts& kept, Prompt* prompt) {
  if (!kept.has("prompts")) return;
  const JsonFacts prompts = kept.object("prompts");
  prompt->query_prefix = prompt_of(prompts, {"query"});
  prompt->passage_prefix = prompt_of(prompts, {"passage", "document"});
  const std::string always = kept.text("default_prompt_name").value_or("");
  if (always.empty()) return;
  const std::string otherwise = prompts.text(always).value_or("");
  if (prompt->query_prefix.empty()) prompt->query_prefix = otherwise;
  if (prompt->passage_prefix.empty()) prompt->passage_prefix = otherwise;
}

// Throws unless the model compares vectors by cosine, because here all vectors get unit length.
void expect_cosine(const JsonFacts& kept, bool normalized) {
  const std::string similarity = kept.text("similarity_fn_name").value_or("cosine");
  if (similarity == "cosine" || (similarity == "dot" && normalized)) return;
  kept.fail("similarity_fn_name", format("is \"{}\"; only models that compare vectors by their "
                                         "cosine are supported",
                                         similarity));
}

void read_prefixes(FolderReader& folder, bool normalized, Prompt* prompt) {
  // The file is optional in the layout of Sentence Transformers.
  if (!is_plain_file(folder.dir() + "/" + kPromptsFile)) return;
  const JsonFacts kept(folder.dir() + "/" + kPromptsFile);
  expect_cosine(kept, normalized);
  read_prompts(kept, prompt);
  if (!prompt->query_prefix.empty() || !prompt->passage_prefix.empty()) {
    folder.path(kPromptsFile, "");
  }
}

// Reads the prompt of a model in PyLate's layout, with PyLate's defaults.
void read_late_prompt(FolderReader& folder, int longest, Prompt* prompt) {
  const JsonFacts kept = folder.file(kPromptsFile,
                                     "without it the lengths and markers are not "
                                     "known");
  prompt->query_marker = kept.text("query_prefix").value_or("[Q] ");
  prompt->passage_marker = kept.text("document_prefix").value_or("[D] ");
  prompt->query_tokens = kept.integer_or("query_length", 4, longest, std::min(32, longest));
  prompt->passage_tokens = kept.integer_or("document_length", 4, longest, std::min(180, longest));
  // Queries and passages have limits of their own; the larger one is the limit of the model.
  prompt->max_tokens = std::max(prompt->query_tokens, prompt->passage_tokens);
  prompt->fill_queries = kept.flag_or("do_query_expansion", true);
  prompt->attend_to_fill =
      prompt->fill_queries && kept.flag_or("attend_to_expansion_tokens", false);
  prompt->skip_punctuation = !kept.has("skiplist_words");
  if (!prompt->skip_punctuation) {
    prompt->skipped_tokens = kept.texts("skiplist_words", kMostSkipped);
  }
}

// Returns the limit of a text in tokens; published files write 10^30 for "none".
int tokenizer_limit(FolderReader& folder, int longest) {
  const std::optional<JsonFacts> facts = folder.find_file("tokenizer_config.json");
  if (!facts || !facts->has("model_max_length")) return longest;
  const double limit = facts->number("model_max_length", 3, 1e40);
  return limit < longest ? static_cast<int>(limit) : longest;
}

}  // namespace

int read_text_limit(FolderReader& folder, int longest, Prompt* prompt) {
  const std::optional<JsonFacts> sentence = folder.find_file("sentence_bert_config.json");
  if (!sentence) return tokenizer_limit(folder, longest);
  prompt->lower_case = sentence->flag_or("do_lower_case", false);
  if (!sentence->has("max_seq_length")) return tokenizer_limit(folder, longest);
  // A folder may name more tokens than the trunk has positions for.
  return std::min(sentence->integer("max_seq_length", 3, 1 << 20), longest);
}

void read_sentence_folder(FolderReader& folder, int longest, ModelSpec* spec) {
  const JsonFacts listed =
      folder.file("modules.json", "the folder does not hold a sentence encoder");
  const std::vector<Module> modules = read_modules(listed);
  expect_known(listed, modules);
  bool pools = false, normalized = false;
  for (const Module& module : modules) {
    if (module.kind == "Pooling") {
      const JsonFacts facts = folder.file(module.path + "/config.json", {});
      spec->head.pooling = read_pooling(facts);
      pools = true;
      if (!spec->head.dense.empty() || module.path.empty()) {
        facts.fail("pooling_mode", "comes after a Dense module, which is not supported");
      }
    } else if (module.kind == "Dense") {
      add_dense(folder, module.path, spec);
    }
    // Only a last module decides about the length of vectors.
    normalized = module.kind == "Normalize";
  }
  spec->prompt.add_special = true;
  if (pools) {
    spec->prompt.max_tokens = read_text_limit(folder, longest, &spec->prompt);
    read_prefixes(folder, normalized, &spec->prompt);
    return;
  }
  if (spec->head.dense.empty()) {
    throw Error(ErrorCode::model,
                format("{}/modules.json: names neither a Pooling nor a Dense module, so that it is "
                       "unknown how states become vectors",
                       folder.dir()));
  }
  // Without a Pooling module, each token keeps its vector: a late-interaction model in PyLate's
  // layout.
  spec->head.pooling = Pooling::every_token;
  read_late_prompt(folder, longest, &spec->prompt);
}

void read_pair_limit(FolderReader& folder, int longest, Prompt* prompt) {
  prompt->add_special = true;
  prompt->max_tokens = tokenizer_limit(folder, longest);
}

void read_text_head(FolderReader& folder, const TextHeadNames& names, int hidden, int longest,
                    ModelSpec* spec) {
  if (is_sparse_folder(folder)) {
    return read_sparse_folder(folder, VocabularyHead{}, names.vocabulary, longest, spec);
  }
  if (!scores_pairs(folder.config())) return read_sentence_folder(folder, longest, spec);
  spec->head.pooling = Pooling::first_token;
  spec->head.pair = PairScore{};
  spec->parts.push_back(pair_tensors(*spec->head.pair, hidden, names.pair, {""}));
  read_pair_limit(folder, longest, &spec->prompt);
}

bool scores_pairs(const JsonFacts& config) {
  bool classifies = false;
  for (const std::string& name : config.texts("architectures", 16)) {
    classifies = classifies || name.ends_with("ForSequenceClassification");
  }
  if (!classifies) return false;
  // transformers' default is two classes.
  std::size_t labels = config.has("num_labels")
                           ? static_cast<std::size_t>(config.integer("num_labels", 1, 1 << 20))
                           : 2;
  if (config.has("id2label")) labels = config.object("id2label").json().size();
  if (labels != 1) {
    config.fail("id2label", format("names {} classes; only cross-encoders, which give a pair of "
                                   "texts one number, are supported",
                                   labels));
  }
  return true;
}

}  // namespace fineprint::models
