// Separates a reply from what the model thinks before it.
#include "fineprint/serving/thoughts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "serving/begun_mark.h"

namespace fineprint::serving {
namespace {

// The marks of thoughts. Sources: the chat templates that come with DeepSeek-R1, Qwen3 and others
// (think), Magistral ([THINK]), Seed-OSS (seed:think), Granite 3.2 and gpt-oss (channels).
struct Form {
  std::string_view open, close;
  bool keeps_open = false;  // the closing mark may begin with the opening one
};
constexpr std::array<Form, 8> kForms = {{
    {"<think>", "</think>"},
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"},
    {"<reasoning>", "</reasoning>"},
    {"<seed:think>", "</seed:think>"},
    {"[THINK]", "[/THINK]"},
    {"<|channel>thought", "<channel|>"},
    {"<|channel|>", "<|channel|>final<|message|>", true},
}};
// Marks that end a message with channels, if the server leaves them in the text.
constexpr std::array<std::string_view, 2> kEnds = {"<|return|>", "<|end|>"};

struct Found {
  std::size_t at = std::string::npos, size = 0;
};

void keep_first(const std::string& text, std::string_view mark, Found* first) {
  const std::size_t at = text.find(mark);
  if (at < first->at) *first = {at, mark.size()};
}

std::size_t blanks_before(std::string_view text) {
  return std::min(text.find_first_not_of(" \t\r\n"), text.size());
}

}  // namespace

std::string ThoughtFilter::push(std::string_view piece) {
  std::string out;
  took_back_ = false;
  held_ += piece;
  bytes_after_ += piece.size();
  while (advance(&out)) {
  }
  returned_ = returned_ || !out.empty();
  return out;
}

std::string ThoughtFilter::finish() {
  std::string rest = std::exchange(held_, {});
  // Thoughts that did not end leave no reply; blanks alone are none.
  if (state_ == State::thoughts || state_ == State::ended) return {};
  if (state_ == State::undecided && thought_) rest.erase(0, blanks_before(rest));
  return rest;
}

// Returns whether the state has changed, so that the held text is worth another look.
bool ThoughtFilter::advance(std::string* out) {
  switch (state_) {
    case State::undecided:
      return decide();
    case State::thoughts:
      return leave_thoughts();
    case State::reply:
      return pass_on(out);
    case State::ended:
      held_.clear();
      return false;
  }
  return false;
}

// Decides by the first characters that are not blank whether thoughts begin here or the reply.
bool ThoughtFilter::decide() {
  const std::size_t begin = blanks_before(held_);
  const std::string_view text = std::string_view(held_).substr(begin);
  bool may_open = text.empty();
  for (const Form& form : kForms) {
    if (text.starts_with(form.open)) {
      thought_ = thought_ || !form.keeps_open;
      close_ = form.close;
      held_.erase(0, begin + (form.keeps_open ? 0 : form.open.size()));
      state_ = State::thoughts;
      return true;
    }
    may_open = may_open || form.open.starts_with(text);
  }
  if (may_open) return false;
  is_object_ = text.front() == '{';
  // Blanks after thoughts are between two parts and belong to neither.
  if (thought_) held_.erase(0, begin);
  state_ = State::reply;
  return true;
}

bool ThoughtFilter::leave_thoughts() {
  const std::size_t at = held_.find(close_);
  // A closing mark that is also the opening one has no thoughts before it.
  const std::size_t certain =
      at == std::string::npos ? held_.size() - begun_length(held_, close_) : at;
  thought_ = thought_ || certain > 0;
  if (at == std::string::npos) {
    held_.erase(0, certain);
    return false;
  }
  begin_reply_after(at + close_.size());
  return true;
}

void ThoughtFilter::begin_reply_after(std::size_t mark_end) {
  held_.erase(0, mark_end);
  bytes_after_ = held_.size();
  state_ = State::undecided;
}

bool ThoughtFilter::pass_on(std::string* out) {
  if (is_object_) {
    *out += std::exchange(held_, {});
    return false;
  }
  Found close, end;
  for (const Form& form : kForms) keep_first(held_, form.close, &close);
  for (const std::string_view mark : kEnds) keep_first(held_, mark, &end);
  if (close.at != std::string::npos) {
    thought_ = true;
    took_back_ = took_back_ || returned_;
    returned_ = false;
    out->clear();
    begin_reply_after(close.at + close.size);
    return true;
  }
  if (end.at != std::string::npos) {
    *out += held_.substr(0, end.at);
    held_.clear();
    state_ = State::ended;
    return false;
  }
  std::size_t open = 0;
  for (const Form& form : kForms) open = std::max(open, begun_length(held_, form.close));
  for (const std::string_view mark : kEnds) open = std::max(open, begun_length(held_, mark));
  *out += held_.substr(0, held_.size() - open);
  held_.erase(0, held_.size() - open);
  return false;
}

}  // namespace fineprint::serving
