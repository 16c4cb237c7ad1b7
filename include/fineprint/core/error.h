// The exception type of the program, and the closed list of reasons for which something can fail.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fineprint {

// The reason of a failure. The names (see `code_name`) are stable: they appear in JSON records.
enum class ErrorCode {
  usage,           // the command line or a configuration key is wrong
  input,           // a file of questions, answers or gold answers cannot be used
  encrypted,       // a document needs a password and none was given
  wrong_password,  // none of the given passwords opens the document
  damaged,         // a document whose contents do not follow its format
  empty,           // a document of zero bytes or zero pages
  too_large,       // over a limit of pages, pixels or bytes
  timed_out,       // a worker exceeded its time limit
  out_of_memory,   // a worker exceeded its memory limit, or a model has no memory for one call
  unsupported,     // a file format that this program does not read
  unreadable,      // a file is missing, is a directory, or may not be read
  crashed,         // a worker process died
  store,           // the store cannot be opened, has another format, or is damaged
  model,           // a model cannot be used
  no_reply,        // a working model fails at one call, also when the call is repeated
  internal,        // a bug in this program
  interrupted,     // SIGINT or SIGTERM
};

// Ends one page, one document, one question or one command, depending on who catches it. The
// message is one line that says what failed, where, why and what to do. For example: "cannot open
// answers.jsonl: Permission denied".
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// Returns the stable name, for example "timed_out".
std::string_view code_name(ErrorCode code);

// Returns the code with this name; `internal` if the name is unknown, so that records of a newer
// version can still be read.
ErrorCode code_from_name(std::string_view name);

// Returns the exit code of a command that ends with this error: 2 for usage, 3 for input, documents
// and stores, 4 for model and no_reply, 5 for internal, 130 for interrupted.
int exit_code(ErrorCode code);

}  // namespace fineprint
