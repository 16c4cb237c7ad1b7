// Runs connections on their own threads, and converts requests and replies of the library.
#include "server/http/server.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/server/service.h"

namespace fineprint::server {
namespace {

constexpr int kMostConnections =
    512;  // each has a thread, and uses a few of the 1024 files of a process
// Connections that wait for accept(); the system may lower it.
constexpr int kBacklog = 1024;
constexpr int kMostRequests = 1000;  // of one connection
constexpr auto kIdle = std::chrono::seconds(5);
constexpr auto kPollTime = std::chrono::milliseconds(200);  // between two checks for an interrupt
constexpr std::size_t kMostPathBytes = 1000;
// Large requests at the same time: each takes some 150 MB at most.
constexpr int kLargeAtOnce = 4, kLargeWaiting = 16;
constexpr auto kLargeWait = std::chrono::seconds(60);

// Returns the reply for a client that gets no thread.
std::string full_reply() {
  const std::string body = error_json(
      {.status = 503, .code = "too_many", .message = "too many connections; try again soon"});
  return format(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
      "Connection: close\r\nContent-Length: {}\r\n\r\n{}",
      body.size(), body);
}

// The connection that a handler is called for. The library does not pass it on.
thread_local Connection* this_connection = nullptr;

// HEAD is answered like GET; the library leaves out the body.
HttpRequest head_of(const httplib::Request& request) {
  HttpRequest head{.method = request.method == "HEAD" ? "GET" : request.method,
                   .path = request.path};
  for (const auto& [name, value] : request.params) head.query.emplace(name, value);
  for (const auto& [name, value] : request.headers) {
    // Names of header fields are the same in any case, so they are compared in lower case.
    head.headers.emplace(lower_ascii(name), value);
  }
  return head;
}

// A request with neither header has no body in HTTP/1.1.
bool has_body(const HttpRequest& head) {
  const std::string& length = first_value(head.headers, "content-length");
  return (!length.empty() && length != "0") || head.headers.contains("transfer-encoding");
}

void refuse(const std::exception& error, const std::string& path, httplib::Response& response) {
  const Problem problem = problem_of(error, path);
  response.status = problem.status;
  response.set_content(error_json(problem, error_form(path)), "application/json");
  if (problem.retry_after > 0) {
    response.set_header("Retry-After", std::to_string(problem.retry_after));
  }
  if (problem.status == 401) response.set_header("WWW-Authenticate", "Bearer");
}

// Headers for browsers that every reply gets.
void add_common_headers(httplib::Response& response) {
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_header("X-Frame-Options", "DENY");
  if (!response.has_header("Cache-Control")) response.set_header("Cache-Control", "no-store");
}

// Lives as long as a request is being answered.
struct Exchange {
  Exchange(HttpRequest its_request, std::shared_ptr<const Gate::Pass> its_pass, HangUps& hang_ups,
           int socket)
      : request(std::move(its_request)),
        pass(std::move(its_pass)),
        hung_up(StopToken::of_process()),
        watched(hang_ups, socket, hung_up) {
    request.stop = hung_up.token();
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  HttpRequest request;
  const std::shared_ptr<const Gate::Pass> pass;
  const StopSource hung_up;
  const HangUps::Watched watched;
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

// Throws Refusal if the body is larger than `most` or breaks off.
void read_all(const httplib::ContentReader& reader, std::int64_t most,
              const std::function<void(std::string_view)>& take) {
  std::int64_t size = 0;
  const bool is_whole = reader([&](const char* bytes, std::size_t count) {
    size += static_cast<std::int64_t>(count);
    // Counted here too, because a chunked body does not announce its length.
    if (size > most) return false;
    take({bytes, count});
    return true;
  });
  if (is_whole) return;
  this_connection->leave_unread();
  if (size > most)
    throw Refusal(413, format("the request is larger than the limit of {} bytes", most));
  throw Refusal(400, "the request broke off, or its body does not match its head");
}

// Returns -1 and sets errno if the address cannot be used. SO_REUSEADDR allows a restart at once.
int bound_socket(const addrinfo& address) {
  const int made = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  const int on = 1;
  ::setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(made, address.ai_addr, address.ai_addrlen) == 0 && ::listen(made, kBacklog) == 0) {
    return made;
  }
  const int reason = errno;
  ::close(made);
  errno = reason;
  return -1;
}

// Needed if the port was 0 and the system chose one.
int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

const std::string& first_value(const std::multimap<std::string, std::string>& values,
                               const std::string& name) {
  static const std::string kNothing;
  const auto found = values.find(name);
  return found == values.end() ? kNothing : found->second;
}

bool wants_fresh(const HttpRequest& request) {
  const auto [begin, end] = request.headers.equal_range("cache-control");
  return std::any_of(begin, end, [](const auto& header) {
    return lower_ascii(header.second).find("no-cache") != std::string::npos;
  });
}

HttpServer::HttpServer(const ServerOptions& options, std::vector<HttpRoute> routes, Done done)
    : options_(options),
      guard_(options.host, options.allowed_hosts, options.token),
      routes_(std::move(routes)),
      done_(std::move(done)),
      large_("requests with files", kLargeAtOnce, kLargeWaiting) {
  // The library continues to send a stream only while this looks like a valid socket.
  svr_sock_ = 0;
  set_keep_alive_timeout(kIdle.count());
  set_keep_alive_max_count(kMostRequests);
  set_pre_routing_handler(
      [this](const auto& request, auto& response) { return route(request, response); });
  Post(".*", [this](const auto& request, auto& response, const auto& reader) {
    read_and_answer(request, response, reader);
  });
  set_post_routing_handler([](const auto&, auto& response) { add_common_headers(response); });
}

HttpServer::~HttpServer() {
  svr_sock_ = INVALID_SOCKET;
  if (listening_ >= 0) ::close(listening_);
}

// A name may have several addresses; the first that can be used is taken.
int HttpServer::listen_at(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    throw Error(ErrorCode::usage, format("--host {}: {}", host, ::gai_strerror(failure)));
  }
  for (const addrinfo* one = found; one != nullptr && listening_ < 0; one = one->ai_next) {
    listening_ = bound_socket(*one);
  }
  const int reason = errno;
  ::freeaddrinfo(found);
  if (listening_ < 0) {
    throw Error(ErrorCode::usage,
                format("--host {} --port {}: {}; choose another port, or 0 for any free port", host,
                       port, std::strerror(reason)));
  }
  return port_of(listening_);
}

void HttpServer::run() {
  while (!interrupted()) {
    pollfd one{listening_, POLLIN, 0};
    const bool is_asked =
        ::poll(&one, 1, static_cast<int>(kPollTime.count())) > 0 && (one.revents & POLLIN) != 0;
    end_clients(false);
    if (!is_asked) continue;
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) {
      take(socket);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      std::this_thread::sleep_for(
          kPollTime);  // wait until other connections release files or memory
    }
  }
  ::close(listening_);
  listening_ = -1;
  end_clients(true);
}

// Beyond the limit, a client gets a short refusal without a thread, so that the server stays
// reachable.
void HttpServer::take(int socket) {
  if (std::ssize(clients_) >= kMostConnections) {
    const std::string reply = full_reply();
    [[maybe_unused]] const ssize_t ignored =
        ::send(socket, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::close(socket);
    return;
  }
  const int on = 1;
  // Pieces of a stream are sent at once and not collected.
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Client& client = clients_.emplace_back();
  client.thread = std::thread([this, socket, &client] {
    talk(socket);
    client.is_over = true;
  });
}

// Joins threads that are over, or, at the end, all of them.
void HttpServer::end_clients(bool all) {
  std::erase_if(clients_, [all](Client& client) {
    if (!all && !client.is_over) return false;
    client.thread.join();
    return true;
  });
}

// Polls while idle, so that an interrupt ends the server without waiting for idle clients.
void HttpServer::talk(int socket) {
  Connection connection(socket);
  this_connection = &connection;
  for (int count = 1; count <= kMostRequests; ++count) {
    const auto idle_until = std::chrono::steady_clock::now() + kIdle;
    while (!connection.wait(kPollTime)) {
      if (interrupted() || std::chrono::steady_clock::now() >= idle_until) return;
    }
    connection.begin_head();
    bool was_last = false;
    const bool is_last = count == kMostRequests || interrupted();
    const bool is_sound =
        process_request(connection, is_last, was_last, [&](httplib::Request& request) {
          request.ranges.clear();  // replies are always complete
          connection.begin_body();
        });
    // Closing with unread bytes would reset the connection, and the client could lose the reply.
    if (connection.has_unread()) connection.linger();
    if (!is_sound || is_last || was_last || connection.has_unread()) return;
  }
}

namespace {

// Returns the text in place of the "{id}" at the end of a route's path, or nullopt if the path does
// not fit. The text is empty for a route without "{id}".
std::optional<std::string> id_in_path(const std::string& route, const std::string& path) {
  constexpr std::string_view kId = "{id}";
  if (!route.ends_with(kId)) return route == path ? std::optional<std::string>("") : std::nullopt;
  const std::size_t begin = route.size() - kId.size();
  const bool fits = path.size() > begin && path.compare(0, begin, route, 0, begin) == 0 &&
                    path.find('/', begin) == std::string::npos;
  return fits ? std::optional(path.substr(begin)) : std::nullopt;
}

}  // namespace

const HttpRoute* HttpServer::find(const std::string& method, const std::string& path) const {
  const auto found = std::ranges::find_if(routes_, [&](const HttpRoute& route) {
    return id_in_path(route.path, path) && (method.empty() || route.method == method);
  });
  return found == routes_.end() ? nullptr : &*found;
}

HttpServer::HandlerResponse HttpServer::route(const httplib::Request& request,
                                              httplib::Response& response) {
  HttpRequest head = head_of(request);
  const bool takes_body = has_body(head);
  const auto refused = [&](const Error& error) {
    // An unread body would be parsed as the next request, so the connection is closed.
    if (takes_body || head.method != "GET") {
      this_connection->leave_unread();
      response.set_header("Connection", "close");
    }
    refuse(error, head.path, response);
    done_("refused", response.status, 0);
    return HandlerResponse::Handled;
  };
  if (head.path.size() > kMostPathBytes) return refused(Refusal(414, "the path is too long"));
  const HttpRoute* route = find(head.method, head.path);
  static const HttpRoute kNone{};
  // The guard comes before everything else that could reveal which paths exist.
  if (const auto refusal = guard_.refuses(head, route == nullptr ? kNone : *route)) {
    return refused(*refusal);
  }
  if (route == nullptr && find("", head.path) != nullptr) {
    return refused(Refusal(405, format("{} does not accept {}", head.path, head.method)));
  }
  if (route == nullptr) {
    return refused(Refusal(404, format("there is nothing at this path; / is a web page, and "
                                       "programs use /v1/search and /v1/ask")));
  }
  if (route->body == BodyKind::none) {
    if (takes_body) this_connection->leave_unread();
    answer(*route, head, response, {});
    return HandlerResponse::Handled;
  }
  // A request with both is refused, too: programs on the way could disagree about its end.
  if (head.headers.contains("content-length") == head.headers.contains("transfer-encoding")) {
    return refused(Refusal(411, "the length of the request is missing; send Content-Length"));
  }
  const std::int64_t most = most_bytes(route->body);
  const std::string& length = first_value(head.headers, "content-length");
  if (!length.empty() && request.get_header_value<std::uint64_t>("Content-Length") >
                             static_cast<std::uint64_t>(most)) {
    return refused(Refusal(413, format("the request has {} bytes; the limit is {}", length, most)));
  }
  return HandlerResponse::Unhandled;
}

// A document is passed on while it arrives, because it may be larger than memory allows; JSON is
// read completely.
void HttpServer::read_and_answer(const httplib::Request& request, httplib::Response& response,
                                 const httplib::ContentReader& reader) {
  HttpRequest head = head_of(request);
  const HttpRoute* route = find(head.method, head.path);
  if (route == nullptr) throw Error(ErrorCode::internal, "a route has disappeared");
  if (route->body == BodyKind::document) {
    bool is_read = false;
    head.read_body = [&](const auto& take) {
      read_all(reader, options_.max_upload, take);
      is_read = true;
    };
    answer(*route, head, response, {});
    if (is_read) return;
    this_connection->leave_unread();
    response.set_header("Connection", "close");
    return;
  }
  std::shared_ptr<const Gate::Pass> pass;
  try {
    pass = pass_for(head, route->body);
    read_all(reader, most_bytes(route->body), [&](std::string_view piece) { head.body += piece; });
  } catch (const Error& error) {
    this_connection->leave_unread();
    refuse(error, head.path, response);
    done_(route->path, response.status, 0);
    return;
  }
  answer(*route, head, response, std::move(pass));
}

// Files in JSON are base64, which has four digits for three bytes.
std::int64_t HttpServer::most_bytes(BodyKind body) const {
  if (body == BodyKind::document) return options_.max_upload;
  if (body != BodyKind::json_with_files) return options_.max_body;
  return options_.max_body + std::min(options_.max_upload, kMostSentBytes) / 3 * 4;
}

// A body of unknown length counts as large.
std::shared_ptr<const Gate::Pass> HttpServer::pass_for(const HttpRequest& head, BodyKind body) {
  const std::string& length = first_value(head.headers, "content-length");
  const bool is_small = !length.empty() && std::atoll(length.c_str()) <= options_.max_body;
  if (body != BodyKind::json_with_files || is_small) return nullptr;
  const StopToken stop = StopToken::of_process().until(StopToken::Clock::now() + kLargeWait);
  return std::make_shared<const Gate::Pass>(large_.enter(stop));
}

// The exchange is shared with the stream, which runs after this function has returned.
void HttpServer::answer(const HttpRoute& route, HttpRequest& request, httplib::Response& response,
                        std::shared_ptr<const Gate::Pass> pass) {
  request.id = id_in_path(route.path, request.path).value_or("");
  const auto exchange = std::make_shared<Exchange>(std::move(request), std::move(pass), hang_ups_,
                                                   this_connection->socket());
  HttpReply reply;
  try {
    reply = route.run(exchange->request);
    response.status = reply.status;
    for (const auto& [name, value] : reply.headers) response.set_header(name, value);
    if (!reply.stream) response.set_content(reply.body, reply.type);
  } catch (const std::exception& error) {
    refuse(error, route.path, response);
  }
  if (!reply.stream) {
    done_(route.path, response.status, exchange->seconds());
    return;
  }
  response.set_chunked_content_provider(
      reply.type, [this, exchange, &route, stream = std::move(reply.stream)](
                      std::size_t, httplib::DataSink& sink) {
        stream([&](std::string_view piece) { return sink.write(piece.data(), piece.size()); });
        sink.done();
        done_(route.path, 200, exchange->seconds());
        return true;
      });
}

}  // namespace fineprint::server
