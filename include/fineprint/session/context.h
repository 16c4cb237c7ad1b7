// What one question may touch: the corpus, the models, its trace and its budget.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "fineprint/core/budget.h"
#include "fineprint/core/trace.h"
#include "fineprint/models/embedder.h"
#include "fineprint/session/corpus.h"
#include "fineprint/session/load.h"

namespace fineprint::session {

struct SessionOptions {
  std::string retriever;  // SPEC of the text encoder; empty: the default one
  models::DeviceOptions device;
  std::string hub_cache = {};  // see ModelOptions
};

// Opened once for a command and shared by all its questions and threads.
class Session {
 public:
  Session(const store::Store& store, const SessionOptions& options);
  ~Session();

  const Corpus& corpus() const { return corpus_; }
  // The text encoder, loaded (and LibTorch with it) at the first call. Throws Error(model), also
  // when the store's vectors come from another model.
  const models::Embedder& text_encoder() const;
  // Unit vectors of questions or passages, one row a text, by the text encoder.
  Matrix embed(const std::vector<std::string>& texts) const;

 private:
  SessionOptions options_;
  Corpus corpus_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<models::Embedder> text_encoder_;
};

// For one question.
struct Context {
  const Session& session;
  Trace& trace;
  Budget& budget;
};

}  // namespace fineprint::session
