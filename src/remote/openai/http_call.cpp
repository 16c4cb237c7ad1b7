// Makes HTTP calls with cpp-httplib. No other file of this room uses it.
#include "remote/openai/http_call.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fineprint/core/pipe_signal.h"

namespace fineprint::remote {
namespace {

using Clock = std::chrono::steady_clock;
// An error page is only shown as one short line; the limit protects against an endless one.
constexpr std::size_t kLongestRefusal = 64 << 10;

// The socket of a call that is being connected, which the library does not expose. It is duplicated
// because the library may close its own descriptor, whose number may then be another file's.
class Connecting {
 public:
  Connecting() = default;
  ~Connecting() { hold(-1); }
  Connecting(const Connecting&) = delete;
  Connecting& operator=(const Connecting&) = delete;

  void began(int socket) {
    const std::lock_guard lock(mutex_);
    hold(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  }
  // Makes every wait for the connection, and every read or write on it, return at once.
  void end() {
    const std::lock_guard lock(mutex_);
    if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
  }

 private:
  void hold(int socket) {
    if (socket_ >= 0) ::close(socket_);
    socket_ = socket;
  }

  std::mutex mutex_;
  int socket_ = -1;
};

// Ends a call from a second thread if its time is up or `stop` returns true. The call's own thread
// cannot do that because it sleeps in reads.
class Watch {
 public:
  Watch(httplib::ClientImpl& client, Connecting& connecting, std::chrono::milliseconds timeout,
        const std::function<bool()>& stop)
      : client_(client),
        connecting_(connecting),
        deadline_(Clock::now() + timeout),
        stop_(stop),
        thread_([this] { run(); }) {}
  ~Watch() { finish(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Stops watching. Returns why the watch ended the call, or `complete` if it did not.
  HttpEnd finish() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    return why_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return done_; })) {
      if (why_ == HttpEnd::complete) {
        if (stop_()) why_ = HttpEnd::stopped;
        if (Clock::now() >= deadline_) why_ = HttpEnd::timed_out;
      }
      // Repeated, because between two addresses of a host there is no socket that could be stopped.
      if (why_ == HttpEnd::complete) continue;
      lock.unlock();
      connecting_.end();
      client_.stop();
      lock.lock();
    }
  }

  httplib::ClientImpl& client_;
  Connecting& connecting_;
  const Clock::time_point deadline_;
  const std::function<bool()>& stop_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  HttpEnd why_ = HttpEnd::complete;
  std::thread thread_;  // last: it uses all of the above
};

// Each call has its own connection, so that Connecting and Watch end only this call.
std::unique_ptr<httplib::ClientImpl> connect_to(const HttpCall& call) {
  const ServerAddress& server = *call.server;
  std::unique_ptr<httplib::ClientImpl> client;
  if (server.tls) {
    client = std::make_unique<httplib::SSLClient>(server.host, server.port);
  } else {
    client = std::make_unique<httplib::ClientImpl>(server.host, server.port);
  }
  client->set_connection_timeout(std::min(call.connect_timeout, call.timeout));
  // The watch ends the call. These limits must only not be shorter than its own.
  client->set_read_timeout(call.timeout + std::chrono::seconds(5));
  client->set_write_timeout(call.timeout + std::chrono::seconds(5));
  client->set_tcp_nodelay(true);
  client->set_url_encode(false);
  return client;
}

// Distinguishes a host that does not answer from a connection that broke: the first is not repeated
// unless the host replied before.
HttpEnd end_of(httplib::Error error) {
  switch (error) {
    case httplib::Error::Success:
      return HttpEnd::complete;
    case httplib::Error::Canceled:
      return HttpEnd::stopped;
    case httplib::Error::Connection:
      return HttpEnd::nobody;
    case httplib::Error::BindIPAddress:
    case httplib::Error::SSLConnection:
    case httplib::Error::ConnectionTimeout:
      return HttpEnd::no_connection;
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification:
      return HttpEnd::untrusted;
    default:
      return HttpEnd::broken;
  }
}

httplib::Request request_of(const HttpCall& call, const char* method) {
  httplib::Request request;
  request.method = method;
  request.path = call.path;
  request.body = call.body;
  request.headers = {{"Accept", "text/event-stream, application/json"},
                     {"User-Agent", "fineprint"},
                     {"Connection", "close"}};
  if (!call.body.empty()) request.headers.emplace("Content-Type", "application/json");
  for (const auto& [name, value] : call.headers) request.headers.emplace(name, value);
  return request;
}

using OnBody = std::function<bool(std::string_view, const HttpReply&)>;

// Only a 200 is streamed; the body of any other status is an error message, which is kept for the
// caller.
HttpReply exchange(const HttpCall& call, const char* method, const OnBody& on_body,
                   const std::function<bool()>& stop) {
  HttpReply reply;
  std::exception_ptr thrown;  // thrown through the library, which expects no exceptions
  httplib::Request request = request_of(call, method);
  request.response_handler = [&](const httplib::Response& response) {
    reply.status = response.status;
    reply.content_type = response.get_header_value("Content-Type");
    reply.retry_after = response.get_header_value("Retry-After");
    reply.location = response.get_header_value("Location");
    return true;
  };
  request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    if (reply.status != 200) {
      reply.body.append(data, std::min(size, kLongestRefusal - reply.body.size()));
      return true;
    }
    try {
      return on_body({data, size}, reply);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  const NoPipeSignal no_signal;
  Connecting connecting;
  const std::unique_ptr<httplib::ClientImpl> client = connect_to(call);
  client->set_socket_options([&](socket_t socket) { connecting.began(socket); });
  Watch watch(*client, connecting, call.timeout, stop);
  const httplib::Result result = client->send(request);
  const HttpEnd ended = watch.finish();
  if (thrown) std::rethrow_exception(thrown);
  // If a reply gave no length, it looks complete when the watch closes its connection.
  reply.end = ended == HttpEnd::complete ? end_of(result.error()) : ended;
  return reply;
}

}  // namespace

HttpReply post(const HttpCall& call,
               const std::function<bool(std::string_view, const HttpReply&)>& on_body,
               const std::function<bool()>& stop) {
  return exchange(call, "POST", on_body, stop);
}

HttpReply get(const HttpCall& call, const std::function<bool()>& stop) {
  // Enough for the lists of models of the largest services.
  constexpr std::size_t kLongestBody = 4 << 20;
  std::string body;
  const auto keep = [&](std::string_view bytes, const HttpReply&) {
    body += bytes.substr(0, kLongestBody - body.size());
    return body.size() < kLongestBody;
  };
  HttpReply reply = exchange(call, "GET", keep, stop);
  if (reply.status == 200) reply.body = std::move(body);
  return reply;
}

}  // namespace fineprint::remote
