// Translates regular expressions from Oniguruma's (Ruby's) syntax to PCRE2's where they differ.
#include <algorithm>
#include <cctype>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "tokenizer/token_pattern.h"
#include "tokenizer/tokenizer_json.h"

namespace fineprint::tokenizer {
namespace {

// What \w matches in Oniguruma on Unicode text; PCRE2's \w has fewer characters.
constexpr std::string_view kWordClass = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";

class Translator {
 public:
  explicit Translator(const std::string& source) : source_(source) {}

  std::string translate() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\\') {
        escape();
      } else if (c == '[') {
        open_set();
      } else if (c == ']' && in_set_) {
        in_set_ = false;
        copy(1);
      } else if (in_set_ && source_.compare(at_, 2, "&&") == 0) {
        refuse("intersection of sets");
      } else if (!in_set_ && source_.compare(at_, 2, "(?") == 0) {
        group();
      } else {
        copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(ErrorCode::model,
                fineprint::format(
                    "the regular expression {} contains {} at byte {}, which is not supported",
                    in_quotes(source_), what, at_));
  }

  void copy(std::size_t count) {
    out_.append(source_, at_, count);
    at_ = std::min(at_ + count, source_.size());
  }

  void replace(std::size_t count, std::string_view replacement) {
    out_.append(replacement);
    at_ += count;
  }

  void open_set() {
    // PCRE2 reads "[" inside a set as itself, Oniguruma as the start of a nested set.
    if (in_set_) {
      if (source_.compare(at_, 2, "[:") != 0) refuse("a set within a set");
      const std::size_t end = source_.find(":]", at_);
      if (end == std::string::npos) refuse("an open set");
      return copy(end + 2 - at_);
    }
    in_set_ = true;
    copy(1);
    if (at_ < source_.size() && source_[at_] == '^') copy(1);
    // An unescaped "]" in this place is a literal in both, but PCRE2 needs the escape to be safe.
    if (at_ < source_.size() && source_[at_] == ']') replace(1, "\\]");
  }

  // In Oniguruma, "(?m" means that a dot matches line ends too, which is "(?s" in PCRE2.
  void group() {
    std::size_t end = at_ + 2;
    while (end < source_.size() && std::string_view("imx-").find(source_[end]) != std::string::npos)
      ++end;
    const bool has_flags =
        end > at_ + 2 && end < source_.size() && (source_[end] == ':' || source_[end] == ')');
    if (!has_flags) return copy(2);
    std::string flags = source_.substr(at_, end - at_);
    std::replace(flags.begin(), flags.end(), 'm', 's');
    replace(flags.size(), flags);
  }

  // Replaces escapes whose meaning differs, and refuses unknown ones: a wrong guess would change
  // ids.
  void escape() {
    if (at_ + 1 >= source_.size()) refuse("a backslash at the end");
    switch (source_[at_ + 1]) {
      case 's':
        return replace(2, R"(\p{White_Space})");
      case 'S':
        return replace(2, R"(\P{White_Space})");
      case 'w':
        return replace(2, in_set_ ? std::string(kWordClass) : "[" + std::string(kWordClass) + "]");
      case 'W':
        if (in_set_) refuse("\\W in a set");
        return replace(2, "[^" + std::string(kWordClass) + "]");
      case 'h':
        return replace(2, in_set_ ? "0-9a-fA-F" : "[0-9a-fA-F]");
      case 'b':
      case 'B':
        return boundary(source_[at_ + 1] == 'b');
      case 'u':
        return code_point();
      case 'x':
        return hex_code_point();
      default:
        return plain_escape();
    }
  }

  // Replaces \b (or \B) by a condition with Oniguruma's idea of a word.
  void boundary(bool is_wanted) {
    if (in_set_) return copy(2);  // a backspace
    const std::string word = "[" + std::string(kWordClass) + "]";
    const std::string starts = "(?<!" + word + ")(?=" + word + ")";
    const std::string ends = "(?<=" + word + ")(?!" + word + ")";
    replace(2, (is_wanted ? "(?:" : "(?!") + starts + "|" + ends + ")");
  }

  void code_point() {
    const std::string digits = source_.substr(at_ + 2, 4);
    const bool is_hex = digits.size() == 4 && std::all_of(digits.begin(), digits.end(), [](char c) {
                          return std::isxdigit(static_cast<unsigned char>(c)) != 0;
                        });
    if (!is_hex) refuse("a \\u without four digits");
    replace(6, "\\x{" + digits + "}");
  }

  // Two hexadecimal digits mean a byte in Oniguruma and a character in PCRE2. Below 0x80 that is
  // the same.
  void hex_code_point() {
    if (source_.compare(at_ + 2, 1, "{") == 0) return copy(3);
    if (at_ + 2 < source_.size() && source_[at_ + 2] >= '0' && source_[at_ + 2] <= '7') {
      return copy(3);
    }
    refuse("a byte escape");
  }

  void plain_escape() {
    const char c = source_[at_ + 1];
    const auto byte = static_cast<unsigned char>(c);
    const bool is_known =
        std::string_view("dDpPnrtfvazZAGkK0123456789").find(c) != std::string_view::npos ||
        (byte < 0x80 && std::isalnum(byte) == 0);
    if (!is_known) refuse(std::string("\\") + c);
    if (c == 'v') return replace(2, "\\x0b");  // one character in Oniguruma, any line end in PCRE2
    if (c == 'Z' || c == 'z' || c == 'A' || c == 'G' || c == 'k' || c == 'K') {
      if (in_set_) refuse(std::string("\\") + c + " in a set");
    }
    copy(2);
  }

  const std::string& source_;
  std::string out_;
  std::size_t at_ = 0;
  bool in_set_ = false;
};

}  // namespace

std::string pcre_from_oniguruma(const std::string& expression) {
  return Translator(expression).translate();
}

}  // namespace fineprint::tokenizer
