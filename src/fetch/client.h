// Makes calls to the server of an address: with its credentials, again after passing failures, and
// through redirects.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/core/retry.h"
#include "fineprint/documents/fetching.h"

#include "fetch/http.h"

namespace fineprint::fetch {

// A call that failed for good. The message does not name what was asked for, so that callers put
// its address before it.
class CallError : public Error {
 public:
  CallError(ErrorCode code, const std::string& message, int status, bool is_lost)
      : Error(code, message), status_(status), is_lost_(is_lost) {}
  int status() const { return status_; }  // 0: none arrived
  // The server cannot be reached, so that other calls would fail in the same way.
  bool is_lost() const { return is_lost_; }

 private:
  int status_;
  bool is_lost_;
};

// Whether a reply may send the caller to another server.
enum class Redirects { within_server, anywhere };

// One call.
struct Ask {
  std::string url;
  std::string method = "GET";
  std::vector<std::string> headers = {};
  std::string body = {};
  std::uint64_t most_bytes = 0;  // of the reply's body
};

// The client of one address. Not thread-safe; each thread has its own.
class Client {
 public:
  // `waiting` makes the pauses between attempts.
  Client(const documents::Address& address, const documents::S3Access& s3, Waiting waiting);

  // Returns the URL of a file in the host or bucket, or of a folder if `path` ends with '/'.
  // `query` is percent-encoded, with its names in alphabetical order, because it is signed.
  std::string url_of(const std::string& path, const std::string& query = "") const;

  // Calls until there is a reply of 2xx, 304, 404 or 416, and returns it. `make` is asked before
  // each attempt, so that it can ask for the rest of a file. A call that failed for a passing
  // reason is repeated four times, with growing pauses, or with the pauses that the server asks
  // for. Throws CallError if that does not help, and Error(interrupted). Redirects to another
  // server carry no credentials, and only lead from https to https.
  HttpReply call(const std::function<Ask()>& make, const OnBody& on_body, Redirects redirects);

  // Calls for a text of at most 32 MiB: a list of files. Follows redirects within the server.
  // Sets `url`, if given, to where the redirects have led.
  std::string text(const Ask& ask, HttpReply* reply, std::string* url = nullptr);

 private:
  HttpRequest request_of(const Ask& ask, bool is_own_server) const;
  HttpReply attempt(Ask ask, const OnBody& on_body, Redirects redirects, std::string* url);
  void pause_after_failure(const HttpReply& reply, int failures);
  CallError failure_of(const HttpReply& reply) const;

  documents::Address address_;
  documents::S3Access s3_;
  Waiting waiting_;
  std::string root_;  // URL of the host or bucket, with a final '/'
  bool met_ = false;  // the server has replied at least once
  Http http_;
};

}  // namespace fineprint::fetch
