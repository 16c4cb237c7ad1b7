// Assembles a server's reply while it arrives.
#include "remote/openai/incoming_reply.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::remote {
namespace {

// A token with 20 alternatives and their log-probabilities takes about 2 kB, so there is room for
// 32,000 of them.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

template <typename Time>
double ms_between(Time from, Time to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

// Shown text cannot be taken back, so a repeated reply must agree with it.
void ShownText::show(const std::string& text) {
  const std::size_t known = std::min(text.size(), shown_.size());
  if (text.compare(0, known, shown_, 0, known) != 0) refuse();
  if (!options_.on_text || text.size() <= shown_.size()) return;
  options_.on_text(std::string_view(text).substr(shown_.size()));
  shown_ = text;
}

void ShownText::end(const std::string& text) {
  show(text);
  if (text.size() < shown_.size()) refuse();
}

void ShownText::refuse() const {
  throw Error(ErrorCode::model,
              format("the connection broke after {} bytes of the reply, and the repeated reply "
                     "begins with different text; ask again",
                     shown_.size()));
}

bool IncomingReply::take(std::string_view bytes, const HttpReply& http) {
  is_page_ = http.content_type.starts_with("text/html");
  if (is_page_) return false;
  taken_ += bytes.size();
  if (taken_ > kMostBytes) {
    throw Error(ErrorCode::input,
                format("the server's reply is longer than {} MiB, which no answer needs; it was "
                       "cancelled",
                       kMostBytes >> 20));
  }
  if (http.content_type.starts_with("text/event-stream")) {
    events_.push(bytes, [this](const std::string& data) { read(data); });
  } else {
    whole_ += bytes;
  }
  return !reader_.stopped();
}

void IncomingReply::finish() {
  if (whole_.empty()) {
    events_.finish([this](const std::string& data) { read(data); });
  } else {
    read(whole_);
  }
  if (!reader_.finished()) throw BrokenReply("it ends in the middle");
}

Answered IncomingReply::answered() {
  Answered answered{reader_.take(), reader_.first_top()};
  answered.reply.prefill_ms = ms_between(start_, first_.value_or(start_));
  answered.reply.decode_ms = ms_between(first_.value_or(start_), Clock::now());
  return answered;
}

void IncomingReply::read(const std::string& data) {
  reader_.read(data);
  if (reader_.took_back()) shown_.restart();
  if (!first_ && !reader_.text().empty()) first_ = Clock::now();
  shown_.show(reader_.text());
}

}  // namespace fineprint::remote
