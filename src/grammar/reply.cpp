// Finds the JSON object in a model's reply, among the sentences and code fences around it.
#include "fineprint/grammar/json_schema.h"

namespace fineprint::grammar {

std::optional<std::string> json_in_reply(std::string_view reply) {
  const std::size_t begin = reply.find('{');
  if (begin == std::string_view::npos) return std::nullopt;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = begin; at < reply.size(); ++at) {
    const char c = reply[at];
    if (in_string) {
      // Skip the escaped character: \" does not end the string.
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return std::string(reply.substr(begin, at + 1 - begin));
    }
  }
  return std::nullopt;
}

std::string json_of_reply(const std::string& reply, const JsonSchema& schema) {
  if (!schema.problem(reply)) return reply;
  return json_in_reply(reply).value_or(reply);
}

}  // namespace fineprint::grammar
