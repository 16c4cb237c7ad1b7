// Writes texts for a model: conversations as its chat template writes them, pages and queries to
// embed.
#include "fineprint/models/prompt.h"

#include <algorithm>
#include <optional>
#include <ranges>

#include "fineprint/core/error.h"
#include "fineprint/core/unicode.h"

#include "models/prompt_marker.h"

namespace fineprint::models {
namespace {

struct Around {
  const std::string& before;
  const std::string& after;
};

Around around(const ChatTemplate& chat, Role role) {
  switch (role) {
    case Role::system:
      return {chat.before_system, chat.after_system};
    case Role::assistant:
      return {chat.before_assistant, chat.after_assistant};
    case Role::user:
      break;
  }
  return {chat.before_user, chat.after_user};
}

bool is_blank_character(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the byte offset after the first character of each special token in the text. A token may
// include the blanks around it.
std::vector<std::size_t> break_points(const tokenizer::Tokenizer& tokenizer,
                                      const std::string& text) {
  std::vector<std::size_t> points;
  std::size_t at = 0;
  std::uint32_t character = 0;
  for (const tokenizer::Token& token : tokenizer.encode(text, false)) {
    if (token.begin == token.end || !tokenizer.is_special(token.id)) continue;
    for (; character < token.begin && at < text.size(); ++character) {
      next_code_point(text, &at);
    }
    std::size_t first = at;
    while (first < text.size() && is_blank_character(text[first])) ++first;
    if (first == text.size()) continue;
    next_code_point(text, &first);
    points.push_back(first);
  }
  return points;
}

std::string image_text(const Prompt& prompt, std::size_t number) {
  return prompt.image_before + marker_of(prompt, number) + prompt.image_after;
}

std::string images_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                        const Message& message, std::size_t first_number) {
  std::string out;
  for (std::size_t i = 0; i < message.images.size(); ++i) {
    if (i < message.image_labels.size()) {
      out += plain_text(prompt, tokenizer, message.image_labels[i]);
    }
    out += image_text(prompt, first_number + i);
  }
  return out;
}

// Replaces in one pass, so that placeholders in the inserted text stay as they are.
std::string fill(const std::string& pattern, const std::string& image, const std::string& text) {
  constexpr std::string_view kImage = "{image}", kText = "{text}";
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern.compare(at, kImage.size(), kImage) == 0) {
      out += image;
      at += kImage.size();
    } else if (pattern.compare(at, kText.size(), kText) == 0) {
      out += text;
      at += kText.size();
    } else {
      out += pattern[at++];
    }
  }
  return out;
}

bool begins_with_image(const ChatTemplate& chat, const Message& message) {
  const bool labelled = !message.image_labels.empty() && !message.image_labels.front().empty();
  return !message.images.empty() && chat.images_first && !labelled;
}

std::string judged(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                   const std::string& question, const std::string& document) {
  if (!prompt.judge) throw Error(ErrorCode::internal, "the model has no judge prompt");
  const JudgeFrame& frame = *prompt.judge;
  return frame.before_question + plain_text(prompt, tokenizer, question) + frame.before_document +
         document + frame.after_document;
}

}  // namespace

// Breaking one token can create another that overlapped with it, hence the repetition.
std::string plain_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       std::string text) {
  constexpr int kRounds = 8;
  // Markers first: they need not be special tokens.
  text = break_markers(prompt, valid_utf8(text));
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<std::size_t> points = break_points(tokenizer, text);
    if (points.empty()) break;
    for (const std::size_t point : std::views::reverse(points)) text.insert(point, " ");
  }
  return text;
}

std::string chat_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                      std::span<const Message> messages) {
  if (!prompt.no_chat.empty()) throw Error(ErrorCode::model, prompt.no_chat);
  const ChatTemplate& chat = prompt.chat;
  std::string out = chat.begin;
  const bool has_system = std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.role == Role::system;
  });
  // Templates differ in what they write if no system message is given: a default, an empty frame or
  // nothing.
  if (!has_system && (chat.system_always || !chat.default_system.empty())) {
    out += chat.before_system + chat.default_system + chat.after_system;
  }
  std::size_t number = 1;
  std::optional<Role> before;
  for (const Message& message : messages) {
    const Around frame = around(chat, message.role);
    const std::string images = images_text(prompt, tokenizer, message, number);
    const std::string text = chat.before_text + plain_text(prompt, tokenizer, message.text);
    number += message.images.size();
    // Gemma's system message has already opened the user's message.
    const bool opened =
        chat.system_opens_user && message.role == Role::user && before == Role::system;
    before = message.role;
    if (!opened) out += frame.before;
    if (!begins_with_image(chat, message)) out += chat.before_first_text;
    out += chat.images_first ? images + text : text + images;
    out += frame.after;
  }
  return out + chat.before_assistant + chat.before_reply;
}

std::string page_prompt(const Prompt& prompt, const std::string& text) {
  return fill(prompt.page_text, image_text(prompt, 1), break_markers(prompt, text));
}

std::string query_prompt(const Prompt& prompt, const std::string& text) {
  return fill(prompt.query_text, "", prompt.query_prefix + break_markers(prompt, text));
}

std::string passage_prompt(const Prompt& prompt, const std::string& text) {
  return fill(prompt.passage_text, "", break_markers(prompt, text));
}

std::string judged_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                        const std::string& question, const std::string& document) {
  return judged(prompt, tokenizer, question, plain_text(prompt, tokenizer, document));
}

std::string judged_image(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                         const std::string& question) {
  return judged(prompt, tokenizer, question, image_text(prompt, 1));
}

}  // namespace fineprint::models
