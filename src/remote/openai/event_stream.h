// Server-sent events out of a stream of bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fineprint::remote {

// Source: WHATWG HTML, section 9.2.6 (interpreting an event stream); only `data` is of interest.
class EventStream {
 public:
  // Calls `on_data` with the data of each event that is complete. Lines end in LF, CR or both, and
  // may be cut anywhere. Throws Error(model) for a line beyond 16 MiB.
  void push(std::string_view bytes, const std::function<void(const std::string&)>& on_data);
  // The event that no empty line ended, as some servers leave it.
  void finish(const std::function<void(const std::string&)>& on_data);

 private:
  void end_line(const std::function<void(const std::string&)>& on_data);

  std::string line_, data_;
  bool has_data_ = false;
  bool after_cr_ = false;  // an LF that comes now belongs to it
};

}  // namespace fineprint::remote
