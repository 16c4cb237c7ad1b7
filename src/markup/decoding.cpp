// Decodes text files, and refuses those in unknown encodings.
#include "markup/decoding.h"

#include <algorithm>
#include <optional>

#include "fineprint/core/encoding.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/markup/markup.h"

namespace fineprint::markup {
namespace {

bool is_marked_up(const FileFormat& format) {
  return format.kind() == "html" || format.kind() == "fb2";
}

std::string need_text(const std::string& name, std::string_view bytes, std::string_view declared) {
  std::optional<std::string> text = decode_text(bytes, declared);
  if (text) return *std::move(text);
  throw Error(
      ErrorCode::unsupported,
      format("{}: the encoding of its text is not known; name it by --encoding, or save the file "
             "as UTF-8 (in an editor, or with iconv)",
             name));
}

std::string declared_in(const FileFormat& format, std::string_view bytes) {
  return is_marked_up(format) ? declared_encoding(bytes) : "";
}

}  // namespace

std::string read_text(const std::string& path, const std::string& encoding) {
  std::string bytes = read_file(path);
  const FileFormat* format = format_of_name(path);
  if (encoding.empty() || format == nullptr || !format->is_encoded_text()) return bytes;
  if (decode_certain(bytes, declared_in(*format, bytes))) return bytes;
  return decode_as(bytes, encoding).value_or(std::move(bytes));
}

std::string with_plain_line_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

std::string decoded(const std::string& name, std::string_view bytes, std::string_view declared) {
  return with_plain_line_ends(need_text(name, bytes, declared));
}

std::optional<std::string> text_in_utf8(const std::string& path, const std::string& encoding) {
  const FileFormat* format = format_of_name(path);
  const bool is_of_mupdf = format != nullptr && format->reader == FormatReader::mupdf;
  if (!is_of_mupdf || !format->is_encoded_text()) return std::nullopt;
  const std::string bytes = read_file(path);
  const std::string known = read_text(path, encoding);
  std::string text = need_text(path, known, declared_in(*format, known));
  if (is_marked_up(*format)) text = declared_as_utf8(std::move(text));
  // MuPDF takes a text for Latin-1 if its last character has several bytes.
  if (!text.empty() && (text.back() & 0x80) != 0) text += '\n';
  return text == bytes ? std::nullopt : std::optional(std::move(text));
}

}  // namespace fineprint::markup
