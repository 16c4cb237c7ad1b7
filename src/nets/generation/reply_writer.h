// One reply as it grows: draws a token from the logits, writes its text, knows when to end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fineprint/grammar/json_constraint.h"
#include "fineprint/models/generator.h"
#include "fineprint/serving/sampling.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::nets {

class ReplyWriter {
 public:
  // At most `limit` tokens. `constraint` (or nullptr) and everything else must outlive the writer.
  ReplyWriter(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer,
              const models::SamplingOptions& options, std::int64_t limit,
              grammar::JsonConstraint* constraint);

  // A token of the prompt, which the repetition penalty counts.
  void saw(std::int64_t id) { sampler_.saw(id); }
  // The token that is to be read next; nullopt when the reply has ended.
  std::optional<std::int64_t> next(std::span<const float> logits);
  // What was held back is written.
  void finish();
  models::Reply& reply() { return reply_; }

 private:
  void emit(const std::string& piece);
  bool is_end(std::int64_t id) const;
  std::optional<std::int64_t> end(models::Finish finish);

  const models::ModelSpec& spec_;
  const models::SamplingOptions& options_;
  std::int64_t limit_;
  grammar::JsonConstraint* constraint_;
  serving::Sampler sampler_;
  tokenizer::StreamDecoder decoder_;
  serving::StopCutter cutter_;
  models::Reply reply_;
};

}  // namespace fineprint::nets
