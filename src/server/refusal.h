// Errors with an HTTP status besides their code.
#pragma once

#include <string>

#include "fineprint/core/error.h"

namespace fineprint::server {

class Refusal : public Error {
 public:
  // `retry_after`: seconds after which a retry makes sense; 0: unknown.
  Refusal(int status, const std::string& message, int retry_after = 0,
          ErrorCode code = ErrorCode::input)
      : Error(code, message), status_(status), retry_after_(retry_after) {}
  int status() const { return status_; }
  int retry_after() const { return retry_after_; }

 private:
  int status_, retry_after_;
};

// Returns the status of any error; see Refusal. 503 for an interrupt, because the server is about
// to end.
int status_of(const Error& error);

// Returns {"error":{"message","type","code","param"}} on one line, as OpenAI's clients parse it.
std::string error_json(int status, std::string_view code, std::string_view message);

}  // namespace fineprint::server
