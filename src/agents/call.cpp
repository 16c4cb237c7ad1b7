// Calls an agent: asks, checks the reply, asks again, and accounts for everything.
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/events.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/core/unicode.h"

#include "agents/call_limits.h"
#include "agents/reply_check.h"
#include "agents/turn_request.h"

namespace fineprint::agents {
namespace {

// Programs read traces, which hold nearly all replies in full; people read the log, where a call is
// one line.
constexpr std::size_t kTracedReply = 2000, kLoggedReply = 160;  // bytes

// Cuts between characters, because events are JSON, which must be UTF-8.
std::string first_bytes(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "...";
}

// Appends the problem after all earlier ones, so that no attempt has the same prompt as another:
// greedy decoding would give the same reply again.
void append_problem(const std::string& problem, models::Request* request) {
  request->messages.back().text +=
      "\n\nA reply to this could not be used. What was wrong with it:\n" + as_data(problem) +
      "\nReply again and avoid this.";
}

// Removes the end token. Models that run in this program score it too; other backends give no ids.
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

// The attempts of one call. Each is begun, made and taken, in this order; only make() may run on a
// thread of its own.
class Attempts {
 public:
  Attempts(session::Context& context, const Agent& agent, const Turn& turn)
      : context_(context), agent_(agent), turn_(turn), pages_(shown_pages(turn)) {
    if (agent.schema) schema_ = bounded_schema(*agent.schema, turn.indices);
  }

  // Returns whether there is an attempt to make. If so, adds its spending to `others`, which holds
  // that of the calls before it.
  bool begin(Spending* others) {
    // The calls of a group end independently of each other.
    if (is_over()) return false;
    if (attempt_ == 0) {
      if (refused(0, *others)) return false;  // checked before pages are rasterised in vain
      request_ = turn_request(context_, agent_, turn_);
      image_tokens_ = estimated_image_tokens(request_);
    }
    // Once more, because the pictures and so their tokens are known only now.
    if (refused(image_tokens_, *others)) return false;
    ++attempt_;
    ++others->calls;
    others->pages += pages_;
    others->image_tokens += image_tokens_;
    tell_that_it_begins();
    return true;
  }

  void make() {
    const auto start = std::chrono::steady_clock::now();
    // The error waits for take(), so that the other calls of a group can end first.
    try {
      error_ = nullptr;
      reply_ = generate();
    } catch (...) {
      error_ = std::current_exception();
    }
    const auto time = std::chrono::steady_clock::now() - start;
    ms_ = std::chrono::duration<double, std::milli>(time).count();
  }

  void spend() {
    // A generator that reports no tokens, or fails, spends the estimate. Otherwise such calls would
    // never reach the limit.
    const long reported = error_ ? 0 : static_cast<long>(reply_.image_tokens);
    context_.budget.spend_call(reported > 0 ? reported : image_tokens_, pages_);
  }

  // Parses the reply. Throws the error of make(), if any.
  void take() {
    if (error_) std::rethrow_exception(error_);
    if (reply_.finish == models::Finish::cancelled) {
      limited_by(context_.why_stopped().value_or("the generator stopped early"));
      result_.cut = true;
    }
    take(reply_);
  }

  TurnReply result() { return std::move(result_); }

 private:
  models::Reply generate() const {
    const models::Generator& generator = context_.session.generator(agent_.name);
    models::SamplingOptions options;
    options.max_new_tokens = agent_.max_new_tokens;
    // Greedy, so that a question has the same answer each time.
    options.temperature = 0;
    options.stop_token = context_.stop_token;
    if (context_.events.wants_progress()) options.on_text = text_events();
    return schema_ ? generator.generate_json(request_, *schema_, options)
                   : generator.generate(request_, options);
  }

  void tell_that_it_begins() const {
    if (!context_.events.wants_progress()) return;
    const Json call = {{"agent", agent_.name}, {"pages", request_.pages}};
    context_.events.tell({.kind = Event::Kind::began, .step = "call", .fields = dump_json(call)});
  }

  std::function<void(std::string_view)> text_events() const {
    return [this](std::string_view piece) {
      context_.events.tell({.kind = Event::Kind::text,
                            .step = "call",
                            .fields = dump_json({{"agent", agent_.name}, {"text", piece}})});
    };
  }

