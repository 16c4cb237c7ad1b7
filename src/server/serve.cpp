// Collects the routes and runs the server.
#include "fineprint/server/serve.h"

#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "server/http/server.h"
#include "server/metrics.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

// Documents may be confidential, so no address is opened to others without a token.
void require_token(const ServerOptions& options) {
  if (!options.token.empty() || is_loopback(options.host)) return;
  throw Error(
      ErrorCode::usage,
      format("--host {}: other machines can reach this address; give --token-file FILE with a "
             "token that they must send (`openssl rand -hex 32 > FILE` makes one)",
             options.host));
}

// An IPv6 address needs brackets before a port.
std::string address_of(const std::string& host, int port) {
  const bool is_v6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return is_v6 ? format("http://[{}]:{}", host, port) : format("http://{}:{}", host, port);
}

}  // namespace

void serve(Service& service, const ServerOptions& options,
           const std::function<void(const std::string&)>& ready) {
  require_token(options);
  Metrics metrics;
  const Served served{service, options, metrics};
  std::vector<HttpRoute> routes;
  add_question_routes(served, &routes);
  add_document_routes(served, &routes);
  add_dialect_routes(served, &routes);
  add_embedding_routes(served, &routes);
  add_model_routes(served, &routes);
  add_mcp_routes(served, &routes);
  add_page_routes(&routes);
  add_state_routes(served, &routes);
  HttpServer server(options, std::move(routes),
                    [&](const std::string& route, int status, double seconds) {
                      metrics.count_request(route, status, seconds);
                      log::step("{}: {}, {:.1f} ms", route, status, seconds * 1000);
                    });
  const int port = server.listen_at(options.host, options.port);
  ready(address_of(options.host, port));
  server.run();
}

}  // namespace fineprint::server
