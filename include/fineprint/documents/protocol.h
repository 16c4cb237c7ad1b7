// Messages between the program and its document workers: checked frames of packed values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/isolation.h"
#include "fineprint/documents/picture_room.h"

namespace fineprint::documents {

// The first message to a worker is `limits`; then come tasks, one at a time. A worker answers each
// task with what it asks for or with one `error`. It answers `read_pages` with one `page` for each
// page of the range. Before it draws a page, it sends a `draft` of that page, made from its text
// layer alone, so that something is left if drawing fails; a later draft replaces it. It answers
// `read_raster` with a `raster`, which gives the size of the picture in the worker's PictureRoom.
enum class MessageType : std::uint8_t {
  limits = 1,
  read_info = 2,
  read_pages = 3,
  read_raster = 4,
  read_isolation = 5,  // has no task as payload
  info = 10,
  page = 11,
  raster = 12,
  error = 13,
  isolation = 14,
  draft = 15,
};

// Exit codes with which a worker reports why it ended.
// The worker ran out of memory.
inline constexpr int kOutOfMemoryExit = 77;
// The worker could not start, or got a message that it cannot read.
inline constexpr int kBadMessageExit = 78;
// The reading library could not be opened.
inline constexpr int kNoLibraryExit = 79;
// The OCR engine could not be loaded.
inline constexpr int kNoEngineExit = 80;
// The layout model could not be loaded.
inline constexpr int kNoLayoutModelExit = 81;

// A message and its packed payload.
struct Message {
  MessageType type = MessageType::error;
  std::string payload;
};

// What a worker is asked to do. Which fields are used depends on the message type.
struct Task {
  std::string path;
  // Paths of the files that are open in the program and whose descriptors come with the message, in
  // the same order. The worker reads these and may open no others.
  std::vector<std::string> files = {};
  ReadOptions options;
  int first_page = 1;
  int page_count = 1;
  double dpi = 0;
  bool grey = false;
  int place = 0;  // place in the PictureRoom for the picture
};

// Returns a task for a document, with the passwords to try on it. See passwords_for.
Task task_about(const std::string& path, const ReadOptions& options);

// Returns a draft as the final page, for a page that could not be drawn. Its `problem` says why,
// and that only the text layer was read.
Page with_text_only(Page draft, ErrorCode code, std::string_view why);

// Returns a header (magic, type, length, checksum) followed by the payload.
std::string frame(MessageType type, std::string_view payload);

// Splits a stream of bytes into messages.
class FrameParser {
 public:
  // Appends bytes as they arrive, in pieces of any size.
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  // Returns the next complete message, or nullopt if more bytes are needed. Throws Error(damaged)
  // if the bytes are not a frame; the rest of the stream cannot be used then.
  std::optional<Message> next();
  // Returns whether all bytes have been consumed.
  bool empty() const { return buffer_.size() == used_; }

 private:
  std::string buffer_;
  std::size_t used_ = 0;
};

// Each returns the packed bytes of a value. Byte order and types are those of this machine.
std::string pack(const WorkerLimits& limits);
std::string pack(const Task& task);
std::string pack(const DocumentInfo& info);
std::string pack(const Page& page);
std::string pack(const PictureSize& size);
std::string pack(const Error& error);
std::string pack(const Isolation& isolation);

// The inverses of `pack`. Each throws Error(damaged) if `pack` cannot have made the bytes: if they
// are truncated or too long, if a count goes past the end, an index is out of range, or a number is
// not finite.
WorkerLimits unpack_limits(std::string_view bytes);
Task unpack_task(std::string_view bytes);
DocumentInfo unpack_info(std::string_view bytes);
Page unpack_page(std::string_view bytes);
PictureSize unpack_picture_size(std::string_view bytes);
Error unpack_error(std::string_view bytes);
Isolation unpack_isolation(std::string_view bytes);

}  // namespace fineprint::documents
