// What the program and its document workers say to each other: checked frames of packed values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/documents/isolation.h"
#include "fineprint/documents/picture_room.h"
#include "fineprint/documents/reader.h"

namespace fineprint::documents {

// The first message to a worker is `limits`; then come tasks, one at a time. A task is answered by
// what it asks for or by one `error`; `read_pages` by one `page` for each page of its range,
// and before a page that is to be drawn by a `draft` of it, from its text layer alone;
// `read_raster` by a `raster` with the size of the picture that lies in the worker's PictureRoom.
enum class MessageType : std::uint8_t {
  limits = 1,
  read_info = 2,
  read_pages = 3,
  read_raster = 4,
  read_isolation = 5,  // without a task
  info = 10,
  page = 11,
  raster = 12,
  error = 13,
  isolation = 14,
  draft = 15,
};

// Exit codes by which a worker tells why it ended by itself.
inline constexpr int kOutOfMemoryExit = 77;
inline constexpr int kBadMessageExit = 78;
inline constexpr int kNoLibraryExit = 79;

struct Message {
  MessageType type = MessageType::error;
  std::string payload;
};

// What a worker is asked to do; which fields count depends on the message type.
struct Task {
  std::string path;
  ReadOptions options;
  int first_page = 1;
  int page_count = 1;
  double dpi = 0;
  bool grey = false;
  int place = 0;  // of the PictureRoom, for the picture
};

// A task about a document, with the passwords to be tried on it.
Task task_about(const std::string& path, const ReadOptions& options);

// A page as its draft gave it, when no more of it can be had, with the reason.
Page with_text_only(Page draft, ErrorCode code, std::string_view why);

// A header (magic, type, length, checksum) and the payload.
std::string frame(MessageType type, std::string_view payload);

// Takes bytes as they arrive and gives whole messages.
class FrameParser {
 public:
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  // The next whole message, nullopt when more bytes are needed. Throws Error(damaged) when the
  // bytes are not a frame; the stream is of no further use then.
  std::optional<Message> next();
  bool empty() const { return buffer_.size() == used_; }

 private:
  std::string buffer_;
  std::size_t used_ = 0;
};

std::string pack(const WorkerLimits& limits);
std::string pack(const Task& task);
std::string pack(const DocumentInfo& info);
std::string pack(const Page& page);
std::string pack(const PictureSize& size);
std::string pack(const Error& error);
std::string pack(const Isolation& isolation);

// The inverses. Each throws Error(damaged) on bytes that `pack` can't have made: truncated or
// overlong, counts past the end, indices out of range, numbers that are not finite.
WorkerLimits unpack_limits(std::string_view bytes);
Task unpack_task(std::string_view bytes);
DocumentInfo unpack_info(std::string_view bytes);
Page unpack_page(std::string_view bytes);
PictureSize unpack_picture_size(std::string_view bytes);
Error unpack_error(std::string_view bytes);
Isolation unpack_isolation(std::string_view bytes);

}  // namespace fineprint::documents
