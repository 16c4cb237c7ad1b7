// Finds models and lets the networks' library load them.
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/remote/script_generator.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/serving/texts_library.h"
#include "fineprint/session/load.h"

namespace fineprint::session {
namespace {

// Makes a sentence encoder an encoder that takes no images and returns one row for each text.
class SentenceEncoder : public models::Encoder {
 public:
  explicit SentenceEncoder(std::unique_ptr<models::TextOnlyEncoder> encoder)
      : encoder_(std::move(encoder)) {}

  std::string name() const override { return encoder_->name(); }
  std::string hash() const override { return encoder_->hash(); }
  std::size_t dim() const override { return encoder_->dim(); }
  bool many_vectors() const override { return false; }
  bool sees() const override { return false; }
  bool same_in_company() const override { return encoder_->same_in_company(); }

  std::vector<Matrix> embed_images(std::span<const Image>) const override {
    throw Error(ErrorCode::usage, format("{} takes only texts, not images", name()));
  }

  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override {
    const Matrix all = encoder_->embed(texts, role);
    std::vector<Matrix> each;
    for (std::size_t r = 0; r < all.rows; ++r) {
      const std::span<const float> row = all.row(r);
      each.push_back({1, all.cols, std::vector<float>(row.begin(), row.end())});
    }
    return each;
  }

