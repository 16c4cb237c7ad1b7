// A server of HTTP: for programs, for clients of OpenAI's interface, for MCP, and for people at a
// browser.
#pragma once

#include <functional>
#include <string>

#include "fineprint/server/server_options.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// Serves until the process is interrupted: then no more connections are taken, what is being done
// is ended, and this returns. `ready` is told the address ("http://127.0.0.1:8080") once clients
// can connect. Throws Error(usage) for an address that is not this machine's, a port that is taken,
// or one that others can reach where there is no token.
void serve(Service& service, const ServerOptions& options,
           const std::function<void(const std::string&)>& ready);

}  // namespace fineprint::server
