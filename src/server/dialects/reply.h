// Answers a question once, and has the writer of a dialect write the reply.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

#include "server/dialects/conversation.h"
#include "server/http/event_stream.h"
#include "server/http/http.h"
#include "server/refusal.h"
#include "server/routes/routes.h"

namespace fineprint::server {

// A citation that the text of a reply has as a line: "[1] DOC, page 2: QUOTE". Counts code points,
// as Python's strings do.
struct CitedLine {
  Citation citation;
  std::size_t start = 0, end = 0;  // of the line, in the text
  std::string title;               // "DOC, page 2"
  std::string url;                 // shows the page; empty for files that the request brought
};

// An answer as text.
struct Reply {
  ServedAnswer answer;
  // The answer; then one line for each citation, and how the question was understood, if it was
  // changed.
  std::vector<std::string> pieces;
  std::vector<CitedLine> cited;

  std::string text() const;
  // Returns all but the answer itself.
  std::string lines() const;
};

// Returns the reply to a question. An answer that abstains has no citations, because related pages
// do not support it. `host` is how the client calls the server.
Reply reply_of(const AskRequest& ask, ServedAnswer answer, const std::string& host);

// Writes replies in one dialect. One object writes one reply, and calls do not overlap.
class ReplyWriter {
 public:
  virtual ~ReplyWriter() = default;
  // Returns the complete reply, for clients that do not ask for a stream.
  virtual Json whole(const Reply& reply) = 0;
  virtual StreamForm stream_form() const { return {}; }
  // Sends what comes before the answer is known.
  virtual void begin(const SendEvent& send) = 0;
  virtual void end(const Reply& reply, const SendEvent& send) = 0;
  // Sends an error as an event, because the status line has been sent already.
  virtual void fail(const Problem& problem, const SendEvent& send) = 0;
};

// Asks the question and returns the reply, as a stream if the client wants one. The answer arrives
// only at its end, but a stream keeps the connection alive during long questions.
HttpReply reply_by(std::shared_ptr<ReplyWriter> writer, const Served& served, const Asked& asked,
                   const HttpRequest& request);

}  // namespace fineprint::server
