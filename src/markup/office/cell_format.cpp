// Shows numbers by the number formats of sheets. Source: ECMA-376, part 1, 18.8.30 and 18.8.31.
#include "markup/office/cell_format.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "markup/office/package.h"

namespace fineprint::markup {
namespace {

using Kind = FormatToken::Kind;

// The formats that files name by number only.
std::string_view built_in(int id) {
  static const std::map<int, std::string_view> kCodes = {
      {1, "0"},
      {2, "0.00"},
      {3, "#,##0"},
      {4, "#,##0.00"},
      {5, "$#,##0;($#,##0)"},
      {6, "$#,##0;($#,##0)"},
      {7, "$#,##0.00;($#,##0.00)"},
      {8, "$#,##0.00;($#,##0.00)"},
      {9, "0%"},
      {10, "0.00%"},
      {11, "0.00E+00"},
      {12, "# ?/?"},
      {13, "# ?\?/?\?"},
      {14, "yyyy-mm-dd"},
      {15, "d-mmm-yy"},
      {16, "d-mmm"},
      {17, "mmm-yy"},
      {18, "h:mm AM/PM"},
      {19, "h:mm:ss AM/PM"},
      {20, "hh:mm"},
      {21, "hh:mm:ss"},
      {22, "yyyy-mm-dd hh:mm"},
      {37, "#,##0;(#,##0)"},
      {38, "#,##0;(#,##0)"},
      {39, "#,##0.00;(#,##0.00)"},
      {40, "#,##0.00;(#,##0.00)"},
      {41, "#,##0;(#,##0);\"-\";@"},
      {42, "$#,##0;$(#,##0);$\"-\";@"},
      {43, "#,##0.00;(#,##0.00);\"-\";@"},
      {44, "$#,##0.00;$(#,##0.00);$\"-\";@"},
      {45, "mm:ss"},
      {46, "[h]:mm:ss"},
      {47, "mm:ss.0"},
      {48, "##0.0E+0"},
      {49, "@"},
  };
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "yyyy-mm-dd";  // of East Asia
  const auto found = kCodes.find(id);
  return found == kCodes.end() ? "General" : found->second;
}

int format_number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// A condition such as [>=100].
struct Condition {
  std::string sign;
  double limit = 0;

  bool holds(double value) const {
    if (sign == "<") return value < limit;
    if (sign == "<=") return value <= limit;
    if (sign == ">") return value > limit;
    if (sign == ">=") return value >= limit;
    return sign == "=" ? value == limit : value != limit;
  }
  bool is_of_negatives() const { return sign.starts_with('<') && limit <= 0 && sign != "<>"; }
};

struct Section {
  std::vector<FormatToken> tokens;
  std::optional<Condition> condition;

  bool has(Kind kind) const {
    return std::ranges::any_of(tokens, [&](const FormatToken& one) { return one.kind == kind; });
  }
  bool is_date() const { return has(Kind::date) || has(Kind::elapsed); }
};

// Cuts a code into sections and tokens.
class CodeReader {
 public:
  explicit CodeReader(std::string_view code) : code_(code) {}

  std::vector<Section> read() {
    sections_.emplace_back();
    while (at_ < code_.size()) read_token();
    return std::move(sections_);
  }

 private:
  void add(Kind kind, std::string_view text) {
    sections_.back().tokens.push_back({kind, std::string(text)});
  }

  bool skip(std::string_view word) {
    const std::string_view next = code_.substr(at_, word.size());
    if (lower_ascii(next) != word) return false;
    at_ += word.size();
    return true;
  }

  void read_token() {
    const char c = code_[at_];
    const std::size_t start = at_;
    if (skip("general")) return add(Kind::general, "");
    if (skip("am/pm") || skip("a/p")) return add(Kind::date, code_.substr(start, at_ - start));
    if (c == '"') return read_quoted();
    if (c == '[') return read_brackets();
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (std::string_view("ymdhs").find(small) != std::string_view::npos) {
      while (at_ < code_.size() && std::tolower(static_cast<unsigned char>(code_[at_])) == small) {
        ++at_;
      }
      return add(Kind::date, code_.substr(start, at_ - start));
    }
    ++at_;
    if (c == ';') {
      sections_.emplace_back();
    } else if (c == '\\' || c == '_' || c == '*') {
      // The next character is literal, or as wide as a blank, or fills the cell.
      const std::string_view next = code_.substr(at_, character_size());
      at_ += next.size();
      if (c != '*') add(Kind::literal, c == '_' ? " " : next);
    } else if ((c == 'E' || c == 'e') &&
               (code_.substr(at_, 1) == "+" || code_.substr(at_, 1) == "-")) {
      add(Kind::exponent, code_.substr(at_++, 1));
    } else {
      add(kind_of(c), std::string_view(&c, 1));
    }
  }

  std::size_t character_size() const {
    if (at_ >= code_.size()) return 0;
    const auto byte = static_cast<unsigned char>(code_[at_]);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  }

