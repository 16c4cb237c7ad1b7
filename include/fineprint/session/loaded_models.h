// Models that stay loaded while stores and questions come and go, with what they have computed.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/core/together.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/score/cuda.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/session/encoders.h"
#include "fineprint/session/load.h"
#include "fineprint/session/page_images.h"

namespace fineprint::session {

// The options of a session.
struct SessionOptions {
  // SPECs of encoders. Each is used for the sets that it made. Other sets use the SPEC that the
  // store remembers, unless it names a server.
  std::vector<std::string> retrievers = {};
  std::string generator = {};  // SPEC for load_generator(); empty: none
  // "AGENT=SPEC": this agent asks this model instead of `generator`, in all its forms (see
  // agent_without_form). For a repeated agent the last entry counts.
  std::vector<std::string> agent_generators = {};
  ModelOptions model = {};           // its number of threads also applies to scans of vectors
  documents::ReadOptions read = {};  // how pages are drawn: passwords
  documents::DocumentWorkerOptions document_workers = {};  // as many as there are threads
  DocumentFilter filter = {};  // which documents sessions search; models ignore it
};

// Returns the options that users may set (`--generator`, `--agent-generator`, `--retriever`).
const OptionTable<SessionOptions>& session_options();

// Returns the name of an agent without the form in which it is asked: "mdocagent.text" for
// "mdocagent.text_free". The forms are _draft, _free, _json, _text and _zoom. Each has a prompt of
// its own, but all ask the model of the agent.
std::string_view agent_without_form(std::string_view name);

// Splits SessionOptions::agent_generators into a map: agent -> SPEC.
std::map<std::string, std::string, std::less<>> agent_generators(
    std::span<const std::string> entries);

// Parts that the options would create otherwise. Tests pass their own.
struct SessionParts {
  // Where encoders are found, instead of folders and the Hugging Face cache.
  std::unique_ptr<const EncoderSource> encoders = {};
  // The common generator, already loaded.
  std::unique_ptr<const models::Generator> generator = {};
  // The reranker for every SPEC, already loaded. May be a QA model.
  std::unique_ptr<const models::Reranker> reranker = {};
  // The QA model for every SPEC, already loaded.
  std::unique_ptr<const models::QaModel> qa_model = {};
  // Draws the pages, instead of document workers.
  std::unique_ptr<const PageSource> pages = {};
  const score::CudaTable* gpu = nullptr;  // GPU kernels to use instead of the library's
};

// Loads each model once. Serves any number of sessions, one after the other or at the same time.
// Safe from several threads.
class Models {
 public:
  // Loads nothing yet. Parts that are given replace the parts that the options describe.
  explicit Models(const SessionOptions& options, SessionParts parts = {});
  ~Models();

