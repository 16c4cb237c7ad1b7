// The one exception type of the program and the closed list of reasons a thing can fail for.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fineprint {

// Why something failed. The names (see `code_name`) are stable: they appear in JSON records.
enum class ErrorCode {
  usage,           // the command line or a configuration key is wrong
  input,           // a file of questions, answers or gold that cannot be used
  encrypted,       // a document needs a password and none was given
  wrong_password,  // none of the given passwords opens the document
  damaged,         // a document that its format's reader cannot make sense of
  empty,           // a document of zero bytes or zero pages
  too_large,       // over a stated limit of pages, pixels or bytes
  timed_out,       // a worker ran past its time
  out_of_memory,   // a worker ran past its memory, or a model has none for this one call
  unsupported,     // a format that is not read here
  unreadable,      // missing, a directory, or no permission
  crashed,         // a worker process died
  store,           // the store cannot be opened, is of another format, or is damaged
  model,           // a model cannot be used
  no_reply,        // a model that is there fails at this one call, also when it is repeated
  internal,        // a mistake in this program
  interrupted,     // SIGINT or SIGTERM
};

// Ends one page, one document, one question or one command, depending on who catches it. The
// message names what failed, where, why, and what to do; it is one line without a final full stop
// being required.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// "encrypted", "timed_out", ...
std::string_view code_name(ErrorCode code);

// The inverse of `code_name`; `internal` for a name that is not known.
ErrorCode code_from_name(std::string_view name);

// The process exit code that a command ends with when it dies of `code`:
// 2 usage, 3 input, documents and store, 4 model and no_reply, 5 internal, 130 interrupted.
int exit_code(ErrorCode code);

}  // namespace fineprint
