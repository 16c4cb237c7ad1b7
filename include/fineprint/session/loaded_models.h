// What is long-lived: loaded networks and what they keep, whatever a store holds at present.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/reader.h"
#include "fineprint/score/cuda.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/session/encoders.h"
#include "fineprint/session/load.h"
#include "fineprint/session/page_images.h"

namespace fineprint::session {

struct SessionOptions {
  // SPECs of encoders, each for the sets that it made; other sets take the SPEC that the store
  // remembers.
  std::vector<std::string> retrievers = {};
  std::string generator = {};  // SPEC, as for load_generator; empty: none
  // "AGENT=SPEC": the model that this agent asks in place of `generator`; the last one counts.
  std::vector<std::string> agent_generators = {};
  ModelOptions model = {};               // its threads are also those that scan vectors
  documents::ReadOptions read = {};      // of page images: passwords
  documents::ReaderOptions reader = {};  // the same; its workers are as many as the threads
  DocumentFilter filter = {};            // what sessions search and ask; no model knows of it
};

const OptionTable<SessionOptions>& session_options();

// Of SessionOptions::agent_generators: agent -> SPEC.
std::map<std::string, std::string, std::less<>> agent_generators(
    std::span<const std::string> entries);

// What is otherwise made of the options; tests give their own.
struct SessionParts {
  std::unique_ptr<const EncoderSource> encoders = {};
  std::unique_ptr<const models::Generator> generator = {};
  std::unique_ptr<const models::Reranker> reranker = {};
  std::unique_ptr<const PageSource> pages = {};
  const score::CudaTable* card = nullptr;  // the kernels for a GPU, in place of the library's
};

// Serves sessions one after the other and at the same time. Safe from several threads.
class Models {
 public:
  explicit Models(const SessionOptions& options, SessionParts parts = {});
  ~Models();

  const SessionOptions& options() const { return options_; }
  // EncoderSource::hash of a SPEC, read once. Throws Error(model).
  std::string encoder_hash(const std::string& spec) const;
  // An encoder of this hash that is loaded already, else that of `spec`, whose hash may be another
  // one, loaded (and LibTorch with it) at the first call. Throws Error(model).
  const models::Encoder& encoder(const std::string& hash, const std::string& spec) const;
  // The vectors of a question, one a row. Kept for a while: several scorers may ask for the same.
  Matrix embed_query(const models::Encoder& encoder, const std::string& text) const;
  // Loaded (and LibTorch with it, for a model that runs here) at the first call. Throws
  // Error(model) as load_generator does, and Error(usage) when no generator was given. `agent`: of
  // the one that asks ("mdocagent.text"), which may have a model of its own.
  const models::Generator& generator(std::string_view agent = {}) const;
  // Those that somebody has asked for: the generator under "", an agent's own under its name.
  std::map<std::string, const models::Generator*> loaded_generators() const;
  // The model that scores passages for questions, by its SPEC, loaded (and LibTorch with it) at the
  // first call; the one that was given, whatever the SPEC. Throws what load_reranker throws.
  const models::Reranker& reranker(const std::string& spec) const;
  // Whether models::kBuiltInReader can be loaded; or a model was given, which is taken for it.
  bool has_reader() const;
  // The same model, where it is a reader; else nullptr.
  const models::Reader* reader(const std::string& spec) const;
  // Throws what that would find wrong with SPEC before it loads a model.
  void check_reranker(const std::string& spec) const;
  // Whose workers draw the pages of all sessions.
  const std::shared_ptr<const PageSource>& pages() const { return pages_; }
  // The kernels for a GPU that were given; nullptr: the library's.
  const score::CudaTable* card() const { return card_; }

 private:
  friend class ScanThreads;

  const SessionOptions options_;
  const std::unique_ptr<const EncoderSource> encoders_;
  const std::shared_ptr<const PageSource> pages_;
  const score::CudaTable* const card_;
  mutable std::mutex mutex_;                            // guards the next two; loading takes long
  mutable std::map<std::string, std::string> hash_of_;  // SPEC -> hash
  mutable std::map<std::string, std::unique_ptr<models::Encoder>> encoder_;      // by SPEC
  mutable std::mutex queries_mutex_;                                             // guards the next
  mutable std::map<std::pair<std::string, std::string>, Matrix> known_queries_;  // (hash, text)
  mutable std::atomic<int> scans_ = 0;
  const std::string& spec_asked_by(std::string_view agent) const;

  std::map<std::string, std::string, std::less<>> agent_generators_;  // agent -> SPEC
  mutable std::mutex generator_mutex_;                                // guards the next
  mutable std::map<std::string, std::unique_ptr<const models::Generator>> generators_;  // by SPEC
  const std::unique_ptr<const models::Reranker> given_reranker_;  // or nullptr
  mutable std::mutex rerankers_mutex_;                            // guards the next
  mutable std::map<std::string, std::unique_ptr<const models::Reranker>> rerankers_;  // by SPEC
};

// The threads that one scan of vectors may use while it lives: questions that are searched at the
// same time share them.
class ScanThreads {
 public:
  explicit ScanThreads(const Models& models);
  ~ScanThreads();
  ScanThreads(const ScanThreads&) = delete;
  ScanThreads& operator=(const ScanThreads&) = delete;

  int count() const { return count_; }

 private:
  const Models& models_;
  int count_ = 1;
};

}  // namespace fineprint::session
