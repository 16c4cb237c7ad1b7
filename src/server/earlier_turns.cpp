// Reads earlier turns from requests.
#include "server/earlier_turns.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "fineprint/core/text.h"

#include "server/refusal.h"
#include "server/sent_pictures.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kUnderstood = "understood: ";

std::string text_or_none(const Json& turn, const char* name) {
  const auto found = turn.find(name);
  if (found == turn.end() || found->is_null()) return {};
  if (found->is_string()) return found->get<std::string>();
  throw Refusal(400, "field 'earlier': 'question' and 'answer' must be texts");
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
  const Json* list = fields.value("earlier");
  if (list == nullptr) return {};
  if (!list->is_array()) throw Refusal(400, "field 'earlier' must be a list of turns");
  const std::size_t first = list->size() > kMostTurns ? list->size() - kMostTurns : 0;
  std::vector<dialogue::Turn> turns;
  for (std::size_t i = first; i < list->size(); ++i) {
    const Json& turn = (*list)[i];
    if (!turn.is_object()) throw Refusal(400, "field 'earlier': each turn must be an object");
    turns.push_back(
        {.question = text_or_none(turn, "question"), .answer = text_or_none(turn, "answer")});
  }
  return turns;
}

namespace {

bool is_part(const Json& part, const char* type) {
  return part.is_object() && part.value("type", "") == type;
}

SentPicture picture_of_part(const Json& part, std::size_t number) {
  const auto image = part.find("image_url");
  const bool has_url = image != part.end() && image->is_object() && image->contains("url") &&
                       (*image)["url"].is_string();
  if (!has_url) {
    throw Refusal(400,
                  "field 'messages': a part of the type 'image_url' must have 'image_url' "
                  "with a 'url'");
  }
  return picture_of_url((*image)["url"].get<std::string>(), "messages", number);
}

}  // namespace

std::string text_of_message(const Json& message, std::vector<SentPicture>* pictures) {
  const auto content = message.find("content");
  if (content == message.end() || content->is_null()) return "";
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  for (const Json& part : *content) {
    if (is_part(part, "image_url")) {
      if (pictures != nullptr) pictures->push_back(picture_of_part(part, pictures->size() + 1));
      continue;
    }
    const bool is_text = is_part(part, "text") && part.contains("text") && part["text"].is_string();
    if (!is_text) {
      throw Refusal(400,
                    "field 'messages': only parts of the types 'text' and 'image_url' are "
                    "accepted; add documents with POST /v1/documents");
    }
    text += (text.empty() ? "" : "\n") + part["text"].get<std::string>();
  }
  return text;
}

std::vector<dialogue::Turn> turns_of_messages(const Json& messages, std::size_t last) {
  std::vector<dialogue::Turn> turns;
  std::optional<std::string> asked;
  const auto close = [&](dialogue::Turn turn, const std::string& understood) {
    turn.question = understood.empty() ? dialogue::understand(*asked, turns).question : understood;
    turns.push_back(std::move(turn));
    asked.reset();
  };
  const std::size_t first = last > 2 * kMostTurns ? last - 2 * kMostTurns : 0;
  for (std::size_t i = first; i < last; ++i) {
    const std::string role = messages[i]["role"];
    if (role == "user") {
      if (asked) close({}, {});
      asked = text_of_message(messages[i]);
    } else if (role == "assistant" && asked) {
      std::string understood;
      dialogue::Turn turn = turn_of_reply(text_of_message(messages[i]), &understood);
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
