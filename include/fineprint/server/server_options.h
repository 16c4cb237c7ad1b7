// How a server is reached, and how much of it may be asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::server {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any that is free
  // Names and addresses, besides its own and those of this machine, that it may be asked by.
  std::vector<std::string> allowed_hosts = {};
  std::string token = {};             // that all who ask must show; empty: none. Not in the table.
  std::int64_t max_body = 1'000'000;  // bytes of a request that is no document
  std::int64_t max_upload = 200'000'000;  // bytes of a document; 0: none are taken
  // Answered at a time; more wait a little, and yet more are told to come again. 0: one a core.
  int at_once = 0;
  std::chrono::milliseconds time_limit = std::chrono::minutes(5);  // for a question or a search
};

const OptionTable<ServerOptions>& server_options();

// Whether only this machine can reach an address: "localhost", 127.0.0.0/8 or ::1.
bool is_loopback(const std::string& host);

}  // namespace fineprint::server
