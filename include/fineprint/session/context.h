// What one question can use: the corpus, the models, its trace and its budget.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/budget.h"
#include "fineprint/core/events.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/question_picture.h"
#include "fineprint/core/stop.h"
#include "fineprint/core/trace.h"
#include "fineprint/models/text_only_encoder.h"
#include "fineprint/session/corpus.h"
#include "fineprint/session/gpu_vectors.h"
#include "fineprint/session/loaded_models.h"
#include "fineprint/session/made_vectors.h"
#include "fineprint/session/page_images.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {

// A store as it was at one time, and the models for questions over it. A command opens one session.
// A server opens a new one if the store has changed, and keeps the loaded models. Safe from several
// threads.
class Session {
 public:
  // `store` and `models` must outlive the session.
  Session(const store::Store& store, const Models& models);
  // The session owns its models.
  Session(const store::Store& store, const SessionOptions& options, SessionParts parts = {});
  Session(const store::Store& store, const SessionOptions& options,
          std::unique_ptr<const EncoderSource> encoders);
  ~Session();

  // Returns the documents of the store.
  const Corpus& corpus() const { return corpus_; }
  // Returns the models, which other sessions may share.
  const Models& models() const { return models_; }
  // Returns true if the store has a vector set of this name.
  bool has_vectors(const std::string& set) const { return sets_.contains(set); }
  // Returns the vectors of a set, for example "text" or "late-2". Reads them at the first call.
  // Throws Error(store) saying how to make the vectors if the store has no such set.
  const VectorView& vectors(const std::string& set) const;
  // Returns the posting lists of a sparse set. Reads them at the first call. Throws as vectors()
  // does.
  const KeywordIndex& sparse(const std::string& set) const;
  // Reads the vectors or the posting lists of a set, so that their faults are found early. Throws
  // as vectors() does.
  void open(const std::string& set) const;
  // Returns the vector sets in GPU memory.
  const GpuVectors& gpu_vectors() const { return gpu_vectors_; }
  // Returns the encoder that made the vectors of a set. Loads it (and LibTorch) at the first call.
  // Throws Error(model) if it cannot be loaded, or if the model found is not the one that made
  // them.
  const models::Encoder& encoder(const std::string& set) const;
  // Returns the vectors of a question by the encoder of `set`, one in each row.
  Matrix embed_query(const std::string& set, const std::string& text) const;
  // Returns the vectors of a question's picture by the page encoder of `set`. Throws what encoder()
  // throws.
  Matrix embed_picture(const std::string& set, const QuestionPicture& picture) const;
  // Returns vectors of the given chunks (by chunk id), one in each row, for a set that has one
  // vector for each chunk but none for these. Makes them at the first call and keeps them while the
  // session lives. Throws what encoder() throws.
  Matrix make_vectors(const std::string& set, std::span<const ChunkId> chunks) const;
  // Returns all vectors made by make_vectors(), ordered by document and unit, so that a caller can
  // write them to the store.
  std::vector<store::NewVectors> made_vectors(const std::string& set) const;
  // Returns unit vectors of questions or passages by the encoder of the set "text", one row for
  // each text.
  Matrix embed(const std::vector<std::string>& texts,
               models::TextRole role = models::TextRole::query) const;
  // Returns the generator that an agent asks; see Models.
  const models::Generator& generator(std::string_view agent = {}) const {
    return models_.generator(agent);
  }
  // Returns the pictures of pages.
  const PageImages& images() const { return images_; }

 private:
  Session(std::unique_ptr<const Models> models, const store::Store& store);

  // Returns a set of the store. Throws Error(store) as vectors() does.
  const store::VectorSet& set(const std::string& name) const;
  // Returns the SPEC of the encoder for a set: a given --retriever that made it, or the stored
  // SPEC. Throws Error(usage) if the stored SPEC would have to be used and names a server.
  std::string spec_for(const store::VectorSet& set) const;
  // Throws Error(model) if vectors that an encoder made have another length than those of the set.
  void check_width(const std::string& name, const Matrix& vectors) const;
  // Throws Error(model) if a given --retriever made none of the sets.
  void check_retrievers() const;
  // Returns the vectors made for a set, creating the entry if needed.
  MadeVectors& made(const std::string& name) const;

  const std::unique_ptr<const Models> own_models_;  // or nullptr
  const Models& models_;
  Corpus corpus_;
  PageImages images_;
  std::map<std::string, store::VectorSet> sets_;
  mutable std::mutex mutex_;                    // guards everything below
  mutable std::set<std::string> told_missing_;  // sparse sets whose gaps were warned about
  mutable std::map<std::string, std::string> retriever_of_;  // hash -> SPEC from the options
  mutable bool retrievers_checked_ = false;
  mutable std::map<std::string, std::unique_ptr<VectorView>> views_;  // by set
  mutable std::map<std::string, std::unique_ptr<MadeVectors>> made_;  // by set
  GpuVectors gpu_vectors_;                                            // copies of views_
};

// The state of one question.
struct Context {
  // `stop` belongs to the caller that wants the answer. An interrupt of the process and the time
  // limit of the budget end the question in any case.
  Context(const Session& its_session, EventListener& listener, Budget& its_budget,
          const StopToken& stop = {})
      : session(its_session),
        events({&listener, &event_log()}),
        budget(its_budget),
        stop_token(stop.until(its_budget.deadline())) {}

  // Returns why nothing more may be done for the question: its time is up, or nobody waits for it.
  // nullopt if it may go on. Throws Error(interrupted) if the process must end, because an answer
  // for which less was done than asked must never be recorded.
  std::optional<std::string> why_stopped() const;
  // Returns whether the question has time left; notes the limit if not. Throws Error(interrupted)
  // if nobody waits for the answer any more.
  bool in_time();
  // Records the first limit, which is the cause; later ones follow from it and are ignored.
  void note_limit(const std::string& reason);

  // The store and the models; shared with other questions.
  const Session& session;
  Events events;  // every event goes here once, and from here to the trace, -v and other listeners
  // Calls, tokens and seconds that this question may still use.
  Budget& budget;
  const StopToken stop_token;  // checked by everything that may take long
  Usage usage = {};            // sum over all calls so far; `ms` stays 0
  std::string limit = {};      // the first limit that prevented a call or cut one off
  // How the mask scored ("hybrid", "cosine", ...) and why; empty if no scorer masks.
  std::string mask = {}, mask_reason = {};
  std::vector<QuestionPicture> pictures = {};  // of the question, with what is done with them
  std::string fallback = {};  // scorers that replaced those without vectors, if any did
};

}  // namespace fineprint::session
