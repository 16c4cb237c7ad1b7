// Feeds any bytes to the readers of messages between program and document workers: what they accept
// must lie in bounds and pack to the same bytes, all else be Error(damaged).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/documents/protocol.h"

namespace {

using namespace fineprint::documents;

// Takes the bytes in pieces, as a pipe gives them.
void parse_stream(std::string_view bytes) {
  FrameParser parser;
  while (!bytes.empty()) {
    const std::size_t piece = std::min<std::size_t>(bytes.size(), 1 + bytes.size() / 3);
    parser.feed(bytes.substr(0, piece));
    bytes.remove_prefix(piece);
    while (parser.next()) {
    }
  }
}

// A message comes out of its frame as it went in, whatever stands behind it.
void check_frame(std::string_view payload) {
  FrameParser parser;
  const std::string framed = frame(MessageType::page, payload);
  parser.feed(framed);
  parser.feed(framed.substr(0, framed.size() / 2));
  const auto message = parser.next();
  if (!message || message->payload != payload || parser.next() || parser.empty()) std::abort();
}

void check_page(const fineprint::Page& page) {
  for (const fineprint::Line& line : page.lines) {
    if (std::uint64_t{line.first_word} + line.word_count > page.words.size()) std::abort();
  }
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const fineprint::Element& element = page.elements[i];
    if (std::uint64_t{element.first_line} + element.line_count > page.lines.size()) std::abort();
    // Who follows parents comes to an end.
    if (element.parent >= static_cast<std::int64_t>(i)) std::abort();
  }
}

template <class Value>
void check_same(const Value& value, std::string_view bytes) {
  if (pack(value) != bytes) std::abort();
}

void unpack(int kind, std::string_view bytes) {
  if (kind == 0) return parse_stream(bytes);
  if (kind == 1) return check_frame(bytes);
  if (kind == 2) return check_same(unpack_limits(bytes), bytes);
  if (kind == 3) return check_same(unpack_task(bytes), bytes);
  if (kind == 4) return check_same(unpack_info(bytes), bytes);
  if (kind == 5) {
    const fineprint::Page page = unpack_page(bytes);
    check_page(page);
    return check_same(page, bytes);
  }
  if (kind == 6) return check_same(unpack_picture_size(bytes), bytes);
  if (kind == 7) return check_same(unpack_isolation(bytes), bytes);
  unpack_error(bytes);  // a name that is not known becomes `internal`
}

}  // namespace

// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    unpack(data[0] % 9, {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::damaged) std::abort();
  }
  return 0;
}
