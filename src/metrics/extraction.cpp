// Finds marks and tags in replies.
#include "fineprint/metrics/extraction.h"

#include <algorithm>

#include "metrics/python/text.h"

namespace fineprint::metrics {
namespace {

std::optional<std::string> between_tags(std::string_view reply, const std::string& tag) {
  const std::string opening = "<" + tag + ">", closing = "</" + tag + ">";
  const std::size_t begin = reply.find(opening);
  if (begin == std::string_view::npos) return std::nullopt;
  reply.remove_prefix(begin + opening.size());
  const std::size_t end = reply.find(closing);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(python::strip(reply.substr(0, end)));
}

}  // namespace

std::optional<Extraction> marked_extraction(std::string_view reply) {
  constexpr std::string_view kAnswer = "Extracted answer:", kFormat = "Answer format:";
  const std::size_t format = std::min(reply.find(kFormat), reply.size());
  const std::string_view before = reply.substr(0, format);
  const std::size_t begin = before.find(kAnswer);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = before.substr(begin + kAnswer.size());
  Extraction found;
  // Python's split() takes the text up to the next mark.
  found.answer = python::strip(rest.substr(0, rest.find(kAnswer)));
  if (format < reply.size()) found.format = python::strip(reply.substr(format + kFormat.size()));
  return found;
}

std::optional<Extraction> tagged_extraction(std::string_view reply) {
  std::optional<std::string> answer = between_tags(reply, "concise_answer");
  std::optional<std::string> format = between_tags(reply, "answer_format");
  if (!answer || !format) return std::nullopt;
  return Extraction{std::move(*answer), std::move(*format)};
}

}  // namespace fineprint::metrics