  void take(const models::Reply& reply) {
    CheckedReply checked = check_reply(agent_, turn_, valid_utf8(reply.text));
    const std::string empty = models::why_empty(reply);
    if (checked.problem && !empty.empty()) checked.problem = empty;
    if (result_.cut) keep_what_is_whole(&checked);
    const Usage usage = usage_of(reply, checked.problem.has_value());
    add_to(&result_.usage, usage);
    add_to(&context_.usage, usage);
    result_.usable = !checked.problem && !(result_.cut && checked.text.empty());
    result_.completed = checked.completed;
    result_.text = std::move(checked.text);
    // For agents that continue the conversation: the request with the problems of earlier attempts.
    result_.said = request_.messages.back().text;
    result_.tokens = agent_.schema ? reply.tokens : without_end(reply);
    if (checked.problem) append_problem(*checked.problem, &request_);
    result_.why_empty = empty.empty()
                            ? empty
                            : format("{} asked {}: {}", agent_.name,
                                     context_.session.generator(agent_.name).name(), empty);
    record(reply, checked.problem);
  }

  // Part of an object is useless, but not the model's mistake; any part of a free text is usable.
  static void keep_what_is_whole(CheckedReply* checked) {
    if (checked->problem) checked->text.clear();
    checked->problem.reset();
  }

  bool is_over() const {
    return result_.usable || result_.cut || refused_ || attempt_ > agent_.retries;
  }

  void record(const models::Reply& reply, const std::optional<std::string>& problem) const {
    const std::optional<double> entropy = mean_entropy(result_.tokens, EntropyReading::vocab);
    Event event{.step = "call", .ms = ms_};
    if (context_.events.wants_fields()) {
      Json fields = call_fields(reply, entropy);
      fields["attempt"] = attempt_;
      if (problem) fields["problem"] = *problem;
      if (problem && attempt_ > agent_.retries) fields["fallback"] = true;
      if (result_.cut) fields["stopped"] = result_.budget_reason;
      event.fields = dump_json(fields);
    }
    event.line = format(
        "{}{}: {} tokens read ({} cached), {} written{}{}, {:.0f} ms{}{}: {}", agent_.name,
        shown_text(request_, agent_), reply.prompt_tokens, reply.cached_tokens, reply.output_tokens,
        result_.cut ? " until it was stopped" : "",
        entropy ? format(", entropy {:.2f}", *entropy) : "", ms_, problem ? ", malformed: " : "",
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
    if (reply.thought_tokens > 0) fields["thought_tokens"] = reply.thought_tokens;
    if (reply.proposed_tokens > 0) {
      fields["proposed_tokens"] = reply.proposed_tokens;
      fields["accepted_tokens"] = reply.accepted_tokens;
    }
    if (entropy) fields["entropy"] = *entropy;
    return fields;
  }

  bool refused(long image_tokens, const Spending& others) {
    const std::optional<std::string> reason =
        refusal(context_, agent_, turn_, image_tokens, others);
    if (reason) result_.budget_reason = *reason;
    refused_ = reason.has_value();
    return refused_;
  }

  void limited_by(const std::string& reason) {
    result_.budget_reason = reason;
    context_.note_limit(reason);
  }

  session::Context& context_;
  const Agent& agent_;
  const Turn& turn_;
  std::optional<grammar::JsonSchema> schema_;  // that replies must fit
  models::Request request_;
  long image_tokens_ = 0;  // estimated
  const int pages_;
  int attempt_ = 0;  // number of the last attempt that began, from 1
  bool refused_ = false;
  models::Reply reply_;  // of that attempt, like its time and its error
  double ms_ = 0;
  std::exception_ptr error_;
  TurnReply result_;
};

// Makes one attempt of each call that is not over yet. Returns false if all are over.
bool attempt_at_once(std::vector<Attempts>& all) {
  std::vector<Attempts*> begun;
  Spending others;
  for (Attempts& one : all) {
    if (one.begin(&others)) begun.push_back(&one);
  }
  parallel_for(begun.size(), static_cast<int>(begun.size()),
               [&](std::size_t i) { begun[i]->make(); });
  // All calls are spent before any reply is taken, because taking one may throw.
  for (Attempts* one : begun) one->spend();
  for (Attempts* one : begun) one->take();
  return !begun.empty();
}

std::vector<TurnReply> replies_of(std::vector<Attempts> all) {
  while (attempt_at_once(all)) {
  }
  std::vector<TurnReply> replies;
  for (Attempts& one : all) replies.push_back(one.result());
  return replies;
}

}  // namespace

TurnReply call(session::Context& context, const Agent& agent, const Turn& turn) {
  std::vector<Attempts> one;
  one.emplace_back(context, agent, turn);
  return std::move(replies_of(std::move(one)).front());
}

std::vector<TurnReply> call_at_once(session::Context& context, const std::vector<Asking>& askings) {
  std::vector<Attempts> all;
  for (const Asking& asking : askings) all.emplace_back(context, asking.agent, asking.turn);
  return replies_of(std::move(all));
}

}  // namespace fineprint::agents
