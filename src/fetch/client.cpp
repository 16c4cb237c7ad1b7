// Repeats calls, follows redirects, and says in words why a call failed.
#include "fetch/client.h"

#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/percent.h"
#include "fineprint/core/threads.h"

#include "fetch/url.h"

namespace fineprint::fetch {
namespace {

using documents::AddressKind;

constexpr int kMostRepeats = 4;
constexpr int kMostRedirects = 5;
// If a server asks for a longer pause, the call fails: nobody would wait that long for each file.
constexpr std::chrono::seconds kLongestPause{60};
constexpr std::uint64_t kMostListBytes = std::uint64_t{32} << 20;
// The SHA-256 of no bytes, which S3 wants to be signed for a call without a body.
constexpr const char* kHashOfNothing =
    "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// Buckets are hosts of their own at Amazon's, but a name with dots would not fit its certificate.
std::string root_of(const documents::Address& address, const documents::S3Access& s3) {
  if (address.kind == AddressKind::s3) {
    if (!s3.endpoint.empty()) return format("{}/{}/", s3.endpoint, address.host);
    const std::string server = format("s3.{}.amazonaws.com", s3.region);
    const bool has_dot = address.host.find('.') != std::string::npos;
    return has_dot ? format("https://{}/{}/", server, address.host)
                   : format("https://{}.{}/", address.host, server);
  }
  const std::string& scheme = address.scheme;
  const std::size_t plus = scheme.find('+');
  const std::string protocol = plus == std::string::npos ? scheme : scheme.substr(plus + 1);
  return format("{}://{}/", protocol, address.host);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool is_answer(int status) {
  return (status >= 200 && status < 300) || status == 304 || status == 404 || status == 416;
}

bool may_pass(const HttpReply& reply, bool met) {
  if (reply.end == HttpEnd::complete) return is_passing(reply.status);
  return reply.end == HttpEnd::broken || (reply.end == HttpEnd::nobody && met);
}

std::string host_of(const std::string& url) {
  const auto parts = parts_of(url);
  return parts ? parts->host + (parts->port.empty() ? "" : ":" + parts->port) : url;
}

CallError refused_redirect(const HttpReply& reply, const std::string& why) {
  return {ErrorCode::unreadable, "the server sends the call elsewhere, " + why, reply.status,
          false};
}

// Returns the URL that a redirect leads to, if it may be followed.
std::string next_url(const std::string& url, const HttpReply& reply, Redirects redirects) {
  const std::string next = resolved(url, reply.location);
  const auto from = parts_of(url), to = parts_of(next);
  if (!to) throw refused_redirect(reply, "but not to an address of the web");
  if (redirects == Redirects::anywhere && to->path == from->path + "/") {
    throw refused_redirect(reply, "because this is a folder; end its address with '/'");
  }
  if (from->has_same_origin(*to)) return next;
  const bool is_upgrade = from->host == to->host && to->scheme == "https";
  if (redirects == Redirects::within_server && !is_upgrade) {
    throw refused_redirect(reply, format("to {}; give that address if you trust it", to->host));
  }
  if (to->scheme != "https" || (from->scheme != "https" && !is_upgrade)) {
    throw refused_redirect(
        reply, format("to {}, but only from https to https is followed", host_of(next)));
  }
  return next;
}

}  // namespace

Client::Client(const documents::Address& address, const documents::S3Access& s3, Waiting waiting)
    : address_(address), s3_(s3), waiting_(std::move(waiting)), root_(root_of(address, s3)) {}

std::string Client::url_of(const std::string& path, const std::string& query) const {
  return root_ + percent_encoded(path, "/") + (query.empty() ? "" : "?" + query);
}

HttpRequest Client::request_of(const Ask& ask, bool is_own_server) const {
  HttpRequest request{.method = ask.method,
                      .url = ask.url,
                      .headers = ask.headers,
                      .body = ask.body,
                      .most_bytes = ask.most_bytes};
  if (!is_own_server) return request;
  if (address_.kind != AddressKind::s3) {
    // A password must not be readable on its way.
    request.may_log_in = ask.url.starts_with("https:") || is_loopback(ask.url);
  } else if (!s3_.key_id.empty()) {
    request.headers.emplace_back(kHashOfNothing);
    if (!s3_.token.empty()) request.headers.push_back("x-amz-security-token: " + s3_.token);
    request.signature = Signature{s3_.key_id, s3_.secret, s3_.region};
  }
  return request;
}

HttpReply Client::attempt(Ask ask, const OnBody& on_body, Redirects redirects, std::string* url) {
  bool is_own_server = true;
  for (int hops = 0; hops <= kMostRedirects; ++hops) {
    HttpReply reply = http_.call(request_of(ask, is_own_server), on_body);
    if (reply.end == HttpEnd::stopped) throw_if_interrupted();
    if (reply.end != HttpEnd::complete || !is_redirect(reply.status)) {
      if (url != nullptr) *url = ask.url;
      return reply;
    }
    if (address_.kind == AddressKind::s3) {
      throw CallError(ErrorCode::unreadable,
                      format("the bucket is in another region than {}; set AWS_REGION", s3_.region),
                      reply.status, false);
    }
    const std::string next = next_url(ask.url, reply, redirects);
    is_own_server = is_own_server && parts_of(root_)->has_same_origin(*parts_of(next));
    ask.url = next;
  }
  throw CallError(ErrorCode::unreadable,
                  format("the server redirects the call more than {} times", kMostRedirects), 0,
                  false);
}

CallError Client::failure_of(const HttpReply& reply) const {
  const std::string host = host_of(root_);
  const bool is_lost = reply.end == HttpEnd::nobody || reply.end == HttpEnd::untrusted;
  std::string text;
  if (reply.end == HttpEnd::complete) {
    text = format("{} replies {}", host, reply.status);
    const bool is_s3 = address_.kind == AddressKind::s3;
    if (reply.status == 401 || reply.status == 403) {
      text += is_s3 ? ": it refuses these credentials, or there are none (AWS_ACCESS_KEY_ID and "
                      "AWS_SECRET_ACCESS_KEY)"
                    : ": it refuses access; ~/.netrc may name a user and password for this host";
    }
  } else {
    text = format("{}: {}", host, reply.problem);
    if (reply.end == HttpEnd::untrusted) {
      text +=
          "; if you trust the server, set SSL_CERT_FILE to the file of its certificate "
          "authority";
    }
  }
  const bool is_too_large = reply.end == HttpEnd::too_large;
  return {is_too_large ? ErrorCode::too_large : ErrorCode::unreadable, text, reply.status, is_lost};
}

void Client::pause_after_failure(const HttpReply& reply, int failures) {
  const CallError failure = failure_of(reply);
  if (!may_pass(reply, met_)) throw CallError(failure);
  if (failures > kMostRepeats) {
    throw CallError(failure.code(), format("{} (after {} attempts)", failure.what(), failures),
                    failure.status(), failure.is_lost());
  }
  const auto wait = parse_retry_after(reply.retry_after, waiting_.now())
                        .value_or(pause_after(failures, waiting_.random()));
  const double seconds = std::chrono::duration<double>(wait).count();
  if (wait > kLongestPause) {
    throw CallError(failure.code(),
                    format("{}; the server asks for a pause of {} s, which is too long",
                           failure.what(), seconds),
                    failure.status(), failure.is_lost());
  }
  log::step("{}; trying again in {:.1f} s", failure.what(), seconds);
  waiting_.sleep(wait, interrupted);
  throw_if_interrupted();
}

HttpReply Client::call(const std::function<Ask()>& make, const OnBody& on_body,
                       Redirects redirects) {
  for (int failures = 1;; ++failures) {
    HttpReply reply = attempt(make(), on_body, redirects, nullptr);
    met_ = met_ || reply.status != 0;
    if (reply.end == HttpEnd::complete && is_answer(reply.status)) return reply;
    pause_after_failure(reply, failures);
  }
}

std::string Client::text(const Ask& ask, HttpReply* reply, std::string* url) {
  Ask bounded = ask;
  bounded.most_bytes = kMostListBytes;
  std::string body;
  const auto keep = [&](std::string_view bytes, const HttpReply&) {
    body += bytes;
    return true;
  };
  for (int failures = 1;; ++failures) {
    body.clear();
    *reply = attempt(bounded, keep, Redirects::within_server, url);
    met_ = met_ || reply->status != 0;
    if (reply->end == HttpEnd::complete && is_answer(reply->status)) return body;
    pause_after_failure(*reply, failures);
  }
}

}  // namespace fineprint::fetch
