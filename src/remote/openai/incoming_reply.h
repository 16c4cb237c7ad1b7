// Assembles a server's reply while it arrives, and passes its text on to the caller.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/models/generator.h"

#include "remote/openai/event_stream.h"
#include "remote/openai/http_call.h"
#include "remote/openai/reply_reader.h"

namespace fineprint::remote {

struct Answered {
  models::Reply reply;
  TopTokens first_top;  // of the first token, if the server returns them
};

// The text of a reply that the caller has been given, over all attempts. Throws Error(model) if a
// repeated reply does not begin with the text that was already shown.
class ShownText {
 public:
  explicit ShownText(const models::SamplingOptions& options) : options_(options) {}

  // Passes on the new part of `text`, the reply of the present attempt so far.
  void show(const std::string& text);
  // Forgets what was shown, because it was thoughts: the reply begins after it.
  void restart() { shown_.clear(); }
  // Like show(), for the complete reply. Throws also if it is shorter than what was shown.
  void end(const std::string& text);

 private:
  [[noreturn]] void refuse() const;

  const models::SamplingOptions& options_;
  std::string shown_;
};

// The body of one HTTP reply, streamed or not.
class IncomingReply {
 public:
  IncomingReply(const models::SamplingOptions& options, ShownText& shown)
      : reader_(options.stop), shown_(shown) {}

  // Returns false if nothing more is wanted. Throws BrokenReply if the bytes cannot be understood,
  // and Error(input) if the reply does not end.
  bool take(std::string_view bytes, const HttpReply& http);

  // Ends the reply. Throws BrokenReply if it is not complete.
  void finish();

  bool finished() const { return reader_.finished(); }
  // Returns whether the server sent an HTML page instead of a reply.
  bool is_page() const { return is_page_; }

  Answered answered();

 private:
  using Clock = std::chrono::steady_clock;

  void read(const std::string& data);

  ReplyReader reader_;
  EventStream events_;
  std::size_t taken_ = 0;  // bytes
  bool is_page_ = false;
  std::string whole_;  // the body of a reply that is not streamed
  ShownText& shown_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> first_;  // when the first text arrived
};

}  // namespace fineprint::remote
