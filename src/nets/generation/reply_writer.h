// Writes one reply: draws tokens from the logits, decodes their text and decides when to end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fineprint/grammar/json_constraint.h"
#include "fineprint/models/generator.h"
#include "fineprint/serving/sampling.h"
#include "fineprint/serving/thoughts.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::nets {

// The state of one reply.
class ReplyWriter {
 public:
  // Writes at most `limit` tokens. `constraint` (or nullptr) and all references must outlive it.
  ReplyWriter(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer,
              const models::SamplingOptions& options, std::int64_t limit,
              grammar::JsonConstraint* constraint);

  // Counts a token of the prompt for the repetition penalty.
  void saw(std::int64_t id) { sampler_.saw(id); }
  // Returns the token to read next, or nullopt if the reply has ended.
  std::optional<std::int64_t> next(std::span<const float> logits);
  // Writes text that was held back, because it could have been the beginning of a stop text, and
  // removes the scores of thoughts.
  void finish();
  // Returns how many more tokens may be written.
  std::int64_t left() const { return limit_ - static_cast<std::int64_t>(reply_.tokens.size()); }
  models::Reply& reply() { return reply_; }

 private:
  void write(const std::string& decoded);
  void emit(const std::string& piece);
  bool is_end(std::int64_t id) const;
  std::optional<std::int64_t> end(models::Finish finish);

  const models::ModelSpec& spec_;
  const models::SamplingOptions& options_;
  std::int64_t limit_;
  grammar::JsonConstraint* constraint_;
  serving::Sampler sampler_;
  tokenizer::StreamDecoder decoder_;
  serving::ThoughtFilter thoughts_;
  serving::StopCutter cutter_;
  models::Reply reply_;
};

}  // namespace fineprint::nets
