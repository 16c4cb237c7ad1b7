// Lets an agent choose: given replies are scored after one reading of the prompt.
#include <chrono>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "agents/call_limits.h"
#include "agents/turn_request.h"

namespace fineprint::agents {
namespace {

// One choice; it is asked for once, without retries.
class Choosing {
 public:
  Choosing(session::Context& context, const Agent& agent, const Turn& turn,
           std::span<const std::string> candidates)
      : context_(context), agent_(agent), turn_(turn), candidates_(candidates) {}

  TurnChoice run() {
    if (refused(0)) return std::move(result_);  // checked before pages are rasterised in vain
    request_ = turn_request(context_, agent_, turn_);
    image_tokens_ = estimated_image_tokens(request_);
    if (refused(image_tokens_)) return std::move(result_);
    const auto start = std::chrono::steady_clock::now();
    ask();
    const auto time = std::chrono::steady_clock::now() - start;
    result_.usage.vlm_calls = 1;
    add_to(&context_.usage, result_.usage);
    record(std::chrono::duration<double, std::milli>(time).count());
    return std::move(result_);
  }

 private:
  bool refused(long image_tokens) {
    const std::optional<std::string> reason = refusal(context_, agent_, turn_, image_tokens);
    if (reason) result_.budget_reason = *reason;
    return reason.has_value();
  }

  void ask() {
    try {
      const models::Generator& generator = context_.session.generator(agent_.name);
      take(generator.choose(request_, candidates_, context_.stop_token));
    } catch (const Error& error) {
      // Spent although it failed, or a generator that always fails would never reach the limit.
      context_.budget.spend_call(image_tokens_, shown_pages(turn_));
      // A stopped generator throws too: then the limit is the reason, not the model.
      if (const std::optional<std::string> reason = context_.why_stopped()) {
        result_.budget_reason = *reason;
        context_.note_limit(*reason);
      } else if (error.code() == ErrorCode::model) {
        result_.problem = error.what();
      } else {
        throw;
      }
    }
  }

  void take(models::Choice choice) {
    const long reported = static_cast<long>(choice.image_tokens);
    context_.budget.spend_call(reported > 0 ? reported : image_tokens_, shown_pages(turn_));
    result_.usage.prompt_tokens = choice.prompt_tokens;
    result_.usage.image_tokens = choice.image_tokens;
    result_.usage.cached_tokens = choice.cached_tokens;
    result_.best = choice.best;
    result_.probabilities = std::move(choice.probabilities);
  }

  void record(double ms) const {
    Event event{.step = "call", .ms = ms};
    if (context_.events.wants_fields()) event.fields = dump_json(call_fields());
    event.line = format("{}{}: {} tokens read ({} cached), {:.0f} ms: {}", agent_.name,
                        shown_text(request_, agent_), result_.usage.prompt_tokens,
                        result_.usage.cached_tokens, ms, outcome());
    context_.events.tell(event);
  }

  Json call_fields() const {
    Json fields = {{"agent", agent_.name},
                   {"attempt", 1},
                   {"pages", request_.pages},
                   {"tier", session::tier_name(agent_.tier)},
                   {"prompt_tokens", result_.usage.prompt_tokens},
                   {"cached_tokens", result_.usage.cached_tokens},
                   // Nothing is written, but the step has the fields of a call, so that readers of
                   // traces need no second form.
                   {"output_tokens", 0},
                   {"malformed", 0},
                   {"reply", result_.best ? candidates_[*result_.best] : ""}};
    if (result_.best) fields["probabilities"] = result_.probabilities;
    if (!result_.problem.empty()) fields["problem"] = result_.problem;
    if (!result_.budget_reason.empty()) fields["stopped"] = result_.budget_reason;
    return fields;
  }

  // Returns the outcome for the log.
  std::string outcome() const {
    if (!result_.best) return result_.problem.empty() ? result_.budget_reason : result_.problem;
    return format("{} ({:.2f})", candidates_[*result_.best], result_.probabilities[*result_.best]);
  }

  session::Context& context_;
  const Agent& agent_;
  const Turn& turn_;
  const std::span<const std::string> candidates_;
  models::Request request_;
  long image_tokens_ = 0;  // estimated
  TurnChoice result_;
};

}  // namespace

TurnChoice choose(session::Context& context, const Agent& agent, const Turn& turn,
                  std::span<const std::string> candidates) {
  // Checked first, so that neither pages are drawn nor the budget is spent for nothing.
  if (!context.session.generator(agent.name).can_choose()) {
    return {.problem = "the generator gives no probabilities of replies"};
  }
  return Choosing(context, agent, turn, candidates).run();
}

}  // namespace fineprint::agents
