// Proposes the next tokens of a reply: the tokens that followed the same words earlier in its text.
#include "fineprint/serving/prompt_lookup.h"

#include <algorithm>

#include "serving/step_plan.h"

namespace fineprint::serving {
namespace {

static_assert(1 + kMostProposed <= kFewTokens, "a proposal is read in one part");

// Matches are compared up to this many tokens. Longer ones say no more.
constexpr std::size_t kLongest = 12;
// One equal token is no sign of a quote.
constexpr std::size_t kShortest = 2;

// The assumption before anything was proposed, as tokens accepted and rejected, for matches of
// kShortest tokens, of up to 4, and of more.
struct Prior {
  double accepted, rejected;
};
constexpr Prior kPriors[] = {{0.5, 1}, {1, 1}, {2, 0.5}};
// What an earlier proposal counts for after each further one, and after each step without any. So
// a reply that begins to quote is noticed, even if it did not quote before.
constexpr double kFade = 0.9, kFadeUnused = 0.99;

// The time of a step with proposals, of which the time of a step without is 1: kFirst for reading
// several tokens at all, kEach for each token. From products of one, 2, 5 and 16 vectors in AVX2;
// too high a price on a GPU.
constexpr double kFirst = 0.1, kEach = 0.13;

std::size_t kind_of(std::size_t length) { return length > 4 ? 2 : length > kShortest ? 1 : 0; }

// Returns how many tokens to propose if each is accepted with this probability, given that those
// before it were. 0: a step without any gives more tokens in the same time.
std::int64_t best_count(double probability) {
  std::int64_t best = 0;
  double best_speed = 1, expected = 1, all = 1;
  for (std::int64_t count = 1; count <= kMostProposed; ++count) {
    all *= probability;
    expected += all;
    const double speed = expected / (1 + kFirst + kEach * static_cast<double>(count));
    if (speed > best_speed) {
      best_speed = speed;
      best = count;
    }
  }
  return best;
}

}  // namespace

PromptLookup::PromptLookup(std::span<const std::int64_t> prompt)
    : text_(prompt.begin(), prompt.end()) {}

// Of equally long matches, the latest counts.
PromptLookup::Match PromptLookup::longest_match() const {
  Match best;
  if (text_.empty()) return best;
  const std::int64_t last = text_.back();
  for (std::size_t end = text_.size() - 1; end > 0; --end) {
    if (text_[end - 1] != last) continue;
    const std::size_t most = std::min(kLongest, end);
    std::size_t length = 1;
    while (length < most && text_[end - 1 - length] == text_[text_.size() - 1 - length]) ++length;
    if (length > best.length) best = {length, end};
    if (length == kLongest) break;
  }
  return best;
}

std::vector<std::int64_t> PromptLookup::propose(std::int64_t most) {
  const Match match = longest_match();
  kind_ = kind_of(match.length);
  const Prior& prior = kPriors[kind_];
  Record& record = records_[kind_];
  const double good = prior.accepted + record.accepted, bad = prior.rejected + record.rejected;
  std::int64_t count =
      match.length < kShortest ? 0 : std::min(most, best_count(good / (good + bad)));
  std::vector<std::int64_t> proposal;
  for (std::size_t at = match.end; at < text_.size() && count > 0; ++at, --count) {
    if (text_[at] < 0) break;
    proposal.push_back(text_[at]);
  }
  if (proposal.empty()) {
    for (Record& each : records_) {
      each.accepted *= kFadeUnused;
      each.rejected *= kFadeUnused;
    }
  }
  return proposal;
}

void PromptLookup::checked(std::int64_t read, std::int64_t accepted) {
  if (read == 0) return;
  proposed_tokens_ += read;
  accepted_tokens_ += accepted;
  Record& record = records_[kind_];
  record.accepted = record.accepted * kFade + static_cast<double>(accepted);
  // Tokens after the first wrong one were not judged.
  record.rejected = record.rejected * kFade + (accepted < read ? 1 : 0);
}

}  // namespace fineprint::serving
