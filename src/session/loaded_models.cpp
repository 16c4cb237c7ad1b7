// Loads each model once and keeps it.
#include "fineprint/session/loaded_models.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

namespace fineprint::session {
namespace {

constexpr std::size_t kMostKnownQueries = 64;

std::unique_ptr<const PageSource> pages_of(const SessionOptions& options) {
  documents::ReaderOptions reader = options.reader;
  reader.workers = options.model.device.threads;
  return document_pages(reader, options.read);
}

}  // namespace

Models::Models(const SessionOptions& options, SessionParts parts)
    : options_(options),
      encoders_(parts.encoders != nullptr ? std::move(parts.encoders)
                                          : model_encoders(options.model)),
      pages_(parts.pages != nullptr ? std::move(parts.pages) : pages_of(options)),
      card_(parts.card),
      generator_(std::move(parts.generator)) {}

Models::~Models() = default;

std::string Models::encoder_hash(const std::string& spec) const {
  const std::lock_guard lock(mutex_);
  const auto known = hash_of_.find(spec);
  if (known != hash_of_.end()) return known->second;
  return hash_of_.emplace(spec, encoders_->hash(spec)).first->second;
}

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
  const std::pair key(encoder.hash(), text);
  {
    const std::lock_guard lock(queries_mutex_);
    const auto known = known_queries_.find(key);
    if (known != known_queries_.end()) return known->second;
  }
  Matrix vectors = encoder.embed_texts({&text, 1}, models::TextRole::query).front();
  const std::lock_guard lock(queries_mutex_);
  if (known_queries_.size() >= kMostKnownQueries) known_queries_.clear();
  known_queries_.emplace(key, vectors);
  return vectors;
}

const models::Generator& Models::generator() const {
  const std::lock_guard lock(generator_mutex_);
  if (generator_ == nullptr) {
    if (options_.generator.empty()) {
      throw Error(ErrorCode::usage,
                  format("this needs a model that writes: give --generator {}", kGeneratorForms));
    }
    generator_ = load_generator(options_.generator, options_.model);
  }
  return *generator_;
}

const models::Generator* Models::loaded_generator() const {
  const std::lock_guard lock(generator_mutex_);
  return generator_.get();
}

ScanThreads::ScanThreads(const Models& models) : models_(models) {
  const int wanted = models.options().model.device.threads;
  const int all = wanted > 0 ? wanted : usable_cores();
  count_ = std::max(1, all / (models_.scans_.fetch_add(1) + 1));
}

ScanThreads::~ScanThreads() { models_.scans_.fetch_sub(1); }

}  // namespace fineprint::session
