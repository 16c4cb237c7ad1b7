// Calls a reranker on a server.
#include "remote/served/served_reranker.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "remote/openai/reply_reader.h"

namespace fineprint::remote {
namespace {

// What text-embeddings-inference accepts by default.
constexpr std::size_t kPassagesACall = 32;

}  // namespace

ServedScores::ServedScores(ServedAddress at, const OpenAiOptions& options, Waiting waiting)
    : at_(std::move(at)),
      calls_(at_.server, options, std::move(waiting)),
      sent_(options.sent),
      passages_a_call_(kPassagesACall) {}

std::string ServedScores::hash() const { return content_hash("served reranker " + name()); }

void ServedScores::score_some(const std::string& question, std::span<const std::string> passages,
                              std::vector<double>* out) const {
  const std::size_t count = std::min<std::size_t>(passages_a_call_, passages.size());
  VectorHabits habits;
  habits.truncate = truncates_;
  if (sent_) sent_->add({"(text)", calls_.host(), static_cast<std::int64_t>(count)});
  const JsonCalls::Outcome outcome =
      calls_.post(rerank_path(at_), rerank_body(at_, question, passages.first(count), habits));
  if (outcome.refusal.empty()) {
    try {
      for (const double score : read_scores(at_, outcome.reply, count)) out->push_back(score);
    } catch (const BrokenReply& broken) {
      throw Error(ErrorCode::model,
                  format("{} sent a reply for {} that cannot be used: {}; check the address, and "
                         "that the server runs {} as a reranker",
                         calls_.host(), rerank_path(at_), calls_.told(broken.what()), name()));
    }
    return;
  }
  const bool may_be_about_truncation =
      at_.protocol == Protocol::openai && habits.truncate &&
      (count == 1 || !without_refused(habits, outcome.refusal).truncate);
  if (may_be_about_truncation) {
    truncates_ = false;
  } else if (count == 1) {
    throw Error(ErrorCode::input, format("{} {}", calls_.host(), outcome.refusal));
  } else {
    passages_a_call_ = count / 2;
    log::step("{} {}; sending {} passages a call", calls_.host(), outcome.refusal, count / 2);
  }
}

std::vector<double> ServedScores::score(const std::string& question,
                                        std::span<const std::string> passages) const {
  std::vector<double> scores;
  scores.reserve(passages.size());
  while (scores.size() < passages.size()) {
    throw_if_interrupted();
    score_some(question, passages.subspan(scores.size()), &scores);
  }
  return scores;
}

bool names_served_reranker(std::string_view spec) { return is_served(spec); }

void check_served_reranker(const std::string& spec) {
  if (parse_served(spec).protocol != Protocol::ollama) return;
  throw Error(ErrorCode::usage,
              format("--rerank {}: Ollama has no interface for rerankers; serve the model with "
                     "vLLM or text-embeddings-inference and give openai:URL#NAME or tei:URL",
                     spec));
}

std::unique_ptr<models::Reranker> make_served_reranker(const std::string& spec,
                                                       const OpenAiOptions& options) {
  check_served_reranker(spec);
  std::string named = spec;
  return std::make_unique<ServedScores>(find_served(&named, options), options, real_waiting());
}

}  // namespace fineprint::remote
