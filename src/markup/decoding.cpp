// Converts text from other encodings with GLib.
#include "markup/decoding.h"

#include <memory>
#include <optional>
#include <string_view>

#include <glib.h>

#include "fineprint/core/unicode.h"

namespace fineprint::markup {
namespace {

// Returns the bytes as UTF-8, or nullopt if GLib does not know the encoding. Characters that cannot
// be converted become '?'.
std::optional<std::string> converted(std::string_view bytes, const char* encoding) {
  gsize size = 0;
  GError* failure = nullptr;
  const std::unique_ptr<char, void (*)(void*)> text(
      g_convert_with_fallback(bytes.data(), static_cast<gssize>(bytes.size()), "UTF-8", encoding,
                              "?", nullptr, &size, &failure),
      g_free);
  if (text == nullptr) {
    g_error_free(failure);
    return std::nullopt;
  }
  return std::string(text.get(), size);
}

// Turns "\r
// " and a single '\r' into '
// '.
std::string with_plain_line_ends(const std::string& text) {
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

bool is_utf8(std::string_view bytes) {
  return g_utf8_validate_len(bytes.data(), bytes.size(), nullptr) != 0;
}

}  // namespace

std::string decoded(const std::string& bytes) {
  using namespace std::string_view_literals;
  const std::string_view all = bytes;
  std::optional<std::string> text;
  if (all.starts_with("\xef\xbb\xbf"sv)) {
    text = valid_utf8(all.substr(3));
  } else if (all.starts_with("\xff\xfe"sv)) {
    text = converted(all.substr(2), "UTF-16LE");
  } else if (all.starts_with("\xfe\xff"sv)) {
    text = converted(all.substr(2), "UTF-16BE");
  } else if (!is_utf8(all)) {
    // The most common encoding of old Western text files.
    text = converted(all, "WINDOWS-1252");
  }
  return with_plain_line_ends(text ? *text : valid_utf8(all));
}

std::string decoded_from(const std::string& bytes, const std::string& encoding) {
  const std::optional<std::string> text = converted(bytes, encoding.c_str());
  return text ? with_plain_line_ends(*text) : decoded(bytes);
}

}  // namespace fineprint::markup
