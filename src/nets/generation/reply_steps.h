// The steps of one reply: after each, the tokens that the network's logits give.
#pragma once

#include <cstdint>
#include <optional>

#include "fineprint/models/generator.h"
#include "fineprint/serving/prompt_lookup.h"

#include "nets/generation/reply_writer.h"
#include "nets/generation/sequence.h"

namespace fineprint::nets {

// Appends the tokens of a reply to its sequence, and after them proposals for the next step.
class ReplySteps {
 public:
  // All references must outlive it. `looks_up`: whether tokens are proposed.
  ReplySteps(Sequence& sequence, ReplyWriter& writer, const models::SamplingOptions& options,
             bool looks_up);

  // Takes the tokens that follow the last certain one: up to the first that was not proposed.
  // Returns false if the reply has ended. It is the `next` of the engine's call.
  bool next();
  // Writes how many tokens were proposed and accepted into the reply.
  void count(models::Reply* reply) const;

 private:
  void propose();

  Sequence& sequence_;
  ReplyWriter& writer_;
  const models::SamplingOptions& options_;
  std::optional<serving::PromptLookup> lookup_;
};

}  // namespace fineprint::nets
