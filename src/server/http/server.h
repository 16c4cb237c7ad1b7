// Accepts connections, parses requests with cpp-httplib, and lets routes answer them.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <httplib.h>

#include "fineprint/server/server_options.h"

#include "server/gate.h"
#include "server/http/connection.h"
#include "server/http/guard.h"
#include "server/http/hang_ups.h"
#include "server/http/http.h"

namespace fineprint::server {

// Uses its own sockets and threads, because the library's accept loop ends at the first connection
// that is reset before it is accepted, and does not let a handler know that its client has gone.
class HttpServer : private httplib::Server {
 public:
  // Called after each request.
  using Done = std::function<void(const std::string& route, int status, double seconds)>;

  HttpServer(const ServerOptions& options, std::vector<HttpRoute> routes, Done done);
  ~HttpServer() override;

  // Returns the port. Throws Error(usage) if the server cannot listen there.
  int listen_at(const std::string& host, int port);
  // Runs until the process is interrupted and all connections have ended.
  void run();

 private:
  struct Client {
    std::thread thread;
    std::atomic<bool> is_over = false;
  };

  void take(int socket);
  void end_clients(bool all);
  void talk(int socket);
  HandlerResponse route(const httplib::Request& request, httplib::Response& response);
  void read_and_answer(const httplib::Request& request, httplib::Response& response,
                       const httplib::ContentReader& reader);
  // `pass`: held until the request is answered.
  void answer(const HttpRoute& route, HttpRequest& request, httplib::Response& response,
              std::shared_ptr<const Gate::Pass> pass);
  std::int64_t most_bytes(BodyKind body) const;
  std::shared_ptr<const Gate::Pass> pass_for(const HttpRequest& head, BodyKind body);
  const HttpRoute* find(const std::string& method, const std::string& path) const;

  const ServerOptions options_;
  const Guard guard_;
  const std::vector<HttpRoute> routes_;
  const Done done_;
  HangUps hang_ups_;
  Gate large_;  // for requests that bring files, because each needs much memory
  int listening_ = -1;
  std::list<Client> clients_;  // used only by the accepting thread
};

}  // namespace fineprint::server
