// Reads replies of judges as the published harnesses read them.
#include "bench/judge_reply.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {
namespace {

std::string trimmed_reply(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return std::string(text.substr(0, text.find_last_not_of(kBlanks) + 1));
}

std::optional<std::string> between_tags(std::string_view reply, std::string_view open,
                                        std::string_view close) {
  const std::size_t begin = reply.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = reply.substr(begin + open.size());
  const std::size_t end = rest.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  return trimmed_reply(rest.substr(0, end));
}

}  // namespace

std::optional<std::string> extracted_answer(std::string_view reply) {
  constexpr std::string_view kAnswer = "Extracted answer:", kFormat = "Answer format:";
  const std::string_view before = reply.substr(0, reply.find(kFormat));
  const std::size_t mark = before.find(kAnswer);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view rest = before.substr(mark + kAnswer.size());
  return trimmed_reply(rest.substr(0, rest.find(kAnswer)));
}

std::optional<std::string> tagged_answer(std::string_view reply) {
  if (!between_tags(reply, "<answer_format>", "</answer_format>")) return std::nullopt;
  return between_tags(reply, "<concise_answer>", "</concise_answer>");
}

std::optional<int> grade_in(std::string_view reply) {
  const std::size_t digit = reply.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  return reply[digit] - '0';
}

int binary_correctness(std::string_view reply) {
  const std::size_t begin = reply.find('{'), end = reply.rfind('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return 0;
  try {
    const Json object = parse_json(reply.substr(begin, end - begin + 1), "reply");
    const auto found = object.find("binary_correctness");
    if (found == object.end()) return 0;
    if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
    return found->is_number() ? static_cast<int>(found->get<double>()) : 0;
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace fineprint::bench
