// Errors with an HTTP status besides their code, and the forms in which clients get them.
#pragma once

#include <exception>
#include <string>
#include <string_view>

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
  // The field of the request that is wrong, for example "messages[0].content"; empty if unknown.
  const std::string& field() const { return field_; }

 private:
  friend Refusal refused_field(const std::string& field, const std::string& why, int status);

  int status_, retry_after_;
  std::string field_;
};

// Returns a refusal that names a field: "field 'n' must be 1". `why` continues the sentence.
Refusal refused_field(const std::string& field, const std::string& why, int status = 400);

// What a client gets instead of a result.
struct Problem {
  int status = 500;
  std::string code;     // one of the program's own
  std::string message;  // for people
  std::string field = {};
  int retry_after = 0;
};

// Returns the problem of an error; see Refusal. 503 for an interrupt, because the server is about
// to end. What went wrong inside is for the log, which gets it with `where`: it could reveal
// something about the machine.
Problem problem_of(const std::exception& error, std::string_view where);

// The forms of errors that clients parse.
enum class ErrorForm {
  openai,     // {"error":{"message","type","code","param"}}
  anthropic,  // {"type":"error","error":{"type","message"}}
  ollama,     // {"error":"..."}
};

// Returns the form that clients of a path expect, also of paths that do not exist.
ErrorForm error_form(std::string_view path);

// Returns the error on one line.
std::string error_json(const Problem& problem, ErrorForm form = ErrorForm::openai);
// Returns the type that Anthropic's clients map to exceptions. Source: Claude API, "Errors".
std::string_view anthropic_error_type(int status);

}  // namespace fineprint::server
