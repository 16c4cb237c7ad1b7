// Loads each model once and keeps it.
#include "fineprint/session/loaded_models.h"

#include <algorithm>
#include <array>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::session {
namespace {

constexpr std::array<std::string_view, 5> kForms = {"_draft", "_free", "_json", "_text", "_zoom"};

// Bounds the memory. If there are more, all are dropped.
constexpr std::size_t kMostKnownQueries = 64;

// Starts at most as many document workers as the models use threads.
std::unique_ptr<const PageSource> pages_of(const SessionOptions& options) {
  documents::DocumentWorkerOptions workers = options.document_workers;
  workers.workers = options.model.device.threads;
  return document_pages(workers, options.read);
}

}  // namespace

// A given generator is stored under the SPEC of the options, so that generator() finds it as
// loaded.
Models::Models(const SessionOptions& options, SessionParts parts)
    : options_(options),
      encoders_(parts.encoders != nullptr ? std::move(parts.encoders)
                                          : model_encoders(options.model)),
      pages_(parts.pages != nullptr ? std::move(parts.pages) : pages_of(options)),
      gpu_(parts.gpu),
      agent_generators_(session::agent_generators(options.agent_generators)),
      given_reranker_(std::move(parts.reranker)),
      given_qa_model_(std::move(parts.qa_model)) {
  if (parts.generator != nullptr) generators_[options.generator] = std::move(parts.generator);
}

Models::~Models() = default;

std::string Models::encoder_hash(const std::string& spec) const {
  const std::lock_guard lock(mutex_);
  const auto known = hash_of_.find(spec);
  if (known != hash_of_.end()) return known->second;
  return hash_of_.emplace(spec, encoders_->hash(spec)).first->second;
}

// By hash first: two SPECs may name the same model, which must not be loaded twice.
const models::Encoder& Models::encoder(const std::string& hash, const std::string& spec) const {
  const std::lock_guard lock(mutex_);
  const auto loaded = std::ranges::find_if(
      encoder_, [&](const auto& entry) { return entry.second->hash() == hash; });
  if (loaded != encoder_.end()) return *loaded->second;
  const auto known = encoder_.find(spec);
  if (known != encoder_.end()) return *known->second;
  return *encoder_.emplace(spec, encoders_->open(spec)).first->second;
}

Matrix Models::embed_query(const models::Encoder& encoder, const std::string& text) const {
  return known_query({encoder.hash(), text}, [&] {
    if (!encoder.same_in_company()) {
      return encoder.embed_texts({&text, 1}, models::TextRole::query).front();
    }
    EmbeddedQuery query{text};
    queries_of(encoder).run(query);
    return std::move(query.vectors);
  });
}

// Encoders live as long as the models.
Together<Models::EmbeddedQuery>& Models::queries_of(const models::Encoder& encoder) const {
  const std::lock_guard lock(queries_mutex_);
  const auto embed = [&encoder](std::span<EmbeddedQuery* const> group) {
    std::vector<std::string> texts;
    for (const EmbeddedQuery* query : group) texts.push_back(query->text);
    std::vector<Matrix> vectors = encoder.embed_texts(texts, models::TextRole::query);
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->vectors = std::move(vectors.at(i));
  };
  return together_.try_emplace(&encoder, embed).first->second;
}

// No question has the byte 0, so no text is taken for a picture.
Matrix Models::embed_picture(const models::Encoder& encoder, const Image& picture,
                             const std::string& name) const {
  if (!encoder.sees()) {
    throw Error(ErrorCode::usage, format("{} takes texts only, no pictures", encoder.name()));
  }
  return known_query({encoder.hash(), std::string(1, '\0') + name},
                     [&] { return encoder.embed_images({&picture, 1}).front(); });
}

Matrix Models::known_query(const std::pair<std::string, std::string>& key,
                           const std::function<Matrix()>& encode) const {
  {
    const std::lock_guard lock(queries_mutex_);
    const auto known = known_queries_.find(key);
    if (known != known_queries_.end()) return known->second;
  }
  // Encodes without the lock, so that other questions are not held up.
  Matrix vectors = encode();
  const std::lock_guard lock(queries_mutex_);
  if (known_queries_.size() >= kMostKnownQueries) known_queries_.clear();
  known_queries_.emplace(key, vectors);
  return vectors;
}

