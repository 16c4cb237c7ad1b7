// The steps of one reply: after each, the tokens that the network's logits give.
#include "nets/generation/reply_steps.h"

#include <algorithm>

namespace fineprint::nets {

ReplySteps::ReplySteps(Sequence& sequence, ReplyWriter& writer,
                       const models::SamplingOptions& options, bool looks_up)
    : sequence_(sequence), writer_(writer), options_(options) {
  if (looks_up) lookup_.emplace(sequence.prompt().tokens.ids);
}

// Each token is chosen from the logits after exactly the tokens before it, as if it had been read
// alone. So proposals change no reply, whatever the sampler or the grammar.
bool ReplySteps::next() {
  const std::vector<std::int64_t> proposed = sequence_.proposed();
  std::size_t accepted = 0;
  std::optional<std::int64_t> id;
  while (true) {
    id = writer_.next(sequence_.logits().row(accepted));
    if (!id || accepted == proposed.size() || *id != proposed[accepted]) break;
    // A stop ends the reply within a step, even if more tokens of it are known.
    if (options_.stop_token.stop_requested()) break;
    if (lookup_) lookup_->saw(*id);
    ++accepted;
  }
  sequence_.settle(accepted);
  if (lookup_) lookup_->checked(std::ssize(proposed), static_cast<std::int64_t>(accepted));
  if (!id) return false;
  sequence_.append(*id);
  if (lookup_) {
    lookup_->saw(*id);
    propose();
  }
  return true;
}

void ReplySteps::propose() {
  // The last token of a reply is not read.
  const std::int64_t most = std::min(writer_.left() - 1, sequence_.most_proposed());
  if (most > 0) sequence_.propose(lookup_->propose(most));
}

void ReplySteps::count(models::Reply* reply) const {
  if (!lookup_) return;
  reply->proposed_tokens = lookup_->proposed_tokens();
  reply->accepted_tokens = lookup_->accepted_tokens();
}

}  // namespace fineprint::nets
