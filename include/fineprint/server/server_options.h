// Says how a server is reached, and how much work it accepts.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::server {

// The options of `fineprint serve`.
struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any free port
  // The names and addresses that requests may call the server by, besides its own and those of this
  // machine.
  std::vector<std::string> allowed_hosts = {};
  std::string token = {};  // that every request must carry; empty: none. Not in the table.
  std::int64_t max_body = 1'000'000;      // bytes of a request, without the files in it
  std::int64_t max_upload = 200'000'000;  // bytes of a document; 0: documents are refused
  // Questions answered at the same time. A few more wait, and the rest are refused with status 429.
  // 0: one for each core.
  int at_once = 0;
  std::chrono::milliseconds time_limit = std::chrono::minutes(5);  // for a question or a search
  // Bytes of answers that are kept for questions that are asked again; 0: none.
  std::int64_t kept_answers = 64'000'000;
};

// Returns the options of this header that the command line and preset files can set.
const OptionTable<ServerOptions>& server_options();

// Returns whether only this machine can reach an address: "localhost", 127.0.0.0/8 or ::1.
bool is_loopback(const std::string& host);

}  // namespace fineprint::server
