// Puts a server's reply together while it comes, and shows its text to whoever waits for it.
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
  TopTokens first_top;  // of the first token, where the server tells
};

// What the caller has been given of a reply, over all attempts. A repeated reply that begins
// otherwise than what was shown is refused: ErrorCode::model.
class ShownText {
 public:
  explicit ShownText(const models::SamplingOptions& options) : options_(options) {}

  // `text`: the reply of the present attempt so far.
  void show(const std::string& text);
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

  // false: nothing more is wanted. Throws BrokenReply, Error(input) for a reply without an end.
  bool take(std::string_view bytes, const HttpReply& http);

  // All has come. Throws BrokenReply when it was not all of a reply.
  void finish();

  bool finished() const { return reader_.finished(); }
  // A page for people instead of a reply.
  bool is_page() const { return is_page_; }

  Answered answered();

 private:
  using Clock = std::chrono::steady_clock;

  void read(const std::string& data);

  ReplyReader reader_;
  EventStream events_;
  std::size_t taken_ = 0;  // bytes
  bool is_page_ = false;
  std::string whole_;  // of a reply that is not streamed
  ShownText& shown_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> first_;  // when the first text came
};

}  // namespace fineprint::remote
