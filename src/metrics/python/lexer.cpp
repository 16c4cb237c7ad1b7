// Splits an expression into numbers, strings, names and marks.
#include "metrics/python/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/core/unicode.h"

#include "metrics/python/numbers.h"

namespace fineprint::metrics::python {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Exception("SyntaxError", why); }

bool is_name_start(char32_t c) { return c == '_' || is_letter(c); }
bool is_name_part(char32_t c) { return is_name_start(c) || is_digit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (skip_blanks()) {
      if (tokens_.size() >= kMostTokens) {
        throw Exception("MemoryError", format("more than {} tokens", kMostTokens));
      }
      take_token();
    }
    tokens_.emplace_back();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool is_digit_ahead(std::size_t ahead = 0) const { return digit_value(peek(ahead)) >= 0; }

  // Skips blanks, comments, and line ends inside brackets. Returns false at the end of the source.
  bool skip_blanks() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '#') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (c == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (c == ' ' || c == '\t' || c == '\f') {
        ++at_;
      } else if (c == '\n' || c == '\r') {
        // Outside brackets, a line end after the first token ends the expression.
        line_ended_ = line_ended_ || (depth_ == 0 && !tokens_.empty());
        ++at_;
      } else {
        break;
      }
    }
    // Only a further token makes it an error: trailing empty lines are allowed.
    if (at_ < source_.size() && line_ended_) refuse("a second line");
    return at_ < source_.size();
  }

  // The first character decides the kind of token.
  void take_token() {
    std::size_t next = at_;
    const char32_t c = next_code_point(source_, &next);
    if (is_digit_ahead() || (c == '.' && is_digit_ahead(1))) return take_number();
    if (c == '\'' || c == '"') return take_string(/*raw=*/false);
    if (is_name_start(c)) return take_name();
    take_mark();
  }

  void take_name() {
    const std::size_t begin = at_;
    while (at_ < source_.size()) {
      std::size_t next = at_;
      if (!is_name_part(next_code_point(source_, &next))) break;
      at_ = next;
    }
    const std::string name(source_.substr(begin, at_ - begin));
    if (peek() == '\'' || peek() == '"') {
      // A name directly before a quote is a prefix of the string.
      const std::string prefix = lower_case(name);
      if (prefix == "r" || prefix == "u") return take_string(prefix == "r");
      if (prefix == "b" || prefix == "f" || prefix == "br" || prefix == "rb" || prefix == "fr" ||
          prefix == "rf") {
        refuse("a string of bytes or a formatted string");
      }
    }
    tokens_.push_back({Token::Kind::name, name, {}});
  }

  // Takes an operator or a bracket.
  void take_mark() {
    // Longer marks come before their prefixes.
    constexpr std::array<std::string_view, 36> kMarks = {
        "...", "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "==", "!=", "<=",
        ">=",  "->",  ":=",  "+",   "-",   "*",  "/",  "%",  "&",  "|",  "^",  "~",
        "<",   ">",   "(",   ")",   "[",   "]",  "{",  "}",  ",",  ":",  ".",  "=",
    };
    const auto mark = std::ranges::find_if(
        kMarks, [&](std::string_view m) { return source_.substr(at_).starts_with(m); });
    if (mark == kMarks.end()) {
      std::size_t next = at_;
      next_code_point(source_, &next);
      refuse(format("invalid character {}", source_.substr(at_, next - at_)));
    }
    at_ += mark->size();
    if (*mark == "(" || *mark == "[" || *mark == "{") ++depth_;
    if (*mark == ")" || *mark == "]" || *mark == "}") --depth_;
    tokens_.push_back({Token::Kind::mark, std::string(*mark), {}});
  }

  // Takes the digits that `is_one` accepts, with single underscores between them.
  template <class IsDigit>
  std::string take_digits(const IsDigit& is_one) {
    std::string digits;
    while (is_one(peek()) || (peek() == '_' && is_one(peek(1)) && !digits.empty())) {
      if (peek() != '_') digits += peek();
      ++at_;
    }
    return digits;
  }
  std::string take_decimals() {
    return take_digits([](char c) { return c >= '0' && c <= '9'; });
  }

  // Reads digits after 0x, 0o and 0b; nullopt if the number has no such prefix.
  std::optional<Value> number_of_base() {
    const char mark = static_cast<char>(peek(1) | 0x20);
    const int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
    if (peek() != '0' || base == 0) return std::nullopt;
    at_ += 2;
    if (peek() == '_') ++at_;
    const auto value_of = [](char c) {
      const char low = static_cast<char>(c | 0x20);
      return c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : 99;
    };
    const std::string digits = take_digits([&](char c) { return value_of(c) < base; });
    if (digits.empty()) refuse("a number without digits");
    Value value;
    value.kind = Value::Kind::integer;
    for (const char c : digits) {
      // Only decimal digits are kept as text; other bases would have to be converted.
      if (!multiply(value.integer, base, &value.integer) ||
          __builtin_add_overflow(value.integer, value_of(c), &value.integer) ||
          has_too_many_digits(value.integer)) {
        throw Exception("OverflowError", "an integer of over 38 digits in another base");
      }
    }
    return value;
  }

  // Python refuses leading zeros except in 0, 00, ...
  static Value integer_of(const std::string& digits) {
    if (digits.size() > 1 && digits.front() == '0' &&
        digits.find_first_not_of('0') != std::string::npos) {
      refuse("leading zeros in a number");
    }
    constexpr std::size_t kMostDigits = 38;
    Value value;
    value.kind = Value::Kind::integer;
    // Longer integers keep their digits only: they can be compared and written, but not computed
    // with.
    if (digits.size() > kMostDigits && digits.front() != '0') {
      value.text = digits;
      return value;
    }
    for (const char c : digits) value.integer = value.integer * 10 + (c - '0');
    return value;
  }

  // Reads a number in base 10: an integer, or a float if it has a point or an exponent.
  Value decimal_number() {
    std::string digits = take_decimals();
    bool real = false;
    if (peek() == '.') {
      ++at_;
      real = true;
      digits += '.' + take_decimals();
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    // Without digits after it, the letter is not an exponent.
    if ((peek() == 'e' || peek() == 'E') && is_digit_ahead(1 + sign)) {
      digits += 'e';
      if (sign == 1) digits += peek(1);
      at_ += 1 + sign;
      real = true;
      digits += take_decimals();
    }
    if (!real) return integer_of(digits);
    Value value;
    value.kind = Value::Kind::real;
    value.real = parse_float(digits).value_or(0);
    return value;
  }

  void take_number() {
    std::optional<Value> value = number_of_base();
    if (!value) value = decimal_number();
    // Only some words may follow a number without a blank: "1if 2 else 3".
    std::size_t end = at_;
    while (end < source_.size()) {
      std::size_t next = end;
      if (!is_name_part(next_code_point(source_, &next))) break;
      end = next;
    }
    const std::string_view suffix = source_.substr(at_, end - at_);
    constexpr std::array<std::string_view, 8> kAllowed = {"and", "else", "for", "if",
                                                          "in",  "is",   "or",  "not"};
    const bool allowed = std::ranges::any_of(
        kAllowed, [&](std::string_view word) { return suffix.starts_with(word); });
    if (!suffix.empty() && !allowed) refuse("letters after a number");
    tokens_.push_back({Token::Kind::literal, "", std::move(*value)});
  }

  // Reads a string, also with triple quotes. `raw` keeps backslashes.
  void take_string(bool raw) {
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    const std::string closing(triple ? 3 : 1, quote);
    at_ += closing.size();
    std::string text;
    while (!source_.substr(at_).starts_with(closing)) {
      if (at_ >= source_.size() || (!triple && peek() == '\n'))
        refuse("a string that does not end");
      if (peek() == '\\') {
        take_escape(raw, &text);
      } else {
        text += source_[at_++];
      }
    }
    at_ += closing.size();
    tokens_.push_back({Token::Kind::literal, "", text_value(text)});
  }

  // Reads one backslash escape.
  void take_escape(bool raw, std::string* text) {
    if (at_ + 1 >= source_.size()) refuse("a string that does not end");
    const char c = peek(1);
    if (raw) {
      text->append({'\\', c});
      at_ += 2;
      return;
    }
    constexpr std::string_view kNames = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    at_ += 2;
    // A backslash at the end of a line joins the lines.
    if (c == '\n') return;
    if (const std::size_t i = kNames.find(c); i != std::string_view::npos) {
      *text += kMeanings[i];
    } else if (c >= '0' && c <= '7') {
      --at_;
      append_utf8(code_of_digits(1, 3, 8), text);
    } else if (c == 'x') {
      append_utf8(code_of_digits(2, 2, 16), text);
    } else if (c == 'u') {
      append_utf8(code_of_digits(4, 4, 16), text);
    } else if (c == 'U') {
      append_utf8(code_of_digits(8, 8, 16), text);
    } else if (c == 'N') {
      refuse("a character by its name");
    } else {
      text->append({'\\', c});  // an escape without a meaning stays as it is
    }
  }

  // Returns a code point from its number. Half of a surrogate pair, which UTF-8 cannot encode,
  // becomes U+FFFD.
  char32_t code_of_digits(std::size_t least, std::size_t most, int base) {
    std::size_t size = 0;
    std::uint32_t code = 0;
    const char* begin = source_.data() + at_;
    const char* end = begin + std::min(most, source_.size() - at_);
    const auto result = std::from_chars(begin, end, code, base);
    size = static_cast<std::size_t>(result.ptr - begin);
    if (size < least || code > 0x10FFFF) refuse("an escape that is no character");
    at_ += size;
    return code >= 0xD800 && code <= 0xDFFF ? U'\xFFFD' : static_cast<char32_t>(code);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool line_ended_ = false;
  std::vector<Token> tokens_ = {};
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 35> kKeywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

}  // namespace fineprint::metrics::python
