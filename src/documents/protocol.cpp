// Packs and unpacks the messages between the program and its document workers.
#include "fineprint/documents/protocol.h"

#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "documents/packing.h"

namespace fineprint::documents {
namespace {

constexpr std::uint32_t kMagic = 0x31575046;  // "FPW1"
// Above the words of any page, and below what a corrupted length would claim.
constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 29;
// Above the size of the largest picture (100 million pixels in RGB).
constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 29;

// Comes before each payload.
struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t type = 0;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 24);

bool is_known(std::uint32_t type) { return (type >= 1 && type <= 5) || (type >= 10 && type <= 15); }

// Each put function packs a value; the take function after it unpacks and checks the value.
void put(Packer& out, const Box& box) { out.raw(&box, sizeof box); }

Box take_box(Unpacker& in) {
  const float x0 = in.number<float>(), y0 = in.number<float>();
  const float x1 = in.number<float>(), y1 = in.number<float>();
  return {x0, y0, x1, y1};
}

// Fields are packed one by one, because padding between members would send bytes of the worker's
// memory.
void put(Packer& out, const Word& word) {
  out.text(word.text);
  put(out, word.box);
  out.number(word.size_pt);
  out.number(word.confidence);
  out.number<std::uint8_t>(word.bold);
  out.number<std::uint8_t>(word.italic);
}

Word take_word(Unpacker& in) {
  Word word;
  word.text = in.text();
  // All that a worker sends is checked, because a damaged document may have taken it over.
  if (word.text.empty()) Unpacker::fail("a word without characters");
  word.box = take_box(in);
  word.size_pt = in.number<float>();
  word.confidence = in.number<float>();
  word.bold = in.flag();
  word.italic = in.flag();
  return word;
}

void put(Packer& out, const Line& line) {
  out.number(line.first_word);
  out.number(line.word_count);
  put(out, line.box);
}

Line take_line(Unpacker& in, std::size_t words) {
  Line line;
  line.first_word = in.number<std::uint32_t>();
  line.word_count = in.number<std::uint32_t>();
  // The sum is computed in 64 bits, because two large counts would wrap around in 32.
  if (std::uint64_t{line.first_word} + line.word_count > words)
    Unpacker::fail("a line off the page");
  line.box = take_box(in);
  return line;
}

void put(Packer& out, const StatedCell& cell) {
  for (const std::uint16_t place : {cell.row, cell.column, cell.rows, cell.columns}) {
    out.number(place);
  }
  out.number<std::uint8_t>(cell.is_head);
  out.number(cell.first_word);
  out.number(cell.word_count);
  out.text(cell.text);
}

StatedCell take_cell(Unpacker& in, std::size_t words) {
  StatedCell cell;
  for (std::uint16_t* place : {&cell.row, &cell.column, &cell.rows, &cell.columns}) {
    *place = in.number<std::uint16_t>();
  }
  cell.is_head = in.flag();
  cell.first_word = in.number<std::uint32_t>();
  cell.word_count = in.number<std::uint32_t>();
  if (std::uint64_t{cell.first_word} + cell.word_count > words) {
    Unpacker::fail("a cell off the page");
  }
  cell.text = in.text();
  return cell;
}

void put(Packer& out, const Element& element) {
  out.number(element.kind);
  put(out, element.box);
  out.number(element.first_line);
  out.number(element.line_count);
  out.number(element.parent);
  out.number(element.level);
  out.text(element.caption);
  out.number<std::uint64_t>(element.cells.size());
  for (const StatedCell& cell : element.cells) put(out, cell);
}

// Reads an element. Its parent must come before it, so that following parents always ends.
Element take_element(Unpacker& in, const Page& page, std::size_t elements_before) {
  Element element;
  element.kind = in.one_of(ElementKind::furniture);
  element.box = take_box(in);
  element.first_line = in.number<std::uint32_t>();
  element.line_count = in.number<std::uint32_t>();
  if (std::uint64_t{element.first_line} + element.line_count > page.lines.size()) {
    Unpacker::fail("an element off the page");
  }
  element.parent = in.number<std::int32_t>();
  if (element.parent < -1 || element.parent >= static_cast<std::int64_t>(elements_before)) {
    Unpacker::fail("a parent that does not come before its element");
  }
  element.level = in.number<std::uint8_t>();
  element.caption = in.text();
  constexpr std::size_t kLeastCellBytes = 25;
  element.cells.resize(in.count(kLeastCellBytes));
  for (StatedCell& cell : element.cells) cell = take_cell(in, page.words.size());
  return element;
}

}  // namespace

Task task_about(const std::string& path, const ReadOptions& options) {
  Task task;
  task.path = path;
  task.options = options;
  // Passwords listed for this path come first. The list itself is not sent, because the worker
  // needs no passwords of other files.
  task.options.passwords = passwords_for(path, options.listed);
  task.options.passwords.insert(task.options.passwords.end(), options.passwords.begin(),
                                options.passwords.end());
  task.options.listed.clear();
  return task;
}

