// What one question may touch: the corpus, the models, its trace and its budget.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/budget.h"
#include "fineprint/core/events.h"
#include "fineprint/core/stop.h"
#include "fineprint/core/trace.h"
#include "fineprint/models/embedder.h"
#include "fineprint/session/card_vectors.h"
#include "fineprint/session/corpus.h"
#include "fineprint/session/loaded_models.h"
#include "fineprint/session/made_vectors.h"
#include "fineprint/session/page_images.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {

// A store as it was when this was opened, and the models that questions over it use: opened for a
// command, or anew for a question when the store has changed, with the models that are loaded. Safe
// from several threads.
class Session {
 public:
  // Both must outlive it.
  Session(const store::Store& store, const Models& models);
  // With models of its own.
  Session(const store::Store& store, const SessionOptions& options, SessionParts parts = {});
  Session(const store::Store& store, const SessionOptions& options,
          std::unique_ptr<const EncoderSource> encoders);
  ~Session();

  const Corpus& corpus() const { return corpus_; }
  const Models& models() const { return models_; }
  bool has_vectors(const std::string& set) const { return sets_.contains(set); }
  // The vectors of a set ("text", "late-2"), read at the first call. Throws Error(store) saying how
  // to make them when the store has no such set.
  const VectorView& vectors(const std::string& set) const;
  // Which sets lie in a GPU's memory.
  const CardVectors& card_vectors() const { return card_vectors_; }
  // The encoder that made a set's vectors, loaded (and LibTorch with it) at the first call. Throws
  // Error(model), also when what is found is another model than the one that made them.
  const models::Encoder& encoder(const std::string& set) const;
  // The vectors of a question by the encoder of `set`, one a row.
  Matrix embed_query(const std::string& set, const std::string& text) const;
  // Vectors of these chunks (dense numbers), of which a set over chunks of one vector each has
  // none: a row each. Made at the first call and kept with the session. Throws as encoder() does.
  Matrix make_vectors(const std::string& set, std::span<const std::uint32_t> chunks) const;
  // All that were made so, for whoever may write them to the store: by document and unit.
  std::vector<store::NewVectors> made_vectors(const std::string& set) const;
  // Unit vectors of questions or passages, one row a text, by the encoder of the set "text".
  Matrix embed(const std::vector<std::string>& texts,
               models::TextRole role = models::TextRole::query) const;
  // See Models.
  const models::Generator& generator(std::string_view agent = {}) const {
    return models_.generator(agent);
  }
  const PageImages& images() const { return images_; }

 private:
  Session(std::unique_ptr<const Models> models, const store::Store& store);

  const store::VectorSet& set(const std::string& name) const;
  std::string spec_for(const store::VectorSet& set) const;
  void check_retrievers() const;
  MadeVectors& made(const std::string& name) const;

  const std::unique_ptr<const Models> own_models_;  // or nullptr
  const Models& models_;
  Corpus corpus_;
  PageImages images_;
  std::map<std::string, store::VectorSet> sets_;
  mutable std::mutex mutex_;                                 // guards what follows
  mutable std::map<std::string, std::string> retriever_of_;  // hash -> SPEC, of the options
  mutable bool retrievers_checked_ = false;
  mutable std::map<std::string, std::unique_ptr<VectorView>> views_;  // by set
  mutable std::map<std::string, std::unique_ptr<MadeVectors>> made_;  // by set
  CardVectors card_vectors_;                                          // of views_
};

// For one question.
struct Context {
  // `stop`: of whoever wants the answer; the process's interrupt and the budget's time end a
  // question in any case.
  Context(const Session& its_session, EventListener& listener, Budget& its_budget,
          const StopToken& stop = {})
      : session(its_session),
        events({&listener, &event_log()}),
        budget(its_budget),
        stop_token(stop.until(its_budget.deadline())) {}

  const Session& session;
  Events events;  // all that happens is told here once: to the trace, to -v, to who else listens
  Budget& budget;
  const StopToken stop_token;  // looked at by all that may take long
  Usage usage = {};            // of all calls so far; `ms` stays 0
  std::string limit = {};      // the first limit that kept a call from being made, or cut one
  std::string fallback = {};   // what pages were found by in place of scorers without vectors
};

}  // namespace fineprint::session
