// Reads the definitions of lists and counts their paragraphs.
#include "markup/office/numbering.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fineprint/core/format.h"

namespace fineprint::markup {
namespace {

std::string roman(int number) {
  constexpr std::pair<int, const char*> kSigns[] = {
      {1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
      {40, "xl"},  {10, "x"},   {9, "ix"},  {5, "v"},    {4, "iv"},  {1, "i"}};
  if (number < 1 || number > 3999) return format("{}", number);
  std::string out;
  for (const auto& [value, signs] : kSigns) {
    for (; number >= value; number -= value) out += signs;
  }
  return out;
}

// After z come aa, bb and so on.
std::string letters(int number) {
  constexpr int kLetters = 26, kMostTimes = 10;
  if (number < 1 || number > kLetters * kMostTimes) return format("{}", number);
  const int times = (number - 1) / kLetters + 1;
  return std::string(static_cast<std::size_t>(times),
                     static_cast<char>('a' + (number - 1) % kLetters));
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string ordinal(int number) {
  const int last = number % 10;
  const bool is_teen = number / 10 % 10 == 1;
  const char* end = is_teen || last > 3 || last < 1 ? "th"
                    : last == 1                     ? "st"
                    : last == 2                     ? "nd"
                                                    : "rd";
  return format("{}{}", number, end);
}

// Returns the value of a child element, or "" if there is none.
std::string child_value(const Node& node, std::string_view name) {
  const Node* one = child(node, name);
  return one == nullptr ? "" : attribute(*one, "val");
}

bool is_off(const std::string& value) { return value == "0" || value == "false" || value == "off"; }

}  // namespace

int number_of(const Node& node, std::string_view name, int fallback) {
  const std::string text = attribute(node, name);
  int value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string formatted_number(int number, std::string_view kind) {
  if (kind == "none") return {};
  if (kind == "lowerRoman") return roman(number);
  if (kind == "upperRoman") return upper(roman(number));
  if (kind == "lowerLetter") return letters(number);
  if (kind == "upperLetter") return upper(letters(number));
  if (kind == "ordinal") return ordinal(number);
  if (kind == "decimalZero") return format("{:02}", number);
  if (kind == "numberInDash") return format("- {} -", number);
  return format("{}", number);
}

Numbering::Numbering(const Package& package, const std::string& main) {
  const auto part = package.target(main, "numbering");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (tree && tree->root() != nullptr) read_lists(*tree->root());
}

void Numbering::read_level(const Node& node, Level* level) {
  if (const Node* start = child(node, "start")) level->start = number_of(*start, "val", 0);
  if (const Node* restart = child(node, "lvlRestart")) {
    level->restart = number_of(*restart, "val", -1);
  }
  // Newer formats are inside alternatives; the older one is read.
  if (const std::string kind = child_value(node, "numFmt"); !kind.empty()) level->format = kind;
  level->text = child_value(node, "lvlText");
  level->style = child_value(node, "pStyle");
  const Node* legal = child(node, "isLgl");
  level->only_decimal = legal != nullptr && !is_off(attribute(*legal, "val"));
  const Node* look = child(node, "rPr");
  const Node* hidden = look == nullptr ? nullptr : child(*look, "vanish");
  if (hidden != nullptr && !is_off(attribute(*hidden, "val"))) level->text.clear();
}

void Numbering::read_lists(const Node& root) {
  std::map<int, List> definitions;
  std::map<std::string, int> linked;  // definitions by the style of lists that they define
  std::map<int, std::string> links;   // definitions that only name such a style
  for (const Node* one : children(root, "abstractNum")) {
    const int id = number_of(*one, "abstractNumId", -1);
    List& list = definitions[id];
    list.counts = id;
    if (const std::string style = child_value(*one, "styleLink"); !style.empty())
      linked[style] = id;
    if (const std::string style = child_value(*one, "numStyleLink"); !style.empty())
      links[id] = style;
    for (const Node* level : children(*one, "lvl")) {
      const int at = number_of(*level, "ilvl", 0);
      if (at >= 0 && at < kLevels) read_level(*level, &list.levels[static_cast<std::size_t>(at)]);
    }
  }
  for (const auto& [id, style] : links) {
    if (const auto found = linked.find(style); found != linked.end()) {
      definitions[id] = definitions[found->second];
    }
  }
  for (const Node* one : children(root, "num")) {
    const Node* link = child(*one, "abstractNumId");
    const auto found = definitions.find(link == nullptr ? -1 : number_of(*link, "val", -1));
    if (found == definitions.end()) continue;
    List list = found->second;
    for (const Node* change : children(*one, "lvlOverride")) {
      const int at = number_of(*change, "ilvl", -1);
      if (at < 0 || at >= kLevels) continue;
      const auto place = static_cast<std::size_t>(at);
      if (const Node* level = child(*change, "lvl")) read_level(*level, &list.levels[place]);
      if (const Node* start = child(*change, "startOverride")) {
        list.starts[place] = number_of(*start, "val", 1);
      }
    }
    lists_[number_of(*one, "numId", -1)] = std::move(list);
  }
}

void Numbering::count(const List& list, int level, Counts* counts) const {
  for (int above = 0; above < level; ++above) {
    auto& count = (*counts)[static_cast<std::size_t>(above)];
    if (!count) count = list.levels[static_cast<std::size_t>(above)].start;
  }
  const auto at = static_cast<std::size_t>(level);
  auto& count = (*counts)[at];
  count = count ? *count + 1 : list.levels[at].start;
  for (int below = level + 1; below < kLevels; ++below) {
    const int restart = list.levels[static_cast<std::size_t>(below)].restart;
    if (restart < 0 || level < restart) (*counts)[static_cast<std::size_t>(below)].reset();
  }
}

std::string Numbering::next(int list_id, int level) {
  const auto found = lists_.find(list_id);
  if (found == lists_.end() || level < 0 || level >= kLevels) return {};
  List& list = found->second;
  Counts& counts = counts_[list.counts];
  if (!std::exchange(list.used, true)) {
    for (std::size_t i = 0; i < kLevels; ++i) {
      if (!list.starts[i]) continue;
      list.levels[i].start = *list.starts[i];
      counts[i].reset();
    }
  }
  count(list, level, &counts);
  const Level& own = list.levels[static_cast<std::size_t>(level)];
  if (own.format == "bullet") return own.text.empty() ? "" : "•";
  std::string out;
  for (std::size_t i = 0; i < own.text.size(); ++i) {
    const char digit = own.text[i] == '%' && i + 1 < own.text.size() ? own.text[i + 1] : '0';
    if (digit < '1' || digit > '0' + kLevels) {
      out += own.text[i];
      continue;
    }
    const auto place = static_cast<std::size_t>(digit - '1');
    const std::string& kind = list.levels[place].format;
    out += formatted_number(counts[place].value_or(list.levels[place].start),
                            own.only_decimal && kind != "none" ? "decimal" : kind);
    ++i;
  }
  return out;
}

std::optional<int> Numbering::level_of_style(int list, const std::string& style) const {
  const auto found = lists_.find(list);
  if (found == lists_.end() || style.empty()) return std::nullopt;
  const auto level = std::ranges::find(found->second.levels, style, &Level::style);
  if (level == found->second.levels.end()) return std::nullopt;
  return static_cast<int>(level - found->second.levels.begin());
}

}  // namespace fineprint::markup