std::string frame(MessageType type, std::string_view payload) {
  Header header;
  header.type = static_cast<std::uint32_t>(type);
  header.length = payload.size();
  // The checksum distinguishes a message from one that a crash cut short.
  header.checksum = checksum(payload);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(payload);
  return bytes;
}

std::optional<Message> FrameParser::next() {
  const std::string_view waiting = std::string_view(buffer_).substr(used_);
  if (waiting.size() < sizeof(Header)) return std::nullopt;
  Header header;
  std::memcpy(&header, waiting.data(), sizeof header);
  if (header.magic != kMagic || !is_known(header.type)) Unpacker::fail("not a message");
  // Checked before memory is reserved for the length.
  if (header.length > kMaxPayload) Unpacker::fail("longer than any message can be");
  if (waiting.size() - sizeof header < header.length) {
    // Moves the rest to the front only when waiting for more, so that small messages are not copied
    // again and again.
    buffer_.erase(0, std::exchange(used_, 0));
    buffer_.reserve(sizeof header + header.length);
    return std::nullopt;
  }
  Message message{static_cast<MessageType>(header.type),
                  std::string(waiting.substr(sizeof header, header.length))};
  if (checksum(message.payload) != header.checksum) Unpacker::fail("its checksum is wrong");
  used_ += sizeof header + header.length;
  if (used_ == buffer_.size()) {
    buffer_.clear();
    used_ = 0;
  }
  return message;
}

std::string pack(const WorkerLimits& limits) {
  Packer out;
  out.number(limits.wall_seconds);
  out.number(limits.cpu_seconds);
  out.number(limits.memory_bytes);
  out.number(limits.max_pages);
  out.number(limits.max_pixels);
  out.number(limits.max_characters);
  return out.take();
}

WorkerLimits unpack_limits(std::string_view bytes) {
  Unpacker in(bytes);
  WorkerLimits limits;
  limits.wall_seconds = in.number<double>();
  limits.cpu_seconds = in.number<double>();
  limits.memory_bytes = in.number<std::int64_t>();
  limits.max_pages = in.number<int>();
  limits.max_pixels = in.number<std::int64_t>();
  limits.max_characters = in.number<std::int64_t>();
  in.finish();
  return limits;
}

std::string pack(const Task& task) {
  Packer out;
  out.text(task.path);
  out.number<std::uint64_t>(task.files.size());
  for (const std::string& file : task.files) out.text(file);
  out.number<std::uint8_t>(static_cast<std::uint8_t>(task.options.ocr));
  out.text(task.options.ocr_languages);
  out.number(task.options.ocr_dpi);
  out.text(task.options.encoding);
  out.number<std::uint64_t>(task.options.passwords.size());
  for (const std::string& password : task.options.passwords) out.text(password);
  out.number(task.first_page);
  out.number(task.page_count);
  out.number(task.dpi);
  out.number<std::uint8_t>(task.grey);
  out.number(task.place);
  return out.take();
}

Task unpack_task(std::string_view bytes) {
  Unpacker in(bytes);
  Task task;
  task.path = in.text();
  task.files.resize(in.count(sizeof(std::uint64_t)));
  for (std::string& file : task.files) file = in.text();
  const auto mode = in.number<std::uint8_t>();
  if (mode > static_cast<std::uint8_t>(OcrMode::later)) Unpacker::fail("an unknown kind");
  task.options.ocr = static_cast<OcrMode>(mode);
  task.options.ocr_languages = in.text();
  task.options.ocr_dpi = in.number<double>();
  task.options.encoding = in.text();
  // count() refuses a number whose items could not fit into the rest of the message.
  task.options.passwords.resize(in.count(sizeof(std::uint64_t)));
  for (std::string& password : task.options.passwords) password = in.text();
  task.first_page = in.number<int>();
  task.page_count = in.number<int>();
  task.dpi = in.number<double>();
  task.grey = in.flag();
  task.place = in.number<int>();
  if (task.place < 0 || task.place >= kPicturePlaces) Unpacker::fail("an unknown place");
  in.finish();
  return task;
}

std::string pack(const DocumentInfo& info) {
  Packer out;
  out.text(info.format);
  out.text(info.title);
  out.number(info.page_count);
  out.number<std::uint8_t>(info.reflowable);
  out.number<std::uint64_t>(info.outline.size());
  for (const OutlineEntry& entry : info.outline) {
    out.number(entry.level);
    out.text(entry.title);
    out.number(entry.page);
  }
  out.number(info.picture_width);
  out.number(info.picture_height);
  return out.take();
}

