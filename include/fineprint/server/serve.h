// Runs a server of HTTP: for programs, for clients of other servers' dialects, for MCP, and
// for people with a browser.
#pragma once

#include <functional>
#include <string>

#include "fineprint/server/server_options.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// Serves until the process is interrupted. Then no more connections are accepted, the requests in
// progress are ended, and the function returns. `ready` is called with the address, for example
// "http://127.0.0.1:8080", as soon as clients can connect.
// Throws Error(usage) if the address is not one of this machine, if the port is taken, or if other
// machines can reach the address and there is no token.
void serve(Service& service, const ServerOptions& options,
           const std::function<void(const std::string&)>& ready);

}  // namespace fineprint::server
