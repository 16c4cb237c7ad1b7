// Writes numbers by one section of a number format. Source: ECMA-376, part 1, 18.8.31.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "fineprint/core/format.h"

#include "markup/office/cell_format.h"

namespace fineprint::markup {
namespace {

using Kind = FormatToken::Kind;

// Rounds halves up as spreadsheets do, also those that binary fractions just miss.
std::string rounded_half_up(double value, std::size_t decimals) {
  return format("{:.{}f}", value * (1 + 1e-15), decimals);
}

// Shows one number that is not negative by one section.
class NumberWriter {
 public:
  NumberWriter(const std::vector<FormatToken>& tokens, double value)
      : tokens_(tokens), value_(value) {
    std::size_t last_digit = 0;
    bool any = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Kind kind = tokens_[i].kind;
      if (kind == Kind::percent) value_ *= 100;
      if (kind == Kind::point && point_ == kNone) point_ = i;
      if (kind == Kind::exponent && exponent_ == kNone) exponent_ = i;
      if (kind == Kind::slash && any && slash_ == kNone) slash_ = i;
      if (kind == Kind::digit && point_ == kNone && exponent_ == kNone) {
        any = true;
        last_digit = i;
      }
    }
    for (std::size_t i = 0; any && i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::comma) continue;
      if (i < last_digit) {
        groups_ = true;
      } else if (i < point_ || digits_in(i, exponent_) == 0) {
        value_ /= 1000;
      }
    }
  }

  std::string shown() {
    if (slash_ != kNone) return shown_fraction();
    if (exponent_ != kNone) find_power();
    split();
    std::string out;
    for (std::size_t i = 0; i < tokens_.size(); ++i) out += shown_token(i);
    return out;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Returns the number of digits in the tokens [first, end).
  std::size_t digits_in(std::size_t first, std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t i = first; i < std::min(end, tokens_.size()); ++i) {
      count += tokens_[i].kind == Kind::digit ? 1 : 0;
    }
    return count;
  }

  std::size_t whole_end() const { return std::min({point_, exponent_, tokens_.size()}); }

  // Sets the power of ten, a multiple of the number of digits before the point.
  void find_power() {
    if (value_ == 0) return;
    const auto step = static_cast<int>(std::max<std::size_t>(1, digits_in(0, whole_end())));
    power_ = static_cast<int>(std::floor(std::log10(value_)));
    power_ -= ((power_ % step) + step) % step;
    const std::size_t decimals = point_ == kNone ? 0 : digits_in(point_, exponent_);
    if (std::stod(rounded_half_up(value_ / std::pow(10, power_), decimals)) >= std::pow(10, step)) {
      power_ += step;
    }
    value_ /= std::pow(10, power_);
  }

  // Splits the value into digits before and after the point, as many as the section shows.
  void split() {
    const std::size_t decimals = point_ == kNone ? 0 : digits_in(point_, exponent_);
    const std::string digits = rounded_half_up(value_, decimals);
    const std::size_t point = digits.find('.');
    whole_ = digits.substr(0, point);
    if (point != std::string::npos) decimals_ = digits.substr(point + 1);
    if (whole_ == "0") whole_.clear();
    whole_left_ = digits_in(0, whole_end());
  }

  std::string shown_token(std::size_t i) {
    const FormatToken& token = tokens_[i];
    switch (token.kind) {
      case Kind::digit:
        if (i < whole_end()) return whole_digits(token.text[0]);
        return exponent_ != kNone && i > exponent_ ? power_digits(i) : decimal_digit(i);
      case Kind::point:
        return i == point_ && !shows_decimals() && exponent_ == kNone ? "" : ".";
      case Kind::comma:
        return "";
      case Kind::percent:
        return "%";
      case Kind::exponent:
        return power_ < 0 ? "E-" : token.text == "+" ? "E+" : "E";
      case Kind::general:
        return fifteen_digits(value_);
      default:
        return token.text;
    }
  }

