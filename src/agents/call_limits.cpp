// Checks the budget and the time before a call.
#include "agents/call_limits.h"

#include "fineprint/core/events.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "agents/turn_request.h"

namespace fineprint::agents {

int shown_pages(const Turn& turn) {
  int pages = 0;
  for (const Shown& shown : turn.shown) pages += static_cast<int>(shown.pages.size());
  return pages;
}

std::optional<std::string> refusal(session::Context& context, const Agent& agent, const Turn& turn,
                                   long image_tokens, const Spending& others) {
  const Reserve& reserve = turn.reserve;
  // Later calls of the question must still fit: their images are counted as if they were shown now.
  const long kept_tokens = reserve.pages * most_image_tokens(reserve.tier);
  std::optional<std::string> reason = context.budget.refuses_call(
      others.image_tokens + image_tokens + kept_tokens,
      others.pages + shown_pages(turn) + reserve.pages, others.calls + 1 + reserve.calls);
  if (!reason) reason = context.why_stopped();
  if (!reason) return std::nullopt;
  context.note_limit(*reason);
  context.events.tell({.step = "budget",
                       .fields = dump_json(Json{{"agent", agent.name}, {"reason", *reason}}),
                       .line = format("{}: not asked: {}", agent.name, *reason)});
  return reason;
}

void add_to(Usage* sum, const Usage& part) {
  sum->vlm_calls += part.vlm_calls;
  sum->prompt_tokens += part.prompt_tokens;
  sum->image_tokens += part.image_tokens;
  sum->cached_tokens += part.cached_tokens;
  sum->output_tokens += part.output_tokens;
  sum->malformed += part.malformed;
}

}  // namespace fineprint::agents
