// What one question may touch: the corpus, the models, its trace and its budget.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/core/budget.h"
#include "fineprint/core/option.h"
#include "fineprint/core/stop.h"
#include "fineprint/core/trace.h"
#include "fineprint/models/generator.h"
#include "fineprint/session/corpus.h"
#include "fineprint/session/encoders.h"
#include "fineprint/session/load.h"
#include "fineprint/session/page_images.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {

struct SessionOptions {
  // SPECs of encoders, each for the sets that it made; other sets take the SPEC that the store
  // remembers.
  std::vector<std::string> retrievers = {};
  std::string generator = {};            // SPEC, as for load_generator; empty: none
  ModelOptions model = {};               // its threads are also those that scan vectors
  documents::ReadOptions read = {};      // of page images: passwords
  documents::ReaderOptions reader = {};  // the same; its workers are as many as the threads
};

const OptionTable<SessionOptions>& session_options();

// What a session otherwise makes of its options; tests give their own.
struct SessionParts {
  std::unique_ptr<const EncoderSource> encoders = {};
  std::unique_ptr<const models::Generator> generator = {};
  std::unique_ptr<const PageSource> pages = {};
};

// Opened once for a command and shared by all its questions and threads.
class Session {
 public:
  Session(const store::Store& store, const SessionOptions& options);
  Session(const store::Store& store, const SessionOptions& options,
          std::unique_ptr<const EncoderSource> encoders);
  Session(const store::Store& store, const SessionOptions& options, SessionParts parts);
  ~Session();

  const Corpus& corpus() const { return corpus_; }
  // The vectors of a set ("text", "late-2"), read at the first call. Throws Error(store) saying how
  // to make them when the store has no such set.
  const VectorView& vectors(const std::string& set) const;
  // The encoder that made a set's vectors, loaded (and LibTorch with it) at the first call. Throws
  // Error(model), also when what is found is another model than the one that made them.
  const models::Encoder& encoder(const std::string& set) const;
  // The vectors of a question by the encoder of `set`, one a row. Kept for a while: several scorers
  // may ask for the same.
  Matrix embed_query(const std::string& set, const std::string& text) const;
  // Unit vectors of questions or passages, one row a text, by the encoder of the set "text".
  Matrix embed(const std::vector<std::string>& texts) const;
  // Loaded (and LibTorch with it, for a model that runs here) at the first call. Throws
  // Error(model) as load_generator does, and Error(usage) when no generator was given.
  const models::Generator& generator() const;
  // nullptr when nobody has asked for it yet.
  const models::Generator* loaded_generator() const;
  const PageImages& images() const { return images_; }

 private:
  friend class ScanThreads;

  const store::VectorSet& set(const std::string& name) const;
  std::string spec_for(const store::VectorSet& set) const;
  void check_retrievers() const;

  SessionOptions options_;
  Corpus corpus_;
  std::unique_ptr<const EncoderSource> encoders_;
  PageImages images_;
  std::map<std::string, store::VectorSet> sets_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> retriever_of_;  // hash -> SPEC, of the options
  mutable bool retrievers_checked_ = false;
  mutable std::map<std::string, std::unique_ptr<VectorView>> views_;             // by set
  mutable std::map<std::string, std::unique_ptr<models::Encoder>> by_hash_;      // loaded
  mutable std::map<std::pair<std::string, std::string>, Matrix> known_queries_;  // (set, text)
  mutable std::atomic<int> scans_ = 0;
  mutable std::mutex generator_mutex_;  // guards the next; loading takes long
  mutable std::unique_ptr<const models::Generator> generator_;
};

// The threads that one scan of vectors may use while it lives: questions that are searched at the
// same time share the session's.
class ScanThreads {
 public:
  explicit ScanThreads(const Session& session);
  ~ScanThreads();
  ScanThreads(const ScanThreads&) = delete;
  ScanThreads& operator=(const ScanThreads&) = delete;

  int count() const { return count_; }

 private:
  const Session& session_;
  int count_ = 1;
};

// For one question.
struct Context {
  // `stop`: of whoever wants the answer; the process's interrupt and the budget's time end a
  // question in any case.
  Context(const Session& its_session, Trace& its_trace, Budget& its_budget,
          const StopToken& stop = {})
      : session(its_session),
        trace(its_trace),
        budget(its_budget),
        stop_token(stop.until(its_budget.deadline())) {}

  const Session& session;
  Trace& trace;
  Budget& budget;
  const StopToken stop_token;  // looked at by all that may take long
  Usage usage = {};            // of all calls so far; `ms` stays 0
  std::string limit = {};      // the first limit that kept a call from being made, or cut one
};

}  // namespace fineprint::session
