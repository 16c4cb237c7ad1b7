// Asks an agent for a question of its own, and checks that it invents nothing.
#include "fineprint/dialogue/rewriting.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/unicode.h"

#include "dialogue/words.h"

namespace fineprint::dialogue {
namespace {

constexpr std::size_t kMostTurns = 6;            // of the conversation that the agent reads
constexpr std::size_t kMostAnswerBytes = 400;    // of each answer
constexpr std::size_t kMostQuestionBytes = 600;  // of the question that it writes

// Numbers without signs and units, other words folded, so that "£5.00" and "5.00" are the same.
std::string bare(std::string_view word) {
  const std::string folded = fold(word);
  std::string kept;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter_or_digit(c) || c == U'.') append_utf8(c, &kept);
  }
  while (kept.ends_with('.')) kept.pop_back();
  return kept;
}

void add_words(std::string_view text, std::set<std::string>* known) {
  for (const Word& word : words_of(text)) {
    const std::string key = bare(word.key);
    known->insert(key);
    // "Toft's salary" names Toft.
    if (word.key.ends_with("'s")) known->insert(key.substr(0, key.size() - 1));
  }
}

bool is_checked(const Word& word, std::size_t at) {
  const bool has_digit = std::ranges::any_of(word.key, [](char c) { return c >= '0' && c <= '9'; });
  return has_digit || (at > 0 && is_capital(word));
}

std::string conversation_text(std::span<const Turn> earlier) {
  std::string text;
  const std::size_t first = earlier.size() > kMostTurns ? earlier.size() - kMostTurns : 0;
  for (const Turn& turn : earlier.subspan(first)) {
    text += format("Question: {}\n", one_line(turn.question));
    const std::string answer = turn.answer.empty() ? "none" : one_line(turn.answer);
    text += format("Answer: {}\n", shortened(answer, kMostAnswerBytes));
  }
  text.pop_back();
  return text;
}

// The schema requires the property.
std::string question_of(std::string_view reply) {
  return parse_json(reply, "the reply").at("question").get<std::string>();
}

}  // namespace

std::string invented_word(std::string_view question, std::string_view asked,
                          std::span<const Turn> earlier) {
  std::set<std::string> known;
  add_words(asked, &known);
  for (const Turn& turn : earlier) {
    add_words(turn.question, &known);
    add_words(turn.answer, &known);
  }
  // A year that the rules count from another one is in the conversation, too.
  add_words(understand(asked, earlier).question, &known);
  const Words words = words_of(question);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string key = bare(words[i].key);
    const bool possesses = words[i].key.ends_with("'s");
    if (possesses) key.pop_back();
    if (is_checked(words[i], i) && !known.contains(key)) return words[i].text;
  }
  return {};
}

Understood rewritten(session::Context& context, std::string_view asked,
                     std::span<const Turn> earlier, const std::string& prompt_folder) {
  Understood by_rules = understand(asked, earlier);
  if (earlier.empty()) return by_rules;
  const agents::Agent agent = agents::load_agent(kRewritingAgent, prompt_folder);
  agents::Turn turn{.question = std::string(asked)};
  turn.values = {{"conversation", conversation_text(earlier)}};
  turn.check = [&](std::string_view reply) -> std::optional<std::string> {
    const auto question = question_of(reply);
    if (one_line(question).empty()) return "\"question\" is empty";
    if (question.size() > kMostQuestionBytes) return "\"question\" is too long";
    const std::string invented = invented_word(question, asked, earlier);
    if (invented.empty()) return std::nullopt;
    return format("\"{}\" is not in the conversation", invented);
  };
  const agents::TurnReply reply = agents::call(context, agent, turn);
  if (!reply.usable) return by_rules;
  Understood understood = std::move(by_rules);
  understood.question = one_line(question_of(reply.text));
  understood.changed = understood.question != one_line(asked);
  return understood;
}

}  // namespace fineprint::dialogue
