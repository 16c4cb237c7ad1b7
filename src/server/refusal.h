// Errors that say more than their code: under which status of HTTP they are told.
#pragma once

#include <string>

#include "fineprint/core/error.h"

namespace fineprint::server {

class Refusal : public Error {
 public:
  // `retry_after`: seconds until it is worth asking again; 0: not told.
  Refusal(int status, const std::string& message, int retry_after = 0,
          ErrorCode code = ErrorCode::input)
      : Error(code, message), status_(status), retry_after_(retry_after) {}
  int status() const { return status_; }
  int retry_after() const { return retry_after_; }

 private:
  int status_, retry_after_;
};

// Of any error; see Refusal. 503 of an interrupt: the server is about to end.
int status_of(const Error& error);

// {"error":{"message","type","code","param"}} as OpenAI's clients read it, on one line.
std::string error_json(int status, std::string_view code, std::string_view message);

}  // namespace fineprint::server
