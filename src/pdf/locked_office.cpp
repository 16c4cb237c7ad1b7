// Finds the marks of encryption at places where a stream may begin in a compound file.
#include "pdf/locked_office.h"

#include <cstdio>
#include <memory>
#include <string_view>

#include "fineprint/core/given_files.h"

namespace fineprint::pdf {
namespace {

using namespace std::string_view_literals;

// The first bytes of every compound file.
constexpr std::string_view kContainer = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv;
// Source: [MS-CFB] 2.1 to 2.6. Streams begin at multiples of 512 bytes; short streams and directory
// entries at multiples of 64.
constexpr std::size_t kStep = 64;

// Returns the 16-bit little-endian number at `at`.
unsigned number(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return byte(at) | static_cast<unsigned>(byte(at + 1)) << 8;
}

// Source: [MS-OFFCRYPTO] 1.3. A locked DOCX, PPTX or XLSX is a stream with this name.
bool names_a_locked_package(std::string_view block) {
  return block.starts_with("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0\0\0"sv);
}

// Source: [MS-DOC] 2.5.2, FibBase: wIdent, nFib (193 since Word 97), and bit 8 of the flags, which
// means encrypted.
bool is_a_locked_text(std::string_view block) {
  const unsigned version = number(block, 2);
  return block.starts_with("\xec\xa5"sv) && version >= 0xC0 && version <= 0x112 &&
         (number(block, 10) & 0x100) != 0;
}

// Source: [MS-XLS] 2.4.21, 2.4.117, 2.4.353. The record FilePass follows BOF, or WriteProtect if
// there is one.
bool is_a_locked_sheet(std::string_view block) {
  constexpr unsigned kBof = 0x809, kFilePass = 0x2F, kWriteProtect = 0x86;
  constexpr std::size_t kRecordHead = 4;
  if (number(block, 0) != kBof) return false;
  std::size_t next = kRecordHead + number(block, 2);
  if (next + 2 * kRecordHead <= block.size() && number(block, next) == kWriteProtect) {
    next += kRecordHead + number(block, next + 2);
  }
  return next + kRecordHead <= block.size() && number(block, next) == kFilePass;
}

// Source: [MS-PPT] 2.3.2, CurrentUserAtom: its type, and a token that says whether it is encrypted.
bool is_a_locked_presentation(std::string_view block) {
  return block.starts_with("\0\0\xf6\x0f"sv) && block.substr(12, 4) == "\xdf\xc4\xd1\xf3"sv;
}

bool shows_a_lock(std::string_view block) {
  return names_a_locked_package(block) || is_a_locked_text(block) || is_a_locked_sheet(block) ||
         is_a_locked_presentation(block);
}

}  // namespace

bool is_locked_office_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(open_to_read(path), "rb"),
                                                             std::fclose);
  if (file == nullptr) return false;
  // Reads a mebibyte at a time, a multiple of kStep, so that no block crosses two reads.
  std::string buffer(std::size_t{1} << 20, '\0');
  bool at_begin = true;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    const std::string_view read(buffer.data(), got);
    if (at_begin && !read.starts_with(kContainer)) return false;
    at_begin = false;
    for (std::size_t at = 0; at + kStep <= read.size(); at += kStep) {
      if (shows_a_lock(read.substr(at, kStep))) return true;
    }
  }
  return false;
}

}  // namespace fineprint::pdf
