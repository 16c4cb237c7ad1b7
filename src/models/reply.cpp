// Says why a reply has no text.
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/models/generator.h"

namespace fineprint::models {

std::string why_empty(const Reply& reply) {
  if (reply.finish == Finish::cancelled || !trim(reply.text).empty()) return {};
  if (reply.thought_tokens == 0) return "the reply is empty";
  return format(
      "the reply is empty: {} tokens went into thinking{}; turn thinking off, or allow "
      "more tokens",
      reply.output_tokens,
      reply.finish == Finish::length ? ", until the limit of tokens was reached" : "");
}

}  // namespace fineprint::models
