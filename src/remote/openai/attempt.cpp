// Makes one attempt at a reply: sends a POST, follows redirects, and decides what a failure means.
#include "remote/openai/attempt.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/retry.h"
#include "fineprint/core/threads.h"

namespace fineprint::remote {
namespace {

// Enough for a server that moves a path or adds a slash; a loop of redirects must end.
constexpr int kMostRedirects = 3;

// The key goes into a header, where a line break would begin another header.
void check_key(const std::string& key) {
  if (std::ranges::any_of(key, [](char c) { return c <= ' ' || c >= '\x7f'; })) {
    throw Error(
        ErrorCode::usage,
        "the API key contains a blank or a control or non-ASCII character; check the file or "
        "the environment variable that it comes from");
  }
}

// Servers may quote the key in their errors, and these go to the terminal and to log files.
std::string without_key(std::string text, const std::string& key) {
  constexpr std::string_view kHidden = "***";
  for (std::size_t at = 0; !key.empty() && (at = text.find(key, at)) != std::string::npos;) {
    text.replace(at, key.size(), kHidden);
    at += kHidden.size();
  }
  return text;
}

// A key sent to this machine does not cross the network, so it needs no warning.
bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace

bool stop_wanted(const models::SamplingOptions& options) {
  return options.stop_token.stop_requested() || interrupted();
}

ChatServer::ChatServer(ServerAddress address, const OpenAiOptions& options)
    : address_(std::move(address)),
      api_key_(options.api_key),
      connect_timeout_(options.connect_timeout),
      call_timeout_(options.call_timeout) {
  check_key(api_key_);
  if (!api_key_.empty() && !address_.tls && !is_loopback(address_.host)) {
    log::warn("the API key goes to {} unencrypted (http)", address_.host);
  }
}

// A complete reply counts even if the caller wants to stop by now.
Attempt ChatServer::attempt(const std::string& body, const models::SamplingOptions& options,
                            ShownText* shown) const {
  IncomingReply incoming(options, *shown);
  HttpReply http;
  try {
    http = send(
        address_.base_path + "/chat/completions", body,
        [&](std::string_view bytes, const HttpReply& reply) { return incoming.take(bytes, reply); },
        [&] { return stop_wanted(options); });
    if (http.status == 200 && incoming.is_page()) {
      return {.problem = "replied with a web page; check the URL (many end in /v1)"};
    }
    if (http.status == 200 && http.end == HttpEnd::complete) incoming.finish();
  } catch (const BrokenReply& broken) {
    return {.kind = Attempt::Kind::passing,
            .code = ErrorCode::no_reply,
            .problem = format("sent a broken reply: {}", told(broken.what()))};
  }
  Attempt attempt;
  if (incoming.finished() && http.status == 200) {
    attempt.kind = Attempt::Kind::replied;
  } else if (stop_wanted(options)) {
    attempt.kind = Attempt::Kind::cancelled;
  } else {
    attempt = judge(http);
  }
  attempt.answered = incoming.answered();
  return attempt;
}

Attempt ChatServer::attempt_json(const std::string& path, const std::string& body,
                                 std::string* reply) const {
  // What parse_json() accepts; a reply without end must not fill the memory.
  constexpr std::size_t kLongestReply = std::size_t{256} << 20;
  bool is_page = false, is_long = false;
  reply->clear();
  const HttpReply http = send(
      path, body,
      [&](std::string_view bytes, const HttpReply& head) {
        is_page = is_page || head.content_type.starts_with("text/html");
        is_long = is_long || reply->size() + bytes.size() > kLongestReply;
        if (!is_page && !is_long) reply->append(bytes);
        return !is_page && !is_long;
      },
      [] { return interrupted(); });
  if (is_page) return {.problem = format("replied to {} with a web page; check the URL", path)};
  if (is_long) return {.problem = format("replied to {} with more than 256 MiB", path)};
  Attempt attempt;
  if (http.status == 200 && http.end == HttpEnd::complete) {
    attempt.kind = Attempt::Kind::replied;
  } else if (interrupted()) {
    attempt.kind = Attempt::Kind::cancelled;
  } else {
    attempt = judge(http);
  }
  return attempt;
}

// Unlike calls, such a request is not repeated after a failure.
std::string ChatServer::get_body(const std::string& path) const {
  const HttpReply http = get(call_to(path, "", call_timeout_), [] { return interrupted(); });
  throw_if_interrupted();
  if (http.end != HttpEnd::complete || http.status != 200) {
    const Attempt failed = judge(http);
    throw Error(failed.code, format("{} {}", address_.host_and_port(), failed.problem));
  }
  return http.body;
}

std::vector<std::string> ChatServer::models() const {
  const std::string body = get_body(address_.base_path + "/models");
  try {
    const Json list = parse_json(body, "its list of models");
    std::vector<std::string> names;
    for (const Json& model : list.at("data")) {
      names.push_back(model.at("id").get<std::string>());
    }
    return names;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::model,
                format("{} lists no models at {}/models ({}); check the URL (many end in /v1)",
                       address_.host_and_port(), address_.base_path, told(error.what())));
  }
}

HttpReply ChatServer::send(std::string path, const std::string& body, const OnBody& on_body,
                           const std::function<bool()>& stop) const {
  const auto end = std::chrono::steady_clock::now() + call_timeout_;
  for (int redirects = 0;; ++redirects) {
    // All redirects of an attempt share one time limit.
    const auto left = end - std::chrono::steady_clock::now();
    const HttpReply http =
        post(call_to(path, body, std::chrono::duration_cast<std::chrono::milliseconds>(left)),
             on_body, stop);
    // A 303 asks for a GET, which would send no body and so get no reply.
    if (http.status / 100 != 3 || http.status == 303 || redirects == kMostRedirects) return http;
    // Only within the same server, because the pages and the key are meant for that host.
    path = path_within(address_, http.location);
    if (path.empty()) return http;
  }
}

std::string ChatServer::told(std::string_view text) const {
  return short_line(without_key(std::string(text), api_key_));
}

HttpCall ChatServer::call_to(const std::string& path, const std::string& body,
                             std::chrono::milliseconds time) const {
  HttpCall call;
  call.server = &address_;
  call.path = path;
  call.body = body;
  call.connect_timeout = connect_timeout_;
  call.timeout = time;
  if (!api_key_.empty()) call.headers.emplace_back("Authorization", "Bearer " + api_key_);
  return call;
}

// Judges an attempt that gave no reply.
Attempt ChatServer::judge(const HttpReply& http) const {
  Attempt attempt;
  attempt.kind = Attempt::Kind::passing;
  switch (http.end) {
    case HttpEnd::complete:
      return refused(http);
    case HttpEnd::nobody:
    case HttpEnd::no_connection:
      attempt.reached = false;
      attempt.nobody = http.end == HttpEnd::nobody;
      attempt.problem =
          "cannot be reached; check that the server runs and that host and port are right";
      break;
    case HttpEnd::untrusted:
      attempt.kind = Attempt::Kind::final;
      attempt.reached = false;
      attempt.problem =
          "has a certificate that this machine does not trust; set the environment variable "
          "SSL_CERT_FILE to the file of its certificate authority";
      break;
    case HttpEnd::timed_out:
      attempt.code = ErrorCode::timed_out;
      attempt.problem = format("did not finish its reply within {} s (--api-timeout)",
                               static_cast<double>(call_timeout_.count()) / 1000);
      break;
    case HttpEnd::broken:
    case HttpEnd::stopped:
      attempt.code = ErrorCode::no_reply;
      attempt.problem = "closed the connection before the reply was complete";
      break;
  }
  return attempt;
}

// Judges a status other than 200.
Attempt ChatServer::refused(const HttpReply& http) const {
  Attempt attempt;
  const std::string said = told(error_message(http.body));
  attempt.problem = format("returned status {}{}{}", http.status, said.empty() ? "" : ": ", said);
  if (is_passing(http.status)) {
    attempt.kind = Attempt::Kind::passing;
    // Some servers return 500 or 501 for a body field that they do not support.
    attempt.about_body = http.status == 500 || http.status == 501;
    if (attempt.about_body) attempt.code = ErrorCode::no_reply;
    attempt.retry_after = http.retry_after;
  } else if (http.status == 400 || http.status == 413 || http.status == 422) {
    // The server understood the request and refuses this body, so repeating it would not help.
    attempt.kind = Attempt::Kind::unsuitable;
    attempt.code = ErrorCode::input;
  } else if (http.status == 401 || http.status == 403) {
    attempt.problem += api_key_.empty()
                           ? "; give a key with --api-key-file FILE or in FINEPRINT_API_KEY"
                           : "; the server does not accept the API key";
  } else if (http.status == 404) {
    attempt.problem += "; check the URL";
    if (address_.is_openai) attempt.problem += " (many end in /v1)";
    attempt.problem +=
        address_.model.empty() ? "" : format(" and the name of the model, {}", address_.model);
  } else if (http.status / 100 == 3) {
    attempt.problem = format("redirects to {}, which is not followed; give the final URL",
                             http.location.empty() ? "nowhere" : told(http.location));
  }
  return attempt;
}

}  // namespace fineprint::remote
