// One call of an agent: asks, checks what comes back, asks again, accounts for all of it.
#include <chrono>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/events.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"

#include "agents/call_limits.h"
#include "agents/reply_check.h"
#include "agents/turn_request.h"

namespace fineprint::agents {
namespace {

constexpr std::size_t kTracedReply = 2000, kLoggedReply = 160;  // bytes

std::string first_bytes(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "...";
}

// What is wrong is appended to all that was wrong before: no attempt reads what another one read.
void append_problem(const std::string& problem, models::Request* request) {
  request->messages.back().text +=
      "\n\nA reply to this could not be used. What was wrong with it:\n" + as_data(problem) +
      "\nReply again and avoid this.";
}

// Models that run here score the token that ends a text, too; other backends know no ids.
std::vector<models::TokenScore> without_end(const models::Reply& reply) {
  std::vector<models::TokenScore> tokens = reply.tokens;
  const bool ended = reply.finish == models::Finish::end_token && !tokens.empty();
  if (ended && tokens.back().id >= 0) tokens.pop_back();
  return tokens;
}

Usage usage_of(const models::Reply& reply, bool malformed) {
  Usage usage;
  usage.vlm_calls = 1;
  usage.prompt_tokens = reply.prompt_tokens;
  usage.image_tokens = reply.image_tokens;
  usage.cached_tokens = reply.cached_tokens;
  usage.output_tokens = reply.output_tokens;
  usage.malformed = malformed ? 1 : 0;
  return usage;
}

// The attempts of one call.
class Attempts {
 public:
  Attempts(session::Context& context, const Agent& agent, const Turn& turn)
      : context_(context), agent_(agent), turn_(turn), pages_(shown_pages(turn)) {
    if (agent.schema) schema_ = bounded_schema(*agent.schema, turn.indices);
  }

  TurnReply run() {
    if (refused(0)) return std::move(result_);  // before pages are rasterised in vain
    request_ = turn_request(context_, agent_, turn_);
    image_tokens_ = estimated_image_tokens(request_);
    for (int attempt = 0; attempt <= agent_.retries && !is_over(); ++attempt) {
      if (refused(image_tokens_)) break;
      const auto start = std::chrono::steady_clock::now();
      const models::Reply reply = generate();
      const auto time = std::chrono::steady_clock::now() - start;
      take(reply, attempt, std::chrono::duration<double, std::milli>(time).count());
    }
    return std::move(result_);
  }

 private:
  models::Reply generate() {
    const models::Generator& generator = context_.session.generator();
    models::SamplingOptions options;
    options.max_new_tokens = agent_.max_new_tokens;
    options.temperature = 0;
    options.stop_token = context_.stop_token;
    if (context_.events.wants_progress()) tell_progress(&options);
    models::Reply reply;
    try {
      reply = schema_ ? generator.generate_json(request_, *schema_, options)
                      : generator.generate(request_, options);
    } catch (...) {
      context_.budget.spend_call(image_tokens_, pages_);
      throw;
    }
    const long told = static_cast<long>(reply.image_tokens);
    context_.budget.spend_call(told > 0 ? told : image_tokens_, pages_);
    if (reply.finish == models::Finish::cancelled) {
      limited_by(why_stopped(context_).value_or("the generator broke off"));
      result_.cut = true;
    }
    return reply;
  }

  void tell_progress(models::SamplingOptions* options) const {
    const Json call = {{"agent", agent_.name}, {"pages", request_.pages}};
    context_.events.tell({.kind = Event::Kind::began, .step = "call", .fields = dump_json(call)});
    options->on_text = [this](std::string_view piece) {
      context_.events.tell({.kind = Event::Kind::text,
                            .step = "call",
                            .fields = dump_json({{"agent", agent_.name}, {"text", piece}})});
    };
  }

  void take(const models::Reply& reply, int attempt, double ms) {
    CheckedReply checked = check_reply(agent_, turn_, valid_utf8(reply.text));
    if (result_.cut) keep_what_is_whole(&checked);
    const Usage usage = usage_of(reply, checked.problem.has_value());
    add_to(&result_.usage, usage);
    add_to(&context_.usage, usage);
    result_.usable = !checked.problem && !(result_.cut && checked.text.empty());
    result_.text = std::move(checked.text);
    result_.tokens = agent_.schema ? reply.tokens : without_end(reply);
    if (checked.problem) append_problem(*checked.problem, &request_);
    record(reply, checked.problem, attempt, ms);
  }

  // Part of an object is of no use, and is no mistake of the model's; of a text, every part is one.
  static void keep_what_is_whole(CheckedReply* checked) {
    if (checked->problem) checked->text.clear();
    checked->problem.reset();
  }

  bool is_over() const { return result_.usable || result_.cut; }

  void record(const models::Reply& reply, const std::optional<std::string>& problem, int attempt,
              double ms) const {
    const std::optional<double> entropy = mean_entropy(result_.tokens, EntropyReading::vocab);
    Event event{.step = "call", .ms = ms};
    if (context_.events.wants_fields()) {
      Json fields = call_fields(reply, entropy);
      fields["attempt"] = attempt + 1;
      if (problem) fields["problem"] = *problem;
      if (problem && attempt == agent_.retries) fields["fallback"] = true;
      if (result_.cut) fields["stopped"] = result_.budget_reason;
      event.fields = dump_json(fields);
    }
    event.line = format(
        "{}{}: {} tokens read ({} cached), {} written{}{}, {:.0f} ms{}{}: {}", agent_.name,
        shown_text(request_, agent_), reply.prompt_tokens, reply.cached_tokens, reply.output_tokens,
        result_.cut ? " until it was stopped" : "",
        entropy ? format(", entropy {:.2f}", *entropy) : "", ms, problem ? ", malformed: " : "",
        problem.value_or(""), first_bytes(result_.text, kLoggedReply));
    context_.events.tell(event);
  }

  Json call_fields(const models::Reply& reply, const std::optional<double>& entropy) const {
    Json fields = {{"agent", agent_.name},
                   {"pages", request_.pages},
                   {"tier", session::tier_name(agent_.tier)},
                   {"prompt_tokens", reply.prompt_tokens},
                   {"cached_tokens", reply.cached_tokens},
                   {"output_tokens", reply.output_tokens},
                   {"reply", first_bytes(result_.text, kTracedReply)},
                   {"malformed", result_.usage.malformed}};
    if (entropy) fields["entropy"] = *entropy;
    return fields;
  }

  bool refused(long image_tokens) {
    const std::optional<std::string> reason = refusal(context_, agent_, turn_, image_tokens);
    if (reason) result_.budget_reason = *reason;
    return reason.has_value();
  }

  void limited_by(const std::string& reason) {
    result_.budget_reason = reason;
    note_limit(reason, &context_);
  }

  session::Context& context_;
  const Agent& agent_;
  const Turn& turn_;
  const int pages_;
  std::optional<grammar::JsonSchema> schema_;  // that replies are written under
  models::Request request_;
  long image_tokens_ = 0;  // estimated
  TurnReply result_;
};

}  // namespace

TurnReply call(session::Context& context, const Agent& agent, const Turn& turn) {
  return Attempts(context, agent, turn).run();
}

}  // namespace fineprint::agents
