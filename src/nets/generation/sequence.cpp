// Tokenises requests, and keeps the tokens of one call.
#include "nets/generation/sequence.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

namespace {

// The most certain tokens of earlier steps that are read together with proposals.
constexpr std::int64_t kMostAgain = 6;

// Returns how many of a prompt's tokens belong to its system message, which may be the template's
// default. If the tokenizer joins texts at its end, the joined token is not counted.
std::int64_t system_tokens(const Multimodal& model, std::span<const models::Message> messages,
                           const models::TokenSequence& tokens) {
  const models::Prompt& prompt = model.spec().prompt;
  const bool given = !messages.empty() && messages[0].role == models::Role::system;
  if (given ? !messages[0].images.empty() : prompt.chat.default_system.empty()) return 0;
  std::string text = models::chat_text(prompt, model.tokenizer(), messages.first(given ? 1 : 0));
  text.resize(text.size() - prompt.chat.before_assistant.size() - prompt.chat.before_reply.size());
  std::size_t count = 0;
  for (const tokenizer::Token& token : model.tokenizer().encode(text, prompt.add_special)) {
    if (count == tokens.ids.size() || tokens.is_image[count] != 0) break;
    if (tokens.ids[count] != token.id) break;
    ++count;
  }
  return static_cast<std::int64_t>(count);
}

// Returns how many of a prompt's tokens come before the first one that depends on more than the
// first `end` bytes of the last of `messages`. The last token does not count, because it is always
// read.
std::int64_t tokens_before(const Multimodal& model, std::vector<models::Message> messages,
                           std::size_t end, const PromptTokens& prompt) {
  // Tokenising the shortened prompt and comparing is the only safe way: a tokenizer may join
  // characters across the cut.
  messages.back().text.resize(std::min(end, messages.back().text.size()));
  const std::string text = models::chat_text(model.spec().prompt, model.tokenizer(), messages);
  const models::TokenSequence alone = model.tokenize(text, prompt.plans);
  const auto same = std::ranges::mismatch(alone.ids, prompt.tokens.ids).in1 - alone.ids.begin();
  return std::min<std::int64_t>(same, std::ssize(alone.ids) - 1);
}

// Returns the token positions of all beginnings that other prompts may share, ascending.
std::vector<std::int64_t> repeated_tokens(const Multimodal& model, const models::Request& request,
                                          const PromptTokens& prompt) {
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const auto end_of_message = request.messages.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    for (const std::size_t end : request.messages[i].repeated) {
      ends.push_back(tokens_before(model, {request.messages.begin(), end_of_message}, end, prompt));
    }
  }
  return ends;
}

std::string prompt_text(const Multimodal& model, const models::Request& request) {
  if (!request.raw) {
    return models::chat_text(model.spec().prompt, model.tokenizer(), request.messages);
  }
  if (request.messages.size() != 1 || !request.images.empty()) {
    throw Error(ErrorCode::internal, "a raw prompt is one text without images");
  }
  return request.messages.front().text;
}

}  // namespace

std::shared_ptr<const PromptTokens> prompt_tokens(const Multimodal& model,
                                                  const PrefixCache& prefixes,
                                                  const models::Request& request) {
  const models::ModelSpec& spec = model.spec();
  auto prompt = std::make_shared<PromptTokens>();
  for (const models::Message& message : request.messages) {
    for (const std::size_t index : message.images) {
      if (!spec.sees()) {
        const std::string why = spec.blind.empty() ? "" : " (" + spec.blind + ")";
        throw Error(ErrorCode::usage,
                    format("{} cannot read images{}; choose a model that can, or a pipeline that "
                           "sends no images (textrag)",
                           spec.name, why));
      }
      const Image& image = request.images.at(index);
      prompt->plans.push_back(preprocess::plan_pixels(spec.processor, image.width, image.height));
      prompt->image_hashes.push_back(image_hash(image));
      prompt->images.push_back(&image);
    }
  }
  prompt->tokens = model.tokenize(prompt_text(model, request), prompt->plans);
  if (prompt->tokens.ids.empty()) throw Error(ErrorCode::input, "the prompt has no tokens");
  prompt->extent = extent_of(prompt->tokens);
  const models::Rope& rope = model.decoder_spec().rope;
  if (!rope.long_factors.empty()) prompt->short_extent = rope.original_positions;
  // A raw prompt has no messages that others could share.
  const RepeatedTexts repeated =
      request.raw ? RepeatedTexts{}
                  : RepeatedTexts{system_tokens(model, request.messages, prompt->tokens),
                                  repeated_tokens(model, request, *prompt)};
  prompt->fork_points =
      prefixes.fork_points(prompt->tokens, prompt->plans, prompt->image_hashes, repeated);
  return prompt;
}

std::int64_t Sequence::id_behind_prompt(std::int64_t t) const {
  const std::int64_t appended = t - prompt_length(), proposed = t - certain();
  return proposed < 0 ? appended_[static_cast<std::size_t>(appended)]
                      : proposed_[static_cast<std::size_t>(proposed)];
}

std::int64_t Sequence::most_proposed() const {
  // A state that counts only entire steps reads the certain tokens of some again. So that they do
  // not become many, they are then read without proposals.
  const std::int64_t again = certain() - read_ - 1;
  if (again > kMostAgain) return 0;
  std::int64_t most = serving::kMostProposed - again;
  // A sequence that grows beyond some length turns all of its next tokens by other factors
  // (Rope::long_factors). A proposal must not do so before its time.
  const std::int64_t extent =
      prompt_->tokens.next_position + static_cast<std::int64_t>(appended_.size());
  if (extent <= prompt_->short_extent) most = std::min(most, prompt_->short_extent - extent);
  return most;
}

void Sequence::settle(std::size_t count) {
  if (proposed_.empty()) return;
  const std::int64_t before = certain();
  appended_.insert(appended_.end(), proposed_.begin(),
                   proposed_.begin() + static_cast<std::ptrdiff_t>(count));
  const bool all = count == proposed_.size();
  proposed_.clear();
  // If the state cannot count a part of the step, the next step reads its certain tokens again.
  if (all || state_->counts_parts_of_steps()) {
    state_->advance(before + static_cast<std::int64_t>(count) - state_->length());
  }
  read_ = state_->length();
}

std::unique_ptr<Sequence> Sequence::fork() const {
  auto fork = std::make_unique<Sequence>(prompt_);
  fork->appended_ = appended_;
  fork->state_ = state_->fork();
  fork->read_ = read_;
  fork->searched_ = true;
  fork->passed_ = prompt_->fork_points.size();
  fork->features_ = features_;
  fork->every_row_ = true;
  return fork;
}

}  // namespace fineprint::nets
