// Keeps answers within bounds.
#include "server/kept_answers.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

namespace fineprint::server {
namespace {

constexpr std::int64_t kLargestShare = 10;  // an answer fills at most this part of all bytes

// A later question may find more than the first one did while texts still get their vectors from
// the questions themselves. Vectors that cannot be read are no reason to lose an answer that did
// without them.
bool is_complete(const session::Session& session) {
  try {
    return !session.has_vectors("text") || session.vectors("text").missing() == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string kept_key(const AskRequest& request, const std::string& pipeline, bool followed) {
  if (!request.files.empty() || !request.pictures.empty()) return "";
  Json earlier = Json::array();
  for (const dialogue::Turn& turn : request.earlier) {
    earlier.push_back({turn.question, turn.answer, turn.docs});
  }
  return dump_json(
      {request.question, request.docs, pipeline, request.trace, followed, std::move(earlier)});
}

std::optional<KeptAnswer> KeptAnswers::find(const std::shared_ptr<const session::Session>& session,
                                            const std::string& key) {
  const std::lock_guard guard(mutex_);
  if (session_.lock() != session) {
    kept_.clear();
    by_key_.clear();
    bytes_ = 0;
    session_ = session;
  }
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, found->second);
  return found->second->answer;
}

// The record has all texts of an answer, so its length is near to what the answer needs in memory.
void KeptAnswers::keep(const std::shared_ptr<const session::Session>& session,
                       const std::string& key, const Answer& answer, std::vector<KeptStep> steps) {
  if (key.empty() || answer.error || !answer.limit.empty() || !is_complete(*session)) return;
  std::size_t needed = sizeof(Kept) + 2 * key.size() + to_json_line(answer).size();
  for (const KeptStep& one : steps) {
    needed += sizeof(KeptStep) + one.step.size() + one.fields.size() + one.line.size();
  }
  const auto bytes = static_cast<std::int64_t>(needed);
  if (bytes > most_bytes_ / kLargestShare) return;
  const std::lock_guard guard(mutex_);
  if (session_.lock() != session || by_key_.contains(key)) return;
  kept_.push_front({key, {answer, std::move(steps)}, bytes});
  by_key_.emplace(key, kept_.begin());
  bytes_ += bytes;
  while (kept_.size() > most_ || bytes_ > most_bytes_) {
    bytes_ -= kept_.back().bytes;
    by_key_.erase(kept_.back().key);
    kept_.pop_back();
  }
}

void KeptAnswers::forget(const std::string& key) {
  const std::lock_guard guard(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  bytes_ -= found->second->bytes;
  kept_.erase(found->second);
  by_key_.erase(found);
}

KeptAnswers::Size KeptAnswers::size() const {
  const std::lock_guard guard(mutex_);
  return {kept_.size(), bytes_};
}

}  // namespace fineprint::server
