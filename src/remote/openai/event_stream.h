// Extracts server-sent events from a stream of bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fineprint::remote {

// Source: WHATWG HTML, section 9.2.6 (interpreting an event stream). Only `data` fields are kept.
class EventStream {
 public:
  // Calls `on_data` with the data of each event that is complete. Lines end in LF, CR or both, and
  // `bytes` may end anywhere in them. Throws Error(model) if a line is longer than 16 MiB.
  void push(std::string_view bytes, const std::function<void(const std::string&)>& on_data);
  // Passes on a last event without the empty line that should end it. Some servers send that.
  void finish(const std::function<void(const std::string&)>& on_data);

 private:
  void end_line(const std::function<void(const std::string&)>& on_data);

  std::string line_, data_;
  bool has_data_ = false;
  bool after_cr_ = false;  // an LF that comes next ends the same line
};

}  // namespace fineprint::remote