  // Returns the digits at one place before the point. The first place has all that are left.
  std::string whole_digits(char place) {
    const std::size_t left = whole_left_--;
    const bool is_first = !std::exchange(began_, true);
    std::string out;
    const std::size_t count = whole_.size();
    if (is_first) {
      for (std::size_t i = 0; i + left <= count; ++i) out += grouped(whole_[i], count - i);
    } else if (left <= count) {
      out += grouped(whole_[count - left], left);
    }
    if (out.empty() && place == '0') out = grouped('0', left);
    return out;
  }

  // Adds a comma after a digit with a multiple of three digits to its right.
  std::string grouped(char digit, std::size_t from_right) const {
    const bool comma = groups_ && from_right > 1 && from_right % 3 == 1;
    return std::string(1, digit) + (comma ? "," : "");
  }

  bool shows_decimals() const {
    for (std::size_t i = point_ + 1, at = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::digit) continue;
      if (tokens_[i].text == "0" || decimals_.find_first_not_of('0', at) != std::string::npos) {
        return true;
      }
      ++at;
    }
    return point_ + 1 == tokens_.size();
  }

  // Returns a digit after the point. A zero that no other digit follows is shown only for "0".
  std::string decimal_digit(std::size_t i) {
    const std::size_t at = decimal_++;
    if (at >= decimals_.size()) return "";
    const bool needed = decimals_.find_first_not_of('0', at) != std::string::npos;
    bool kept = tokens_[i].text == "0";
    for (std::size_t next = i + 1; next < tokens_.size(); ++next) {
      kept = kept || tokens_[next].text == "0";
    }
    return needed || kept ? decimals_.substr(at, 1) : "";
  }

  std::string power_digits(std::size_t i) {
    if (std::exchange(power_shown_, true)) return "";
    return format("{:0{}}", std::abs(power_), digits_in(i, tokens_.size()));
  }

  // Shows "1 3/4". The denominator is given, or has at most as many digits as its places.
  std::string shown_fraction() {
    std::string fixed;
    std::size_t places = 0, next = slash_ + 1;
    for (; next < tokens_.size(); ++next) {
      const std::string& text = tokens_[next].text;
      const bool is_literal_digit =
          text.size() == 1 && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
      if (tokens_[next].kind != Kind::digit && !is_literal_digit) break;
      fixed += text;
      ++places;
    }
    const bool is_fixed =
        std::ranges::all_of(fixed, [](unsigned char c) { return std::isdigit(c) != 0; }) &&
        fixed.find_first_not_of('0') != std::string::npos;
    const bool has_whole =
        digits_in(0, slash_) > 1 &&
        std::ranges::any_of(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(slash_),
                            [](const FormatToken& one) { return one.text == " "; });
    double whole = has_whole ? std::floor(value_) : 0;
    const double rest = value_ - whole;
    const int most = static_cast<int>(std::pow(10, std::min<std::size_t>(places, 4))) - 1;
    int best = is_fixed ? std::stoi(fixed.substr(0, 6)) : 1;
    for (int below = 1; !is_fixed && below <= most; ++below) {
      if (error_of(rest, below) < error_of(rest, best) - 1e-12) best = below;
    }
    auto above = static_cast<std::int64_t>(std::llround(rest * best));
    if (has_whole && above == best) {
      whole += 1;
      above = 0;
    }
    std::string out;
    if (has_whole && (whole > 0 || above == 0)) out = format("{:.0f}", whole);
    if (above > 0 || !has_whole) {
      out += (out.empty() ? "" : " ") + format("{}/{}", above, best);
    }
    for (; next < tokens_.size(); ++next) out += tokens_[next].text;
    return out;
  }

  static double error_of(double value, int below) {
    return std::abs(value - std::round(value * below) / below);
  }

  const std::vector<FormatToken>& tokens_;
  double value_;
  std::size_t point_ = kNone, exponent_ = kNone, slash_ = kNone;
  bool groups_ = false;
  int power_ = 0;
  bool power_shown_ = false, began_ = false;
  std::string whole_, decimals_;
  std::size_t whole_left_ = 0, decimal_ = 0;
};

}  // namespace

// Keeps 15 digits, as spreadsheets do, because sums of binary fractions have further digits that
// nobody wrote.
std::string fifteen_digits(double value) { return format("{:.15g}", value); }

std::string written_number(double value, const std::vector<FormatToken>& section) {
  return NumberWriter(section, value).shown();
}

}  // namespace fineprint::markup
