// Opens vectors and models when a question first needs them, and checks that they match.
#include "fineprint/session/context.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/stop.h"
#include "fineprint/core/text.h"
#include "fineprint/remote/served_models.h"

namespace fineprint::session {
namespace {

// About 40 pages at the tier `fine`, which covers the questions that are answered at the same time.
constexpr std::size_t kImageBytes = std::size_t{256} << 20;

// For messages: the sets that a store has, or "none".
std::string joined_names(const std::map<std::string, store::VectorSet>& sets) {
  return sets.empty() ? "none" : join_texts(sets, ", ", [](const auto& set) { return set.first; });
}

// Returns which kind of model makes the vectors of a set, for messages. "late-2" is another set of
// the kind "late".
std::string maker_of(const std::string& set) {
  const std::string kind = set.substr(0, set.find_last_not_of("-0123456789") + 1);
  if (kind == "page") {
    return "a model that gives one vector a page image (as DSE or Phi-3-vision with an adapter)";
  }
  if (kind == "late") {
    return "a model that gives a page image many vectors (as ColPali or ColQwen2)";
  }
  if (kind == "sparse") {
    return "a model that weighs the tokens of a text or a page image (as SPLADE or V-SPLADE)";
  }
  if (kind == "late-text") return "a model that gives a text many vectors (as ColBERT)";
  return "a sentence encoder (or --scorer bm25,text for the one that the set-up installed)";
}

std::string spec_for_messages(const std::string& spec) {
  return spec.empty() ? "the default one" : spec;
}

}  // namespace

Session::Session(const store::Store& store, const Models& models)
    : models_(models),
      corpus_(store, models.options().filter),
      images_(corpus_, models.pages(), kImageBytes),
      gpu_vectors_(models.options().model.device, models.gpu()) {
  for (store::VectorSet& set : store.vector_sets()) sets_.emplace(set.name, std::move(set));
}

Session::Session(const store::Store& store, const SessionOptions& options, SessionParts parts)
    : Session(std::make_unique<const Models>(options, std::move(parts)), store) {}

Session::Session(const store::Store& store, const SessionOptions& options,
                 std::unique_ptr<const EncoderSource> encoders)
    : Session(store, options, SessionParts{.encoders = std::move(encoders)}) {}

// Does what the first constructor does, but owns its models, which are initialised first.
Session::Session(std::unique_ptr<const Models> models, const store::Store& store)
    : own_models_(std::move(models)),
      models_(*own_models_),
      corpus_(store, models_.options().filter),
      images_(corpus_, models_.pages(), kImageBytes),
      gpu_vectors_(models_.options().model.device, models_.gpu()) {
  for (store::VectorSet& set : store.vector_sets()) sets_.emplace(set.name, std::move(set));
}

Session::~Session() = default;

// Sets of elements need other commands than sets of pages or chunks, hence two messages.
const store::VectorSet& Session::set(const std::string& name) const {
  const auto found = sets_.find(name);
  if (found != sets_.end()) return found->second;
  const std::string& dir = corpus_.store().dir();
  const bool of_elements = std::ranges::any_of(
      sets_, [&](const auto& entry) { return store::elements_set(entry.first) == name; });
  if (of_elements) {
    throw Error(
        ErrorCode::store,
        format("{} has no vectors \"{}\" of figures, tables and charts (it has: {}); to make "
               "them for documents with maps, run `fineprint index PATH... --store {} --map "
               "heuristic --elements`",
               dir, name, joined_names(sets_), dir));
  }
  throw Error(ErrorCode::store,
              format("{} has no vectors \"{}\" (it has: {}); to make them, run `fineprint index "
                     "PATH... --store {} --retriever MODEL` with {}, or search with --scorer {}",
                     dir, name, joined_names(sets_), dir, maker_of(name),
                     sets_.contains("text") ? "bm25,text" : "bm25"));
}

// Loads under the lock, so that two questions do not read the same set at once.
const VectorView& Session::vectors(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<VectorView>& view = views_[name];
  if (view == nullptr) view = std::make_unique<VectorView>(corpus_, set(name));
  return *view;
}

// Warns once: the index is kept.
const KeywordIndex& Session::sparse(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const store::VectorSet& wanted = set(name);
  const KeywordIndex& index = corpus_.keywords(wanted.name, wanted.unit);
  if (index.missing() > 0 && told_missing_.insert(name).second) {
    log::warn(
        "{}: {} of {} {}s have no vectors of the set \"{}\", so only the other scorers rank "
        "them; run `fineprint index` to make the rest",
        corpus_.store().dir(), index.missing(), index.unit_count(), store::unit_name(wanted.unit),
        name);
  }
  return index;
}

void Session::open(const std::string& name) const {
  const auto found = sets_.find(name);
  if (found != sets_.end() && store::is_sparse(found->second)) {
    sparse(name);
  } else {
    vectors(name);
  }
}

// Every --retriever must have made one of the sets. One that did not was given by mistake.
void Session::check_retrievers() const {
  if (retrievers_checked_) return;
  for (const std::string& spec : models_.options().retrievers) {
    const std::string hash = models_.encoder_hash(spec);
    const auto made = std::ranges::find(
        sets_, hash, [](const auto& entry) -> const std::string& { return entry.second.hash; });
    if (made != sets_.end()) {
      retriever_of_[hash] = spec;
      continue;
    }
    std::string makers;
    for (const auto& [name, set] : sets_) {
      makers +=
          format("{}\"{}\" by {} ({})", makers.empty() ? "" : ", ", name, set.model, set.hash);
    }
    throw Error(ErrorCode::model,
                format("{}: none of its vectors were made by {} ({}), but {}; give one of these "
                       "models with --retriever, or index into a new store",
                       corpus_.store().dir(), spec_for_messages(spec), hash, makers));
  }
  retrievers_checked_ = true;
}

std::string Session::spec_for(const store::VectorSet& set) const {
  check_retrievers();
  const auto given = retriever_of_.find(set.hash);
  if (given != retriever_of_.end()) return given->second;
  // A store may come from somebody else. Its address gets no question, and no API key, unless the
  // user names it.
  if (remote::names_served_encoder(set.spec)) {
    throw Error(ErrorCode::usage,
                format("{}: the vectors \"{}\" were made by {} on a server, and servers are asked "
                       "only if you name them; give --retriever {} (or the same model elsewhere), "
                       "or search with --scorer bm25",
                       corpus_.store().dir(), set.name, set.model, set.spec));
  }
  return set.spec;
}

const models::Encoder& Session::encoder(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const store::VectorSet& wanted = set(name);
  const models::Encoder& encoder = models_.encoder(wanted.hash, spec_for(wanted));
  // Each model has its own space of vectors. Comparing vectors of two models would return noise
  // without an error.
  if (encoder.hash() != wanted.hash) {
    throw Error(ErrorCode::model,
                format("{}: its vectors \"{}\" were made by {} ({}), not by {} ({}); give that "
                       "model with --retriever (and its --passage-prefix, if one was given then), "
                       "or index into a new store",
                       corpus_.store().dir(), name, wanted.model, wanted.hash, encoder.name(),
                       encoder.hash()));
  }
  return encoder;
}

// A server may have another model than before under the same name.
void Session::check_width(const std::string& name, const Matrix& vectors) const {
  const std::size_t columns = store::is_sparse(set(name)) ? store::kSparseColumns : set(name).dim;
  if (vectors.rows == 0 || vectors.cols == columns) return;
  throw Error(ErrorCode::model,
              format("{} now returns vectors of {} values, but the vectors \"{}\" of {} have {}; "
                     "serve the model that made them, or index into a new store",
                     set(name).model, vectors.cols, name, corpus_.store().dir(), set(name).dim));
}

Matrix Session::embed_query(const std::string& name, const std::string& text) const {
  Matrix vectors = models_.embed_query(encoder(name), text);
  check_width(name, vectors);
  return vectors;
}

Matrix Session::embed_picture(const std::string& name, const QuestionPicture& picture) const {
  Matrix vectors = models_.embed_picture(encoder(name), picture.image, picture.record.sha256);
  check_width(name, vectors);
  return vectors;
}

// Needs no encoder, so made_vectors() never loads a model.
MadeVectors& Session::made(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<MadeVectors>& made = made_[name];
  if (made == nullptr) made = std::make_unique<MadeVectors>(corpus_);
  return *made;
}

Matrix Session::make_vectors(const std::string& name, std::span<const ChunkId> chunks) const {
  Matrix vectors = made(name).of(encoder(name), chunks);
  check_width(name, vectors);
  return vectors;
}

std::vector<store::NewVectors> Session::made_vectors(const std::string& name) const {
  return made(name).parts();
}

// Sentence encoders return one row for each text, so the rows join to one matrix.
Matrix Session::embed(const std::vector<std::string>& texts, models::TextRole role) const {
  const models::Encoder& encoder = this->encoder("text");
  Matrix all{texts.size(), encoder.dim(), {}};
  for (const Matrix& one : encoder.embed_texts(texts, role)) {
    all.values.insert(all.values.end(), one.values.begin(), one.values.end());
  }
  return all;
}

std::optional<std::string> Context::why_stopped() const {
  switch (stop_token.reason()) {
    case StopReason::none:
      return std::nullopt;
    case StopReason::interrupted:
      break;
    case StopReason::stopped:
      return "the question was cancelled";
    case StopReason::deadline:
      return budget.out_of_time();
  }
  // Ctrl-C ends the run, not only this question; so it is no reason that a caller could handle.
  throw Error(ErrorCode::interrupted, "interrupted");
}

bool Context::in_time() {
  if (stop_token.reason() == StopReason::deadline) {
    note_limit(budget.out_of_time());
    return false;
  }
  throw_if_stopped(stop_token);
  return true;
}

void Context::note_limit(const std::string& reason) {
  if (limit.empty()) limit = reason;
}

}  // namespace fineprint::session