  // Returns the options that the models were created with.
  const SessionOptions& options() const { return options_; }
  // Returns EncoderSource::hash() of a SPEC. Reads it once. Throws Error(model).
  std::string encoder_hash(const std::string& spec) const;
  // Returns an encoder with this hash if one is loaded, or else the encoder of `spec`, whose hash
  // may differ: the caller must check. Loads it (and LibTorch) at the first call. Throws
  // Error(model).
  const models::Encoder& encoder(const std::string& hash, const std::string& spec) const;
  // Returns the vectors of a question, one in each row. Remembers them for a while, because several
  // scorers may ask for the same. Questions that come while others are embedded are embedded
  // together if the encoder makes the same vectors so.
  Matrix embed_query(const models::Encoder& encoder, const std::string& text) const;
  // The same for a picture that a question carries, by its page encoder's images. `name` must
  // differ for different pictures: their SHA-256.
  Matrix embed_picture(const models::Encoder& encoder, const Image& picture,
                       const std::string& name) const;
  // Returns the generator that `agent` asks, for example "mdocagent.text", or the common one. Loads
  // it (and LibTorch, if it runs on this machine) at the first call. Throws Error(model) as
  // load_generator() does, and Error(usage) if the options name no generator.
  const models::Generator& generator(std::string_view agent = {}) const;
  // Returns the generators loaded so far: the common one under "", an agent's own under its name.
  std::map<std::string, const models::Generator*> loaded_generators() const;
  // Returns the reranker of a SPEC. Loads it (and LibTorch) at the first call. If a reranker was
  // passed to the constructor, returns it for every SPEC. Throws what load_reranker() throws.
  const models::Reranker& reranker(const std::string& spec) const;
  // Returns true if models::kBuiltInQaModel can be loaded, or a reranker or a QA model was passed,
  // which then takes its place.
  bool has_qa_model() const;
  // Returns the QA model of a SPEC, in the same way. Throws what load_qa_model() throws.
  const models::QaModel& qa_model(const std::string& spec) const;
  // Throw what reranker() and qa_model() would throw before they load the weights.
  void check_reranker(const std::string& spec) const;
  void check_qa_model(const std::string& spec) const;
  // Returns the source of page pictures. All sessions share its workers.
  const std::shared_ptr<const PageSource>& pages() const { return pages_; }
  // Returns the GPU kernels passed to the constructor; nullptr means those of the library.
  const score::CudaTable* gpu() const { return gpu_; }

 private:
  friend class ScanThreads;

  const SessionOptions options_;
  const std::unique_ptr<const EncoderSource> encoders_;
  const std::shared_ptr<const PageSource> pages_;
  const score::CudaTable* const gpu_;
  mutable std::mutex mutex_;                            // guards the next two while a model loads
  mutable std::map<std::string, std::string> hash_of_;  // SPEC -> hash
  mutable std::map<std::string, std::unique_ptr<models::Encoder>> encoder_;  // by SPEC
  // Returns the vectors that are remembered under the key, or encodes and remembers them.
  Matrix known_query(const std::pair<std::string, std::string>& key,
                     const std::function<Matrix()>& encode) const;
  // A question on its way through an encoder.
  struct EmbeddedQuery {
    const std::string& text;
    Matrix vectors = {};
  };
  // Returns what embeds the questions of several callers by one encoder.
  Together<EmbeddedQuery>& queries_of(const models::Encoder& encoder) const;
  mutable std::mutex queries_mutex_;  // guards the next two
  mutable std::map<std::pair<std::string, std::string>, Matrix> known_queries_;  // (hash, text)
  mutable std::map<const models::Encoder*, Together<EmbeddedQuery>> together_;
  // Scans that run now; see ScanThreads.
  mutable std::atomic<int> scans_ = 0;
  // Returns the SPEC of the generator that an agent asks.
  const std::string& spec_asked_by(std::string_view agent) const;

  std::map<std::string, std::string, std::less<>> agent_generators_;  // agent -> SPEC
  mutable std::mutex generator_mutex_;                                // guards the next
  mutable std::map<std::string, std::unique_ptr<const models::Generator>> generators_;  // by SPEC
  const std::unique_ptr<const models::Reranker> given_reranker_;  // or nullptr
  const std::unique_ptr<const models::QaModel> given_qa_model_;   // or nullptr
  mutable std::mutex rerankers_mutex_;                            // guards the next two
  mutable std::map<std::string, std::unique_ptr<const models::Reranker>> rerankers_;  // by SPEC
  mutable std::map<std::string, std::unique_ptr<const models::QaModel>> qa_models_;   // by SPEC
};

// The number of threads that one scan of vectors may use. Create one for each scan: questions that
// are searched at the same time share the threads.
class ScanThreads {
 public:
  explicit ScanThreads(const Models& models);
  ~ScanThreads();
  // Not copyable, because the object counts as one running scan.
  ScanThreads(const ScanThreads&) = delete;
  ScanThreads& operator=(const ScanThreads&) = delete;

  // Returns at least 1.
  int count() const { return count_; }

 private:
  const Models& models_;
  int count_ = 1;
};

}  // namespace fineprint::session
