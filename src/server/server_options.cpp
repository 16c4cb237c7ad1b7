// The table of the server's options.
#include "fineprint/server/server_options.h"

#include <arpa/inet.h>

namespace fineprint::server {

const OptionTable<ServerOptions>& server_options() {
  static const OptionTable<ServerOptions> table = [] {
    OptionTable<ServerOptions> all;
    all.add("host", &ServerOptions::host,
            {.help = "the address to listen at; an address that other machines can reach needs "
                     "--token-file",
             .value = "ADDRESS",
             .same_answers = true});
    all.add("port", &ServerOptions::port,
            {.help = "the port to listen at; 0: any free port",
             .value = "N",
             .bounds = {.least = 0, .most = 65535},
             .same_answers = true});
    all.add("allowed-host", &ServerOptions::allowed_hosts,
            {.help = "another name that requests may call the server by, besides its address and "
                     "those of this machine; can be repeated",
             .value = "NAME",
             .same_answers = true});
    all.add_bytes("max-body", &ServerOptions::max_body,
                  {.help = "the largest request that is not a document, without the files in it",
                   .value = "BYTES",
                   .bounds = {.least = 1},
                   .same_answers = true});
    all.add_bytes("max-upload", &ServerOptions::max_upload,
                  {.help = "the largest document that clients may add; 0: refuse documents",
                   .value = "BYTES",
                   .same_answers = true});
    all.add("at-once", &ServerOptions::at_once,
            {.help = "how many questions to answer at the same time; a few more wait, and the rest "
                     "are refused with status 429; 0: one for each core",
             .value = "N",
             .bounds = {.least = 0, .most = 1000},
             .same_answers = true});
    all.add(
        "time-limit", &ServerOptions::time_limit,
        {.help = "the longest time for a question; after it, the best answer so far is returned",
         .value = "S",
         .bounds = {.most = 86400, .above = 0},
         .same_answers = true});
    all.add_bytes("kept-answers", &ServerOptions::kept_answers,
                  {.help = "how much memory answers may take that are kept for questions which are "
                           "asked again while the store is unchanged; 0: keep none",
                   .value = "BYTES",
                   .same_answers = true});
    return all;
  }();
  return table;
}

// All of 127.0.0.0/8 is this machine, not only 127.0.0.1.
bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

}  // namespace fineprint::server