DocumentInfo unpack_info(std::string_view bytes) {
  Unpacker in(bytes);
  DocumentInfo info;
  info.format = in.text();
  info.title = in.text();
  info.page_count = in.number<int>();
  if (info.page_count < 0) Unpacker::fail("a negative number of pages");
  info.reflowable = in.flag();
  // An entry takes at least 16 bytes; the sizes below are the smallest of a word, a line and an
  // element.
  info.outline.resize(in.count(16));
  int above = 0;
  for (OutlineEntry& entry : info.outline) {
    entry.level = in.number<int>();
    // An entry may be at most one level below the entry before it.
    if (entry.level < 1 || entry.level > above + 1) Unpacker::fail("an outline with gaps");
    above = entry.level;
    entry.title = in.text();
    entry.page = in.number<int>();
  }
  info.picture_width = in.number<int>();
  info.picture_height = in.number<int>();
  if (info.picture_width < 0 || info.picture_height < 0) Unpacker::fail("a negative size");
  in.finish();
  return info;
}

std::string pack(const Page& page) {
  Packer out;
  out.number(page.number);
  out.text(page.label);
  out.number(page.width_pt);
  out.number(page.height_pt);
  out.number(page.rotation);
  out.number(page.source);
  out.text(page.problem);
  out.number<std::uint8_t>(page.waits);
  out.text(page.hidden);
  out.number<std::uint64_t>(page.words.size());
  for (const Word& word : page.words) put(out, word);
  out.number<std::uint64_t>(page.lines.size());
  for (const Line& line : page.lines) put(out, line);
  out.number<std::uint64_t>(page.elements.size());
  for (const Element& element : page.elements) put(out, element);
  return out.take();
}

Page unpack_page(std::string_view bytes) {
  Unpacker in(bytes);
  Page page;
  page.number = in.number<int>();
  page.label = in.text();
  page.width_pt = in.number<float>();
  page.height_pt = in.number<float>();
  page.rotation = in.number<int>();
  page.source = in.one_of(TextSource::ocr);
  page.problem = in.text();
  page.waits = in.flag();
  page.hidden = in.text();
  // A word, a line and an element take at least 34, 24 and 46 bytes.
  page.words.resize(in.count(34));
  for (Word& word : page.words) word = take_word(in);
  page.lines.resize(in.count(24));
  for (Line& line : page.lines) line = take_line(in, page.words.size());
  page.elements.resize(in.count(46));
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    page.elements[i] = take_element(in, page, i);
  }
  in.finish();
  return page;
}

std::string pack(const PictureSize& size) {
  Packer out;
  out.number(size.width);
  out.number(size.height);
  out.number(size.channels);
  return out.take();
}

PictureSize unpack_picture_size(std::string_view bytes) {
  Unpacker in(bytes);
  PictureSize size;
  size.width = in.number<int>();
  size.height = in.number<int>();
  size.channels = in.number<int>();
  in.finish();
  // The program maps shared memory of this size, so a worker must not be able to ask for more than
  // the largest picture. Dividing avoids an overflow of the product.
  const bool possible = size.width > 0 && size.height > 0 && size.channels >= 1 &&
                        size.channels <= 4 &&
                        static_cast<std::uint64_t>(size.width) <=
                            kMaxPictureBytes / static_cast<std::uint64_t>(size.height);
  if (!possible || size.bytes() > kMaxPictureBytes) Unpacker::fail("an impossible picture");
  return size;
}

std::string pack(const Error& error) {
  Packer out;
  out.text(code_name(error.code()));
  out.text(error.what());
  return out.take();
}

Error unpack_error(std::string_view bytes) {
  Unpacker in(bytes);
  const std::string name = in.text();
  const std::string message = in.text();
  in.finish();
  return Error(code_from_name(name), message);
}

std::string pack(const Isolation& isolation) {
  Packer out;
  for (const bool fact : {isolation.time_limited, isolation.memory_limited, isolation.no_network,
                          isolation.no_writing, isolation.no_programs, isolation.no_reading}) {
    out.number<std::uint8_t>(fact);
  }
  out.text(isolation.unfiltered);
  return out.take();
}

Isolation unpack_isolation(std::string_view bytes) {
  Unpacker in(bytes);
  Isolation isolation;
  for (bool* fact : {&isolation.time_limited, &isolation.memory_limited, &isolation.no_network,
                     &isolation.no_writing, &isolation.no_programs, &isolation.no_reading}) {
    *fact = in.flag();
  }
  isolation.unfiltered = in.text();
  in.finish();
  return isolation;
}

Page with_text_only(Page draft, ErrorCode code, std::string_view why) {
  draft.problem = format(
      "{}: {}; the words of its text layer are kept, but words that only its picture shows are not "
      "read",
      code_name(code), why);
  return draft;
}

}  // namespace fineprint::documents
