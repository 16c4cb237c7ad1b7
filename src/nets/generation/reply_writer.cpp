// Writes one reply: draws tokens from the logits, decodes their text and decides when to end.
#include "nets/generation/reply_writer.h"

#include <algorithm>

namespace fineprint::nets {

ReplyWriter::ReplyWriter(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer,
                         const models::SamplingOptions& options, std::int64_t limit,
                         grammar::JsonConstraint* constraint)
    : spec_(spec),
      options_(options),
      limit_(limit),
      constraint_(constraint),
      sampler_(serving::sampling_rule(options, spec.generation), options.seed),
      decoder_(tokenizer, true),
      cutter_(options.stop) {
  reply_.finish = models::Finish::length;
}

bool ReplyWriter::is_end(std::int64_t id) const {
  const auto& ends = spec_.generation.end_tokens;
  return std::find(ends.begin(), ends.end(), id) != ends.end();
}

std::optional<std::int64_t> ReplyWriter::end(models::Finish finish) {
  reply_.finish = finish;
  return std::nullopt;
}

std::optional<std::int64_t> ReplyWriter::next(std::span<const float> logits) {
  const auto written = static_cast<std::int64_t>(reply_.tokens.size());
  if (written >= limit_) return end(models::Finish::length);
  // The grammar gets the number of tokens left, so that it closes the reply before the limit.
  const std::span<const std::uint8_t> allowed =
      constraint_ == nullptr ? std::span<const std::uint8_t>()
                             : constraint_->allowed(static_cast<std::size_t>(limit_ - written));
  const std::int64_t id = sampler_.next(logits, allowed);
  // Scored with the full logits: the probability is the model's and not the grammar's.
  reply_.tokens.push_back(serving::score_token(logits, id));
  ++reply_.output_tokens;
  if (is_end(id)) return end(models::Finish::end_token);
  sampler_.saw(id);
  write(decoder_.push(static_cast<std::int32_t>(id)));
  if (cutter_.stopped()) return end(models::Finish::stop_text);
  if (constraint_ != nullptr) {
    constraint_->accept(id);
    if (constraint_->complete()) return end(models::Finish::end_token);
  }
  // The last token is not read, because its logits are not needed.
  if (written + 1 >= limit_) return end(models::Finish::length);
  return id;
}

void ReplyWriter::finish() {
  write(decoder_.finish());
  if (constraint_ == nullptr) emit(cutter_.push(thoughts_.finish()));
  emit(cutter_.finish());
  const bool only_thoughts = thoughts_.thought() && reply_.text.empty();
  if (only_thoughts) reply_.thought_tokens = reply_.output_tokens;
  reply_.tokens.erase(reply_.tokens.begin(), reply_.tokens.begin() + reply_.thought_tokens);
}

// Replies under a grammar have no thoughts, because the grammar allows none.
void ReplyWriter::write(const std::string& decoded) {
  if (constraint_ != nullptr) {
    emit(cutter_.push(decoded));
    return;
  }
  const std::size_t before = thoughts_.bytes_after();
  const std::string piece = thoughts_.push(decoded);
  // Fewer bytes than before: thoughts ended in this token.
  if (thoughts_.thought() && thoughts_.bytes_after() < before + decoded.size()) {
    reply_.thought_tokens = static_cast<std::int64_t>(reply_.tokens.size());
  }
  if (thoughts_.took_back()) {
    reply_.text.clear();
    cutter_ = serving::StopCutter(options_.stop);
  }
  emit(cutter_.push(piece));
}

void ReplyWriter::emit(const std::string& piece) {
  if (piece.empty()) return;
  reply_.text += piece;
  if (options_.on_text) options_.on_text(piece);
}

}  // namespace fineprint::nets
