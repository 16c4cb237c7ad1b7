// Ranges of Unicode.
#include "pdf/character_kinds.h"

#include <string>

#include <mupdf/fitz.h>

namespace fineprint::pdf {
namespace {

bool is_control(int c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

}  // namespace

bool is_blank(int c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200B) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0xFEFF;
}

bool is_private_use(int c) {
  return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && c <= 0x10FFFD);
}

bool is_right_to_left(int c) {
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFC);
}

bool is_arabic_letter(int c) {
  return (c >= 0x620 && c <= 0x64A) || c == 0x66E || c == 0x66F || (c >= 0x671 && c <= 0x6D3);
}

bool has_leftward_letter(std::string_view text) {
  const std::string whole(text);
  const char* at = whole.c_str();
  while (*at != '\0') {
    int c = 0;
    at += fz_chartorune(&c, at);
    if (is_right_to_left(c)) return true;
  }
  return false;
}

bool is_any_digit(int c) {
  return (c >= '0' && c <= '9') || (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9);
}

bool is_in_number(int c) {
  return is_any_digit(c) || c == 0x66B || c == 0x66C || c == '.' || c == ',' || c == '/';
}

bool is_wide_stop(int c) { return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0xFF1B; }

bool is_wide_closer(int c) {
  return is_wide_stop(c) || c == 0x201D || c == 0x2019 || c == 0x300D || c == 0x300F ||
         c == 0xFF09 || c == 0x300B || c == 0x3011 || c == '"' || c == ')';
}

bool is_closing_mark(int c) {
  return c == '.' || c == ',' || c == ';' || c == ':' || c == '!' || c == '?' || c == 0x60C ||
         c == 0x61B || c == 0x61F;
}

int visible_character(int c) {
  if (c == 0xAD) return '-';       // a soft hyphen that was drawn
  if (c == 0xF0B7) return 0x2022;  // Symbol's bullet
  if (c == 0xF0A7) return 0x25AA;  // Wingdings' square bullet
  if (is_control(c) || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return kReplacement;
  return c;
}

}  // namespace fineprint::pdf
