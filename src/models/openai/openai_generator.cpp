// Calls a chat completions server until it has replied.
#include "models/openai/openai_generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "models/openai/event_stream.h"
#include "models/openai/first_token.h"

namespace fineprint::models {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than this nobody waits because a server asks for it.
constexpr std::chrono::seconds kLongestPause{120};
constexpr int kMostRedirects = 3;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

bool is_cancelled(const SamplingOptions& options) {
  return options.cancelled != nullptr && *options.cancelled;
}

bool stop_wanted(const SamplingOptions& options) { return is_cancelled(options) || interrupted(); }

// The key goes into a header: a line break in it would be another header.
void check_key(const std::string& key) {
  if (std::ranges::any_of(key, [](char c) { return c <= ' ' || c >= '\x7f'; })) {
    throw Error(ErrorCode::usage,
                "the API key holds a blank or a character that no key has; look at the file or the "
                "environment it comes from");
  }
}

std::string without_key(std::string text, const std::string& key) {
  for (std::size_t at = 0; !key.empty() && (at = text.find(key, at)) != std::string::npos;) {
    text.replace(at, key.size(), "***");
  }
  return text;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace

// How one HTTP call ended.
struct OpenAiGenerator::Attempt {
  enum class Kind {
    replied,
    cancelled,
    unsuitable,  // the server does not take this body; another one may do
    passing,     // worth another attempt
    final,
  };
  Kind kind = Kind::final;
  ErrorCode code = ErrorCode::model;
  bool about_body = false;  // perhaps: some servers say 500 to what they do not take
  std::string problem = {};
  std::optional<std::chrono::milliseconds> retry_after = {};
  Answered answered = {};
};

// What the caller has been given of a reply, over all attempts.
class OpenAiGenerator::Progress {
 public:
  explicit Progress(const SamplingOptions& options) : options_(options) {}

  // `text`: the reply of the present attempt so far.
  void show(const std::string& text) {
    const std::size_t known = std::min(text.size(), shown_.size());
    if (text.compare(0, known, shown_, 0, known) != 0) refuse();
    if (!options_.on_text || text.size() <= shown_.size()) return;
    options_.on_text(std::string_view(text).substr(shown_.size()));
    shown_ = text;
  }

  void end(const std::string& text) {
    show(text);
    if (text.size() < shown_.size()) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(ErrorCode::model,
                format("the connection broke after {} bytes of the reply, and the repeated reply "
                       "begins otherwise; ask again",
                       shown_.size()));
  }

  const SamplingOptions& options_;
  std::string shown_;
};

OpenAiGenerator::OpenAiGenerator(const std::string& spec, OpenAiOptions options, Waiting waiting)
    : spec_(spec),
      address_(parse_address(spec)),
      options_(std::move(options)),
      waiting_(std::move(waiting)) {
  check_key(options_.api_key);
  if (!options_.api_key.empty() && !address_.tls && !is_loopback(address_.host)) {
    log::warn("the API key goes to {} unencrypted (http)", address_.host);
  }
}

std::string OpenAiGenerator::hash() const { return content_hash(spec_); }

Habits OpenAiGenerator::habits() const {
  const std::lock_guard lock(mutex_);
  return habits_;
}

void OpenAiGenerator::keep_habits(const Habits& habits) const {
  const std::lock_guard lock(mutex_);
  if (habits == habits_) return;
  habits_ = habits;
  log::debug("{}: log-probabilities {}, stream_options {}, seed {}, JSON mode {}",
             address_.host_and_port(), habits.top_log_probabilities, habits.stream_options,
             habits.seed, static_cast<int>(habits.json));
}

void OpenAiGenerator::record_pages(const Request& request) const {
  if (!options_.sent) return;
  for (std::size_t i = 0; i < request.images.size(); ++i) {
    options_.sent->add(i < request.pages.size() ? request.pages[i] : "(unnamed)",
                       address_.host_and_port());
  }
}

HttpCall OpenAiGenerator::call_to(const std::string& path, const std::string& body) const {
  HttpCall call;
  call.server = &address_;
  call.path = path;
  call.body = body;
  call.connect_timeout = options_.connect_timeout;
  call.timeout = options_.call_timeout;
  if (!options_.api_key.empty()) {
    call.headers.emplace_back("Authorization", "Bearer " + options_.api_key);
  }
  return call;
}

// Puts the body of one HTTP reply together, streamed or not.
class OpenAiGenerator::Incoming {
 public:
  Incoming(const SamplingOptions& options, Progress& progress)
      : reader_(options.stop), progress_(progress) {}

  // false: nothing more is wanted.
  bool take(std::string_view bytes, const HttpReply& http) {
    if (http.content_type.starts_with("text/event-stream")) {
      events_.push(bytes, [this](const std::string& data) { read(data); });
    } else {
      whole_ += bytes;
    }
    return !reader_.stopped();
  }

  // All has come. Throws BrokenReply when it was not all of a reply.
  void finish() {
    if (whole_.empty()) {
      events_.finish([this](const std::string& data) { read(data); });
    } else {
      read(whole_);
    }
    if (!reader_.finished()) throw BrokenReply("it ends in the middle");
  }

  bool finished() const { return reader_.finished(); }

  Answered answered() {
    Answered answered{reader_.take(), reader_.first_top()};
    answered.reply.prefill_ms = ms_between(start_, first_.value_or(start_));
    answered.reply.decode_ms = ms_between(first_.value_or(start_), Clock::now());
    return answered;
  }

 private:
  void read(const std::string& data) {
    reader_.read(data);
    if (!first_ && !reader_.text().empty()) first_ = Clock::now();
    progress_.show(reader_.text());
  }

  ReplyReader reader_;
  EventStream events_;
  std::string whole_;  // of a reply that is not streamed
  Progress& progress_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> first_;  // when the first text came
};

HttpReply OpenAiGenerator::send(const std::string& body, const SamplingOptions& options,
                                Incoming* incoming) const {
  std::string path = address_.base_path + "/chat/completions";
  for (int redirects = 0;; ++redirects) {
    const HttpReply http = post(
        call_to(path, body),
        [&](std::string_view bytes, const HttpReply& reply) {
          return incoming->take(bytes, reply);
        },
        [&] { return stop_wanted(options); });
    if (http.status / 100 != 3 || http.status == 303 || redirects == kMostRedirects) return http;
    path = path_within(address_, http.location);
    if (path.empty()) return http;
  }
}

OpenAiGenerator::Attempt OpenAiGenerator::try_once(const std::string& body,
                                                   const SamplingOptions& options,
                                                   Progress* progress) const {
  Incoming incoming(options, *progress);
  Attempt attempt;
  HttpReply http;
  try {
    http = send(body, options, &incoming);
    const bool whole = http.status == 200 && http.end == HttpEnd::complete;
    if (whole && http.content_type.starts_with("text/html")) {
      attempt.problem = "replies with a web page; is the URL right (many end in /v1)?";
      return attempt;
    }
    if (whole) incoming.finish();
  } catch (const BrokenReply& broken) {
    attempt.kind = Attempt::Kind::passing;
    attempt.problem = format("sent a broken reply: {}", std::string_view(broken.what()));
    return attempt;
  }
  attempt.answered = incoming.answered();
  if (incoming.finished() && http.status == 200) {
    attempt.kind = Attempt::Kind::replied;
    return attempt;
  }
  if (stop_wanted(options)) attempt.kind = Attempt::Kind::cancelled;
  return judge(http, std::move(attempt));
}

// Of an attempt that gave no reply.
OpenAiGenerator::Attempt OpenAiGenerator::judge(const HttpReply& http, Attempt attempt) const {
  if (attempt.kind == Attempt::Kind::cancelled) return attempt;
  attempt.kind = Attempt::Kind::passing;
  switch (http.end) {
    case HttpEnd::complete:
      return refused(http);
    case HttpEnd::no_connection:
      attempt.problem = "cannot be reached; is the server running, and are host and port right?";
      break;
    case HttpEnd::untrusted:
      attempt.kind = Attempt::Kind::final;
      attempt.problem =
          "has a certificate that this machine does not trust; name its authority's file in the "
          "environment variable SSL_CERT_FILE";
      break;
    case HttpEnd::timed_out:
      attempt.code = ErrorCode::timed_out;
      attempt.problem = format("has not finished its reply within {} s (--api-timeout)",
                               static_cast<double>(options_.call_timeout.count()) / 1000);
      break;
    case HttpEnd::broken:
    case HttpEnd::stopped:
      attempt.problem = "broke off the connection";
      break;
  }
  return attempt;
}

// Of a status other than 200.
OpenAiGenerator::Attempt OpenAiGenerator::refused(const HttpReply& http) const {
  Attempt attempt;
  const std::string said = without_key(error_message(http.body), options_.api_key);
  attempt.problem = format("says {}{}{}", http.status, said.empty() ? "" : ": ", said);
  if (is_passing(http.status)) {
    attempt.kind = Attempt::Kind::passing;
    attempt.about_body = http.status == 500 || http.status == 501;
    attempt.retry_after = parse_retry_after(http.retry_after, waiting_.now());
  } else if (http.status == 400 || http.status == 413 || http.status == 422) {
    attempt.kind = Attempt::Kind::unsuitable;
    attempt.code = ErrorCode::input;
  } else if (http.status == 401 || http.status == 403) {
    attempt.problem += options_.api_key.empty()
                           ? "; give a key by --api-key-file FILE or in FINEPRINT_API_KEY"
                           : "; the API key that was given is not accepted";
  } else if (http.status == 404) {
    attempt.problem +=
        format("; is the URL right (many end in /v1), and is there a model {}?", address_.model);
  } else if (http.status / 100 == 3) {
    attempt.problem = format("redirects to {}, where nothing is sent; name the final URL",
                             http.location.empty() ? "nowhere" : http.location);
  }
  return attempt;
}

bool OpenAiGenerator::pause(const Attempt& failed, int failures,
                            const SamplingOptions& options) const {
  const std::string host = address_.host_and_port();
  if (failed.kind != Attempt::Kind::passing) {
    throw Error(failed.code, format("{} {}", host, failed.problem));
  }
  if (failures > options_.retries) {
    throw Error(failed.code,
                format("{} {} (attempt {} of {})", host, failed.problem, failures, failures));
  }
  const std::chrono::milliseconds wait =
      failed.retry_after.value_or(pause_after(failures, waiting_.random()));
  if (wait > kLongestPause) {
    throw Error(failed.code, format("{} {}; it asks to wait {} s", host, failed.problem,
                                    static_cast<double>(wait.count()) / 1000));
  }
  log::step("{} {}; again in {:.1f} s", host, failed.problem,
            static_cast<double>(wait.count()) / 1000);
  return waiting_.sleep(wait, [&] { return stop_wanted(options); });
}

// What to leave out of the next body; `taken` itself when the failure is not about the body.
Habits OpenAiGenerator::milder(const Habits& taken, const Attempt& failed, bool wants_json) {
  if (failed.kind != Attempt::Kind::unsuitable && !failed.about_body) return taken;
  const Habits less = without_named(taken, failed.problem);
  const bool unnamed = less == taken && wants_json && failed.kind == Attempt::Kind::unsuitable;
  return unnamed ? with_next_json(taken) : less;
}

OpenAiGenerator::Answered OpenAiGenerator::ask(const Request& request,
                                               const SamplingOptions& options,
                                               const text::JsonSchema* schema) const {
  const std::vector<std::string> pictures = data_urls(request.images, options_.pictures);
  const ChatCall call{address_.model, request, options, pictures, schema};
  record_pages(request);
  Progress progress(options);
  Habits taken = habits();
  for (int failures = 0;;) {
    Attempt attempt = try_once(chat_body(call, taken), options, &progress);
    if (attempt.kind == Attempt::Kind::replied) {
      keep_habits(taken);
      progress.end(attempt.answered.reply.text);
      return std::move(attempt.answered);
    }
    const Habits less = milder(taken, attempt, schema != nullptr);
    if (less != taken) {
      taken = less;
      continue;
    }
    const bool go_on =
        attempt.kind != Attempt::Kind::cancelled && pause(attempt, ++failures, options);
    if (go_on) continue;
    if (!is_cancelled(options)) throw_if_interrupted();
    attempt.answered.reply.finish = Finish::cancelled;
    return std::move(attempt.answered);
  }
}

Reply OpenAiGenerator::generate(const Request& request, const SamplingOptions& options) const {
  return ask(request, options, nullptr).reply;
}

Choice OpenAiGenerator::choose(const Request& request,
                               std::span<const std::string> candidates) const {
  SamplingOptions options;
  options.max_new_tokens = 1;
  const Answered answered = ask(request, options, nullptr);
  if (answered.first_top.empty()) {
    throw Error(ErrorCode::model,
                format("{} tells no probabilities of replies (top_logprobs); use a server that "
                       "does, as vLLM, SGLang or llama.cpp's, or a model that runs here",
                       address_.host_and_port()));
  }
  Choice choice = choice_of_first_token(answered.first_top, candidates);
  choice.prompt_tokens = answered.reply.prompt_tokens;
  choice.image_tokens = answered.reply.image_tokens;
  choice.cached_tokens = answered.reply.cached_tokens;
  return choice;
}

Reply OpenAiGenerator::generate_json(const Request& request, const text::JsonSchema& schema,
                                     const SamplingOptions& options) const {
  SamplingOptions silent = options;
  silent.on_text = nullptr;  // a reply may have to be asked for again in another way
  for (;;) {
    Reply reply = ask(request, silent, &schema).reply;
    Habits taken = habits();
    const std::optional<std::string> json = text::json_in_reply(reply.text);
    const bool ended = reply.finish == Finish::end_token;
    // A server that keeps to what it was asked cannot have said this: it ignores it.
    const bool ignored = ended && taken.json != JsonMode::words && (!json || schema.problem(*json));
    if (!ignored) {
      if (options.on_text) options.on_text(reply.text);
      return reply;
    }
    log::step("{} does not keep to JSON of a schema; it is asked in other words",
              address_.host_and_port());
    taken.json = JsonMode::words;
    keep_habits(taken);
  }
}

std::unique_ptr<Generator> make_openai_generator(const std::string& spec,
                                                 const OpenAiOptions& options) {
  return std::make_unique<OpenAiGenerator>(spec, options, real_waiting());
}

}  // namespace fineprint::models
