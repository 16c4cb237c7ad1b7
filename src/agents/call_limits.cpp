// Checks the budget and the time before a call.
#include "agents/call_limits.h"

#include "fineprint/core/error.h"
#include "fineprint/core/events.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/stop.h"

#include "agents/turn_request.h"

namespace fineprint::agents {

int shown_pages(const Turn& turn) {
  int pages = 0;
  for (const Shown& shown : turn.shown) pages += static_cast<int>(shown.pages.size());
  return pages;
}

std::optional<std::string> why_stopped(const session::Context& context) {
  switch (context.stop_token.reason()) {
    case StopReason::none:
      return std::nullopt;
    case StopReason::interrupted:
      break;
    case StopReason::stopped:
      return "the question was cancelled";
    case StopReason::deadline:
      return context.budget.out_of_time();
  }
  // Ctrl-C ends the run, not only this question; so it is no reason that a caller could handle.
  throw Error(ErrorCode::interrupted, "interrupted");
}

std::optional<std::string> refusal(session::Context& context, const Agent& agent, const Turn& turn,
                                   long image_tokens, const Spending& others) {
  const Reserve& reserve = turn.reserve;
  // Later calls of the question must still fit: their images are counted as if they were shown now.
  const long kept_tokens = reserve.pages * most_image_tokens(reserve.tier);
  std::optional<std::string> reason = context.budget.refuses_call(
      others.image_tokens + image_tokens + kept_tokens,
      others.pages + shown_pages(turn) + reserve.pages, others.calls + 1 + reserve.calls);
  if (!reason) reason = why_stopped(context);
  if (!reason) return std::nullopt;
  note_limit(*reason, &context);
  context.events.tell({.step = "budget",
                       .fields = dump_json(Json{{"agent", agent.name}, {"reason", *reason}}),
                       .line = format("{}: not asked: {}", agent.name, *reason)});
  return reason;
}

void note_limit(const std::string& reason, session::Context* context) {
  // The first limit is the cause; later ones follow from it.
  if (context->limit.empty()) context->limit = reason;
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
