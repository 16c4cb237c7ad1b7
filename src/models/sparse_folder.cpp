// Reads folders of sparse encoders. Sources: Formal et al., "SPLADE v2" (2021), section 3.1; the
// files that Sentence Transformers' SparseEncoder writes.
#include "models/sparse_folder.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/sentence_folder.h"
#include "models/sentence_modules.h"

namespace fineprint::models {
namespace {

constexpr const char* kModules = "modules.json";
constexpr const char* kRoutes = "router_config.json";
constexpr const char* kPooling = "SpladePooling";
constexpr const char* kQueryTable = "SparseStaticEmbedding";
// Limit for files from strangers.
constexpr std::size_t kMostModules = 8;

bool has_kind(const std::vector<Module>& modules, const std::string& kind) {
  return std::ranges::find(modules, kind, &Module::kind) != modules.end();
}

// A model whose logits are those of the masked language model; the name differs between versions.
bool is_language_model(const Module& module) {
  return module.kind == "MLMTransformer" || module.kind == "Transformer";
}

// Returns the modules of a route: "query" or "document".
std::vector<Module> route(const JsonFacts& routes, const std::string& name) {
  std::vector<Module> modules;
  const JsonFacts types = routes.object("types");
  for (const std::string& id : routes.object("structure").texts(name, kMostModules)) {
    const auto type = types.text(id);
    if (!type) routes.fail("types", format("does not name the module \"{}\"", id));
    modules.push_back(module_of(routes, *type, id));
  }
  return modules;
}

// The language model first, then the pooling; the folder of the pooling is returned.
std::string pooling_folder(const JsonFacts& facts, const std::vector<Module>& modules) {
  if (modules.size() != 2 || !is_language_model(modules[0]) || modules[1].kind != kPooling) {
    facts.fail("type",
               "must name an MLMTransformer and then a SpladePooling for passages, and "
               "nothing else");
  }
  if (!modules[0].path.empty()) {
    facts.fail("path", format("of the MLMTransformer is \"{}\"; only a language model in the "
                              "folder itself is supported",
                              modules[0].path));
  }
  if (modules[1].path.empty()) facts.fail("path", "of the SpladePooling is empty");
  return modules[1].path;
}

// Questions are read as passages are, or each of their tokens has a fixed weight.
std::string query_folder(const JsonFacts& routes) {
  const std::vector<Module> query = route(routes, "query");
  if (query.size() == 1 && query[0].kind == kQueryTable && !query[0].path.empty()) {
    return query[0].path;
  }
  routes.fail("structure", "must name one SparseStaticEmbedding for \"query\"");
}

void read_splade_pooling(const JsonFacts& facts, VocabularyHead* head) {
  facts.expect_text("pooling_strategy", "max", true);
  const std::string activation = facts.text("activation_function").value_or("relu");
  if (activation != "relu" && activation != "log1p_relu") {
    facts.fail("activation_function",
               format("is \"{}\"; only relu and log1p_relu are supported", activation));
  }
  head->log_twice = activation == "log1p_relu";
}

}  // namespace

bool is_sparse_folder(FolderReader& folder) {
  if (!folder.holds(kModules)) return false;
  const std::vector<Module> modules = read_modules(folder.file(kModules, {}));
  return has_kind(modules, kPooling) || has_kind(modules, "Router");
}

void read_sparse_folder(FolderReader& folder, VocabularyHead head, const VocabularyNames& names,
                        int longest, ModelSpec* spec) {
  // The numbers of tokens are products with the token embeddings.
  folder.config().expect_flag("tie_word_embeddings", true);
  const JsonFacts listed = folder.file(kModules, {});
  const std::vector<Module> modules = read_modules(listed);
  std::string pooling;
  if (has_kind(modules, "Router")) {
    const JsonFacts routes = folder.file(kRoutes, "it says which modules read questions");
    if (modules.size() != 1) listed.fail("type", "names modules besides the Router");
    pooling = pooling_folder(routes, route(routes, "document"));
    head.query_folder = query_folder(routes);
  } else {
    pooling = pooling_folder(listed, modules);
  }
  read_splade_pooling(folder.file(pooling + "/config.json", {}), &head);
  spec->prompt.add_special = true;
  spec->prompt.max_tokens = read_text_limit(folder, longest, &spec->prompt);
  const auto [hidden, vocab_size] = std::visit(
      [](const auto& trunk) { return std::pair(trunk.hidden, trunk.vocab_size); }, spec->trunk);
  spec->head.vocabulary = head;
  for (PartTensors& part : vocabulary_tensors(head, hidden, vocab_size, names)) {
    spec->parts.push_back(std::move(part));
  }
}

}  // namespace fineprint::models
