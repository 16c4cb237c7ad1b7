// Reads earlier turns from requests.
#include "server/earlier_turns.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kUnderstood = "understood: ";

std::string text_or_none(const Json& turn, const std::string& path, const char* name) {
  return member(turn, name) == nullptr ? std::string() : text_member(turn, path, name);
}

// The documents in lines "[1] DOC, page 2: QUOTE".
std::vector<std::string> cited_documents(const std::string& said) {
  std::vector<std::string> docs;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find("] "), end = line.find(", page ");
    const bool is_citation = line.starts_with('[') && begin < end && end != std::string::npos;
    if (!is_citation) continue;
    std::string doc = line.substr(begin + 2, end - begin - 2);
    if (std::ranges::find(docs, doc) == docs.end()) docs.push_back(std::move(doc));
  }
  return docs;
}

// Cuts a reply of ours into its answer, the cited documents and the understood question.
dialogue::Turn turn_of_reply(const std::string& content, std::string* understood) {
  dialogue::Turn turn;
  const std::size_t line = content.rfind("\n" + std::string(kUnderstood));
  if (line != std::string::npos) {
    *understood = trim(std::string_view(content).substr(line + 1 + kUnderstood.size()));
  }
  const std::string said = content.substr(0, line);
  turn.docs = cited_documents(said);
  turn.answer = trim(std::string_view(said).substr(0, said.find("\n\n[1] ")));
  if (turn.answer == kNotAnswerable) turn.answer.clear();
  return turn;
}

}  // namespace

std::vector<dialogue::Turn> earlier_turns(Fields& fields) {
  const Json* list = fields.list("earlier");
  if (list == nullptr) return {};
  const std::size_t first = list->size() > kMostTurns ? list->size() - kMostTurns : 0;
  std::vector<dialogue::Turn> turns;
  for (std::size_t i = first; i < list->size(); ++i) {
    const Json& turn = (*list)[i];
    if (!turn.is_object()) throw refused_field(format("earlier[{}]", i), "must be an object");
    const std::string path = format("earlier[{}].", i);
    turns.push_back({.question = text_or_none(turn, path, "question"),
                     .answer = text_or_none(turn, path, "answer")});
  }
  return turns;
}

std::vector<dialogue::Turn> turns_of_messages(std::span<const Message> messages) {
  std::vector<dialogue::Turn> turns;
  std::optional<std::string> asked;
  const auto close = [&](dialogue::Turn turn, const std::string& understood) {
    turn.question = understood.empty() ? dialogue::understand(*asked, turns).question : understood;
    turns.push_back(std::move(turn));
    asked.reset();
  };
  for (const Message& message : messages.last(std::min(messages.size(), 2 * kMostTurns))) {
    if (message.role == "user") {
      if (asked) close({}, {});
      asked = message.text;
    } else if (message.role == "assistant" && asked) {
      std::string understood;
      dialogue::Turn turn = turn_of_reply(message.text, &understood);
      close(std::move(turn), understood);
    }
  }
  if (asked) close({}, {});
  return turns;
}

std::string understood_line(const std::string& question) {
  return std::string(kUnderstood) + question;
}

}  // namespace fineprint::server