  static Kind kind_of(char c) {
    switch (c) {
      case '0':
      case '#':
      case '?':
        return Kind::digit;
      case '.':
        return Kind::point;
      case ',':
        return Kind::comma;
      case '%':
        return Kind::percent;
      case '/':
        return Kind::slash;
      case '@':
        return Kind::text;
      default:
        return Kind::literal;
    }
  }

  void read_quoted() {
    const std::size_t end = std::min(code_.find('"', at_ + 1), code_.size());
    add(Kind::literal, code_.substr(at_ + 1, end - at_ - 1));
    at_ = std::min(end + 1, code_.size());
  }

  // Reads a currency with its language, elapsed time, or a condition; colours are left out.
  void read_brackets() {
    const std::size_t end = std::min(code_.find(']', at_), code_.size());
    const std::string_view inner = code_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, code_.size());
    const std::string small = lower_ascii(inner);
    if (inner.starts_with('$')) {
      add(Kind::literal, inner.substr(1, inner.rfind('-') - 1));
    } else if (!small.empty() && small.find_first_not_of(small.front()) == std::string::npos &&
               std::string_view("hms").find(small.front()) != std::string_view::npos) {
      add(Kind::elapsed, inner);
    } else if (!inner.empty() && std::string_view("<>=").find(inner[0]) != std::string_view::npos) {
      const std::size_t digits = std::min(inner.find_first_not_of("<>="), inner.size());
      Condition condition{.sign = std::string(inner.substr(0, digits))};
      std::from_chars(inner.data() + digits, inner.data() + inner.size(), condition.limit);
      sections_.back().condition = condition;
    }
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::vector<Section> sections_;
};

std::string by_text_section(const std::string& text, const std::vector<Section>& sections) {
  constexpr std::size_t kTextSection = 3;
  const Section* section = sections.size() > kTextSection ? &sections[kTextSection] : nullptr;
  if (section == nullptr && sections.back().has(Kind::text)) section = &sections.back();
  if (section == nullptr) return text;
  std::string out;
  for (const FormatToken& token : section->tokens) {
    out += token.kind == Kind::text ? text : token.text;
  }
  return out;
}

// Returns the section for a number: by conditions if there are any, else by its sign.
const Section& section_for(double value, const std::vector<Section>& sections,
                           bool* is_of_negatives) {
  const std::size_t count = std::min<std::size_t>(sections.size(), 3);
  const bool conditional =
      std::ranges::any_of(sections, [](const Section& one) { return one.condition.has_value(); });
  if (conditional) {
    for (std::size_t i = 0; i < count; ++i) {
      const Section& one = sections[i];
      if (one.condition && !one.condition->holds(value)) continue;
      *is_of_negatives = one.condition && one.condition->is_of_negatives();
      return one;
    }
    return sections[count - 1];
  }
  *is_of_negatives = value < 0 && count > 1;
  return value < 0 && count > 1 ? sections[1] : value == 0 && count > 2 ? sections[2] : sections[0];
}

std::string number_by_sections(double value, const std::vector<Section>& sections,
                               bool since_1904) {
  bool is_of_negatives = false;
  const Section& section = section_for(value, sections, &is_of_negatives);
  if (section.is_date())
    return shown_date(value, section.tokens, since_1904).value_or(fifteen_digits(value));
  if (section.has(Kind::text)) return by_text_section(fifteen_digits(value), {section});
  if (section.tokens.empty()) return sections.size() > 1 ? "" : fifteen_digits(value);
  std::string text = written_number(std::abs(value), section.tokens);
  const bool is_nothing = text.find_first_of("123456789") == std::string::npos;
  return value < 0 && !is_of_negatives && !is_nothing ? "-" + text : text;
}

}  // namespace

std::string shown_value(const std::string& value, std::string_view code, bool since_1904) {
  double number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = failure == std::errc() && end == value.data() + value.size();
  if (!is_number || !std::isfinite(number)) return value;
  return std::string(trim(number_by_sections(number, CodeReader(code).read(), since_1904)));
}

std::string shown_text(const std::string& text, std::string_view code) {
  return by_text_section(text, CodeReader(code).read());
}

std::vector<std::string> cell_formats(const Package& package, const std::string& main) {
  std::vector<std::string> formats;
  const auto part = package.target(main, "styles");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (!tree || tree->root() == nullptr) return formats;
  std::map<int, std::string> custom;
  for (const Node* one : descendants(*tree->root(), "numFmt")) {
    custom[format_number(attribute(*one, "numFmtId"))] = attribute(*one, "formatCode");
  }
  const Node* styles = child(*tree->root(), "cellXfs");
  if (styles == nullptr) return formats;
  for (const Node* style : children(*styles, "xf")) {
    const int id = format_number(attribute(*style, "numFmtId"));
    const auto found = custom.find(id);
    formats.emplace_back(found == custom.end() ? built_in(id) : std::string_view(found->second));
  }
  return formats;
}

}  // namespace fineprint::markup