 private:
  std::unique_ptr<models::TextOnlyEncoder> encoder_;
};

// Returns a generator that needs no network on this machine, or nullptr if SPEC names none.
std::unique_ptr<models::Generator> remote_generator(const std::string& spec,
                                                    const ModelOptions& options) {
  const bool elsewhere = spec.starts_with(remote::kScriptPrefix) || remote::names_server(spec);
  if (elsewhere && options.raw) {
    throw Error(ErrorCode::usage,
                format("--raw needs a model that runs on this machine, but --generator is {}: a "
                       "server writes its own chat template around each prompt",
                       spec));
  }
  if (spec.starts_with(remote::kScriptPrefix)) return remote::make_script_generator(spec);
  if (remote::names_server(spec)) return remote::make_openai_generator(spec, options.openai);
  return nullptr;
}

// Logs prefixes that were guessed from the model's name, because its files do not give them and a
// wrong guess would only show as bad rankings.
void log_guessed_prefixes(const models::ModelSpec& model) {
  const models::Prompt& prompt = model.prompt;
  if (prompt.prefix_source != models::PrefixSource::name) return;
  log::note(
      "{}: going by its name, questions get the prefix \"{}\" and passages get \"{}\"; its files "
      "give none; set others with --query-prefix and --passage-prefix",
      model.name, prompt.query_prefix, prompt.passage_prefix);
}

// Servers do not say which prefixes a model needs, so all that were not given are guessed.
std::unique_ptr<models::Encoder> served_encoder(const std::string& spec,
                                                const ModelOptions& options) {
  const remote::ServedEncoder found =
      remote::find_served_encoder(spec, options.prefixes, options.openai);
  const auto guessed = [](const std::string& given, const std::string& used) {
    return given.empty() && !used.empty();
  };
  if (guessed(options.prefixes.query, found.prefixes.query) ||
      guessed(options.prefixes.passage, found.prefixes.passage)) {
    log::note(
        "{}: going by its name, questions get the prefix \"{}\" and passages get \"{}\"; a server "
        "gives none; set others with --query-prefix and --passage-prefix",
        found.name, found.prefixes.query, found.prefixes.passage);
  }
  return remote::make_served_encoder(found.spec, options.prefixes, options.openai);
}

// A generator without its image projector still works, but only on texts.
void warn_of_projector(const models::ModelSpec& model) {
  if (model.projector_unreadable) {
    log::warn("{} reads only texts: {}", model.name, std::string_view(model.blind));
  }
}

// Returns the functions of the library without LibTorch, or nullptr if this build has no networks.
const serving::TextsTable* texts() {
  static const auto* const kOpened =
      has_nets() ? static_cast<const serving::TextsTable*>(open_library(
                       serving::kTextsLibrary, serving::kTextsEntry, serving::kTextsInterface))
                 : nullptr;
  return kOpened;
}

// Opens a library only now, when the folder is known to be good: the one without LibTorch, or that
// of all networks if the former cannot run this model.
std::unique_ptr<models::TextOnlyEncoder> opened_text_encoder(const models::ModelSpec& model,
                                                             const ModelOptions& options) {
  if (const serving::TextsTable* table = texts()) {
    if (auto* encoder = table->load_sentence_encoder(model, options.device)) {
      return std::unique_ptr<models::TextOnlyEncoder>(encoder);
    }
  }
  return std::unique_ptr<models::TextOnlyEncoder>(
      nets().load_sentence_encoder(model, options.device));
}

std::unique_ptr<models::QaModel> opened_qa_model(const models::ModelSpec& model,
                                                 const ModelOptions& options) {
  if (const serving::TextsTable* table = texts()) {
    if (auto* qa = table->load_qa_model(model, options.device)) {
      return std::unique_ptr<models::QaModel>(qa);
    }
  }
  return std::unique_ptr<models::QaModel>(nets().load_qa_model(model, options.device));
}

// Reads only small files, so check_generator() can use it, too.
models::ModelSpec generator_spec(const std::string& spec, const ModelOptions& options) {
  models::ModelSpec model = models::read_model(
      models::find_generator(spec, options.hub_cache, options.gguf), options.hub_cache);
  // Said before the weights are loaded, and not at the first call.
  if (model.head.generates && !model.prompt.no_chat.empty() && !options.raw) {
    throw Error(ErrorCode::model, model.prompt.no_chat);
  }
  return model;
}

}  // namespace

std::unique_ptr<models::TextOnlyEncoder> load_text_encoder(const std::string& spec,
                                                           const ModelOptions& options) {
  const models::ModelSpec model = models::read_encoder(spec, options.hub_cache, options.prefixes);
  log_guessed_prefixes(model);
  return opened_text_encoder(model, options);
}

std::unique_ptr<models::Encoder> load_encoder(const std::string& spec,
                                              const ModelOptions& options) {
  if (remote::names_served_encoder(spec)) return served_encoder(spec, options);
  const models::ModelSpec model = models::read_encoder(spec, options.hub_cache, options.prefixes);
  log_guessed_prefixes(model);
  if (models::retriever_kind(model) == models::RetrieverKind::text) {
    return std::make_unique<SentenceEncoder>(opened_text_encoder(model, options));
  }
  return std::unique_ptr<models::Encoder>(nets().load_encoder(model, options.device));
}

std::unique_ptr<models::Reranker> load_reranker(const std::string& spec,
                                                const ModelOptions& options) {
  if (remote::names_served_reranker(spec)) {
    return remote::make_served_reranker(spec, options.openai);
  }
  const models::ModelSpec model = models::read_reranker(spec, options.hub_cache);
  if (model.head.reads) return opened_qa_model(model, options);
  return std::unique_ptr<models::Reranker>(nets().load_reranker(model, options.device));
}

std::unique_ptr<models::QaModel> load_qa_model(const std::string& spec,
                                               const ModelOptions& options) {
  const models::ModelSpec model = models::read_qa_model(spec, options.hub_cache);
  return opened_qa_model(model, options);
}

void check_reranker(const std::string& spec, const ModelOptions& options) {
  if (remote::names_served_reranker(spec)) return remote::check_served_reranker(spec);
  models::read_reranker(spec, options.hub_cache);
}

void check_qa_model(const std::string& spec, const ModelOptions& options) {
  models::read_qa_model(spec, options.hub_cache);
}

std::unique_ptr<models::Generator> load_generator(const std::string& spec,
                                                  const ModelOptions& options) {
  if (auto remote = remote_generator(spec, options)) return remote;
  const models::ModelSpec model = generator_spec(spec, options);
  warn_of_projector(model);
  return std::unique_ptr<models::Generator>(
      nets().load_generator(model, options.device, options.keep, options.lookup));
}

std::unique_ptr<onnx::GraphNetwork> load_graph(const std::string& path,
                                               const ModelOptions& options) {
  return std::unique_ptr<onnx::GraphNetwork>(nets().load_graph(path, options.device));
}

void check_generator(const std::string& spec, const ModelOptions& options) {
  if (remote_generator(spec, options) == nullptr) generator_spec(spec, options);
}

}  // namespace fineprint::session
