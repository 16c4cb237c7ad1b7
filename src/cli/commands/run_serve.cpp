// `fineprint serve`: serves a store to browsers and programs.
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/server/serve.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/service_setup.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

constexpr std::size_t kFewestTokenBytes = 16;

// Returns the token of --token-file, or an empty string if none is given.
std::string token(const Settings& settings) {
  const std::string& file = settings.text("token-file");
  if (file.empty()) return "";
  std::string token = read_file(file);
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  if (token.size() >= kFewestTokenBytes && token.find_first_of(" \t\r\n") == std::string::npos) {
    return token;
  }
  throw Error(
      ErrorCode::usage,
      format("--token-file {}: a token must be one word of at least {} characters; `openssl rand "
             "-hex 32` makes one",
             file, kFewestTokenBytes));
}

}  // namespace

// The service is prepared before the socket is opened, so that clients never reach a server that
// cannot answer.
int run_serve(const Settings& settings) {
  allow_arguments(settings, 0);
  server::ServerOptions options = settings.read(server::server_options());
  options.token = token(settings);
  server::Service service(service_setup(settings));
  server::serve(service, options, [&](const std::string& address) {
    if (settings.flag("json")) print_line(dump_json({{"address", address}}));
    log::note("serving {} at {}; Ctrl-C ends it", settings.text("store"), address);
  });
  log::note("the server has stopped");
  return 0;  // an interrupt is the normal end
}

}  // namespace fineprint::cli
