// The table of a server's options.
#include "fineprint/server/server_options.h"

#include <arpa/inet.h>

namespace fineprint::server {

const OptionTable<ServerOptions>& server_options() {
  static const OptionTable<ServerOptions> table = [] {
    OptionTable<ServerOptions> all;
    all.add("host", &ServerOptions::host,
            {.help = "the address to be reached at; any but one of this machine alone needs "
                     "--token-file",
             .value = "ADDRESS",
             .same_answers = true});
    all.add("port", &ServerOptions::port,
            {.help = "the port to be reached at; 0: any that is free",
             .value = "N",
             .bounds = {.least = 0, .most = 65535},
             .same_answers = true});
    all.add("allowed-host", &ServerOptions::allowed_hosts,
            {.help = "a name that the server may be asked by, besides its address and those of "
                     "this machine; can be repeated",
             .value = "NAME",
             .same_answers = true});
    all.add_bytes("max-body", &ServerOptions::max_body,
                  {.help = "the largest request that is no document",
                   .value = "BYTES",
                   .bounds = {.least = 1},
                   .same_answers = true});
    all.add_bytes("max-upload", &ServerOptions::max_upload,
                  {.help = "the largest document that is taken in; 0: none is",
                   .value = "BYTES",
                   .same_answers = true});
    all.add("at-once", &ServerOptions::at_once,
            {.help = "questions answered at a time; a few more wait, and the rest are told to come "
                     "again; 0: one a core",
             .value = "N",
             .bounds = {.least = 0, .most = 1000},
             .same_answers = true});
    all.add("time-limit", &ServerOptions::time_limit,
            {.help = "seconds for a question, which is then answered with what there is",
             .value = "S",
             .bounds = {.most = 86400, .above = 0},
             .same_answers = true});
    return all;
  }();
  return table;
}

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

}  // namespace fineprint::server
