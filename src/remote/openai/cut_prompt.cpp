// Notices servers that cut prompts without saying so.
#include "remote/openai/cut_prompt.h"

#include <string_view>

namespace fineprint::remote {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Counts the words that begin after a blank or at the beginning.
std::int64_t words_in(std::string_view text) {
  std::int64_t words = 0;
  bool after_blank = true;
  for (const char c : text) {
    if (after_blank && is_word(c)) ++words;
    after_blank = is_blank(c);
  }
  return words;
}

}  // namespace

std::int64_t least_tokens(const models::Request& request) {
  std::int64_t words = 0;
  for (const models::Message& message : request.messages) words += words_in(message.text);
  return words;
}

bool was_cut(const models::Request& request, const models::Reply& reply) {
  return reply.prompt_tokens > 0 && reply.prompt_tokens < least_tokens(request);
}

}  // namespace fineprint::remote
