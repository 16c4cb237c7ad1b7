// Sets up curl for a call, and reads what it says about it.
#include "fetch/http.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include <curl/curl.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/pipe_signal.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"

#include "fetch/url.h"

namespace fineprint::fetch {
namespace {

constexpr long kConnectSeconds = 20;
// A connection on which nothing arrives for this long is lost.
constexpr long kSilentSeconds = 60;

// Where other distributions than the one that curl was built for keep the certificates.
constexpr std::array kCertificates = {"/etc/ssl/certs/ca-certificates.crt",
                                      "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                      "/etc/ssl/cert.pem"};

// The state of one call, which curl's callbacks get.
struct Exchange {
  const HttpRequest& request;
  const OnBody& on_body;
  HttpReply reply;
  std::uint64_t bytes = 0;
  bool is_too_large = false;
  std::exception_ptr thrown;  // thrown through curl, which expects no exceptions
};

bool is_good(int status) { return status >= 200 && status < 300; }

std::size_t take_body(char* data, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  if (!is_good(exchange.reply.status)) return size;  // an error page, which nobody reads
  exchange.bytes += size;
  // The announced length, so that nothing is downloaded in vain.
  exchange.is_too_large =
      std::max(exchange.bytes, exchange.reply.length.value_or(0)) > exchange.request.most_bytes;
  if (exchange.is_too_large) return 0;
  try {
    return exchange.on_body({data, size}, exchange.reply) ? size : 0;
  } catch (...) {
    exchange.thrown = std::current_exception();
    return 0;
  }
}

// A status line begins the headers again: there may be one of a proxy or "100 Continue" before.
void take_status(std::string_view line, HttpReply* reply) {
  *reply = {};
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return;
  const std::string_view digits = line.substr(blank + 1, 3);
  std::from_chars(digits.data(), digits.data() + digits.size(), reply->status);
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* user) {
  HttpReply& reply = static_cast<Exchange*>(user)->reply;
  const std::string_view line = trim({data, size});
  const std::size_t colon = line.find(':');
  if (line.starts_with("HTTP/")) {
    take_status(line, &reply);
  } else if (colon != std::string_view::npos) {
    const std::string name = lower_ascii(line.substr(0, colon));
    const std::string value(trim(line.substr(colon + 1)));
    if (name == "etag") reply.etag = value;
    if (name == "last-modified") reply.last_modified = value;
    if (name == "location") reply.location = value;
    if (name == "content-range") reply.content_range = value;
    if (name == "content-type") reply.content_type = value;
    if (name == "retry-after") reply.retry_after = value;
    std::uint64_t length = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), length);
    const bool is_number = failure == std::errc() && end == value.data() + value.size();
    if (name == "content-length" && is_number) reply.length = length;
  }
  return size;
}

// curl asks about once a second, and whenever something arrives.
int go_on(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) { return interrupted() ? 1 : 0; }

HttpEnd end_of(CURLcode code, const Exchange& exchange) {
  if (exchange.is_too_large) return HttpEnd::too_large;
  switch (code) {
    case CURLE_OK:
      return HttpEnd::complete;
    case CURLE_ABORTED_BY_CALLBACK:
      return HttpEnd::stopped;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return HttpEnd::nobody;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return HttpEnd::untrusted;
    default:
      return HttpEnd::broken;
  }
}

// The variable that OpenSSL itself reads, too; else where this system has its certificates.
std::string certificates() {
  if (const char* chosen = std::getenv("SSL_CERT_FILE"); chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  for (const char* file : kCertificates) {
    if (access(file, R_OK) == 0) return file;
  }
  return "";
}

// A list of header lines as curl wants it.
class HeaderLines {
 public:
  ~HeaderLines() { curl_slist_free_all(lines_); }
  HeaderLines() = default;
  HeaderLines(const HeaderLines&) = delete;
  HeaderLines& operator=(const HeaderLines&) = delete;

  void add(const std::string& line) {
    curl_slist* longer = curl_slist_append(lines_, line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    lines_ = longer;
  }
  curl_slist* get() const { return lines_; }

 private:
  curl_slist* lines_ = nullptr;
};

}  // namespace

struct Http::State {
  CURL* curl = nullptr;
  std::string certificates;
};

Http::Http() : state_(std::make_unique<State>()) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  state_->curl = curl_easy_init();
  if (state_->curl == nullptr) throw Error(ErrorCode::internal, "curl cannot be started");
  state_->certificates = certificates();
}

Http::~Http() {
  const NoPipeSignal no_signal;  // connections are closed here
  curl_easy_cleanup(state_->curl);
}

HttpReply Http::call(const HttpRequest& request, const OnBody& on_body) {
  const NoPipeSignal no_signal;
  CURL* curl = state_->curl;
  curl_easy_reset(curl);  // keeps connections
  Exchange exchange{.request = request, .on_body = on_body, .reply = {}, .thrown = {}};
  std::array<char, CURL_ERROR_SIZE> problem{};
  HeaderLines lines;
  for (const std::string& header : request.headers) lines.add(header);
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "fineprint");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines.get());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem.data());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, go_on);
  if (!state_->certificates.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, state_->certificates.c_str());
  }
  if (request.method == "HEAD") {
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  } else if (request.method != "GET") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  // A server of this machine is not asked through a proxy elsewhere.
  if (is_loopback(request.url)) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  const std::string provider =
      request.signature ? "aws:amz:" + request.signature->region + ":s3" : "";
  if (request.signature) {
    curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, provider.c_str());
    curl_easy_setopt(curl, CURLOPT_USERNAME, request.signature->key_id.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, request.signature->secret.c_str());
  } else if (request.may_log_in) {
    curl_easy_setopt(curl, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
  }
  const CURLcode code = curl_easy_perform(curl);
  if (exchange.thrown) std::rethrow_exception(exchange.thrown);
  exchange.reply.end = end_of(code, exchange);
  if (code != CURLE_OK) {
    exchange.reply.problem = problem[0] == '\0' ? curl_easy_strerror(code) : problem.data();
  }
  return std::move(exchange.reply);
}

}  // namespace fineprint::fetch