std::string_view agent_without_form(std::string_view name) {
  for (const std::string_view form : kForms) {
    if (name.ends_with(form)) return name.substr(0, name.size() - form.size());
  }
  return name;
}

std::map<std::string, std::string, std::less<>> agent_generators(
    std::span<const std::string> entries) {
  std::map<std::string, std::string, std::less<>> spec_of;
  for (const std::string& entry : entries) {
    const std::size_t end = entry.find('=');
    spec_of[entry.substr(0, end)] = entry.substr(end + 1);
  }
  return spec_of;
}

const models::Reranker& Models::reranker(const std::string& spec) const {
  if (given_reranker_ != nullptr) return *given_reranker_;
  const std::lock_guard lock(rerankers_mutex_);
  const auto known = rerankers_.find(spec);
  if (known != rerankers_.end()) return *known->second;
  const auto qa_model = qa_models_.find(spec);
  if (qa_model != qa_models_.end()) return *qa_model->second;
  return *rerankers_.emplace(spec, load_reranker(spec, options_.model)).first->second;
}

bool Models::has_qa_model() const {
  return given_reranker_ != nullptr || given_qa_model_ != nullptr || models::has_qa_model();
}

// A model that already reranks is not loaded a second time.
const models::QaModel& Models::qa_model(const std::string& spec) const {
  if (given_qa_model_ != nullptr) return *given_qa_model_;
  const std::lock_guard lock(rerankers_mutex_);
  const auto known = qa_models_.find(spec);
  if (known != qa_models_.end()) return *known->second;
  const auto reranker = rerankers_.find(spec);
  if (reranker != rerankers_.end()) {
    if (const models::QaModel* same = reranker->second->as_qa_model()) return *same;
  }
  return *qa_models_.emplace(spec, load_qa_model(spec, options_.model)).first->second;
}

void Models::check_reranker(const std::string& spec) const {
  if (given_reranker_ == nullptr) session::check_reranker(spec, options_.model);
}

void Models::check_qa_model(const std::string& spec) const {
  if (given_qa_model_ == nullptr) session::check_qa_model(spec, options_.model);
}

const std::string& Models::spec_asked_by(std::string_view agent) const {
  const auto found = agent_generators_.find(agent_without_form(agent));
  return found == agent_generators_.end() ? options_.generator : found->second;
}

// Agents with the same SPEC share one generator.
const models::Generator& Models::generator(std::string_view agent) const {
  const std::string& spec = spec_asked_by(agent);
  const std::lock_guard lock(generator_mutex_);
  const auto loaded = generators_.find(spec);
  if (loaded != generators_.end()) return *loaded->second;
  if (spec.empty()) {
    throw Error(ErrorCode::usage,
                format("this needs a generator: give --generator {}", kGeneratorForms));
  }
  return *generators_.emplace(spec, load_generator(spec, options_.model)).first->second;
}

// Never loads one: it only reports.
std::map<std::string, const models::Generator*> Models::loaded_generators() const {
  const std::lock_guard lock(generator_mutex_);
  std::map<std::string, const models::Generator*> loaded;
  const auto add = [&](const std::string& agent, const std::string& spec) {
    const auto found = generators_.find(spec);
    if (found != generators_.end()) loaded[agent] = found->second.get();
  };
  add("", options_.generator);
  for (const auto& [agent, spec] : agent_generators_) add(agent, spec);
  return loaded;
}

ScanThreads::ScanThreads(const Models& models) : models_(models) {
  const int wanted = models.options().model.device.threads;
  const int all = wanted > 0 ? wanted : usable_cores();
  // Divides the threads by the scans that run now, so that they do not compete for the cores.
  count_ = std::max(1, all / (models_.scans_.fetch_add(1) + 1));
}

ScanThreads::~ScanThreads() { models_.scans_.fetch_sub(1); }

}  // namespace fineprint::session
