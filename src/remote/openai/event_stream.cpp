// Splits a stream of bytes into events.
#include "remote/openai/event_stream.h"

#include "fineprint/core/error.h"

namespace fineprint::remote {
namespace {

// A stream without line ends must not fill the memory.
constexpr std::size_t kLongestLine = std::size_t{16} << 20;

}  // namespace

void EventStream::push(std::string_view bytes,
                       const std::function<void(const std::string&)>& on_data) {
  for (const char c : bytes) {
    // CR LF ends one line, even if a read ends between the two.
    const bool second_half = c == '\n' && after_cr_;
    after_cr_ = c == '\r';
    if (second_half) continue;
    if (c == '\n' || c == '\r') {
      end_line(on_data);
    } else {
      line_ += c;
    }
  }
  if (line_.size() + data_.size() > kLongestLine) {
    throw Error(ErrorCode::model, "the server's stream has a line of more than 16 MiB");
  }
}

void EventStream::end_line(const std::function<void(const std::string&)>& on_data) {
  constexpr std::string_view kData = "data:";
  if (line_.empty()) {
    if (has_data_) on_data(data_);
    data_.clear();
    has_data_ = false;
  } else if (line_.starts_with(kData)) {
    if (has_data_) data_ += '\n';
    const std::size_t begin = line_.size() > kData.size() && line_[kData.size()] == ' ' ? 1 : 0;
    data_ += line_.substr(kData.size() + begin);
    has_data_ = true;
  }
  line_.clear();
}

void EventStream::finish(const std::function<void(const std::string&)>& on_data) {
  if (!line_.empty()) end_line(on_data);
  end_line(on_data);
}

}  // namespace fineprint::remote
