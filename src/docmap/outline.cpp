// Numbers sections, and keeps pages in the sections that are open on them.
#include "docmap/outline.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

#include "docmap/wording.h"

namespace fineprint::docmap {
namespace {

// Headings that may have been overlooked before the next one.
constexpr int kMostOverlooked = 3;
constexpr std::size_t kMostLevels = 9;

std::string number_of(const std::vector<int>& parts) {
  return join_texts(parts, ".", [](int part) { return std::to_string(part); });
}

std::string parent_of(std::string_view number) {
  const std::size_t dot = number.rfind('.');
  return std::string(dot == std::string_view::npos ? "" : number.substr(0, dot));
}

// Inserts a page in order. Returns false if it was there already.
bool insert_page(int page, std::vector<int>* pages) {
  const auto place = std::lower_bound(pages->begin(), pages->end(), page);
  if (place != pages->end() && *place == page) return false;
  pages->insert(place, page);
  return true;
}

}  // namespace

std::vector<int> parts_of_number(std::string_view number) {
  while (number.ends_with('.') || number.ends_with(')')) number.remove_suffix(1);
  std::vector<int> parts;
  const char* const end = number.data() + number.size();
  for (const char* at = number.data(); at < end;) {
    int part = 0;
    const auto [next, error] = std::from_chars(at, end, part);
    // "3.1x" and "3..1" are no numbers.
    const bool ends_well = next == end || (*next == '.' && next + 1 < end);
    if (error != std::errc() || part < 1 || !ends_well) return {};
    parts.push_back(part);
    at = next == end ? end : next + 1;
  }
  return parts.size() > kMostLevels ? std::vector<int>{} : parts;
}

Heading heading_of(std::string_view text) {
  const std::string line = one_line(text);
  const std::size_t blank = line.find(' ');
  if (blank == std::string::npos) return {"", line};
  const std::vector<int> parts = parts_of_number(std::string_view(line).substr(0, blank));
  if (parts.empty()) return {"", line};
  return {number_of(parts), line.substr(blank + 1)};
}

Outline::Outline(const std::vector<Section>& sections) {
  for (const Section& section : sections) {
    const std::size_t place = sections_.size();
    push(section);
    for (const int page : section.pages) on_page_[page].push_back(place);
  }
}

// Adds a section. It closes all open sections of its level or deeper on its first page.
void Outline::push(Section section) {
  const auto depth = static_cast<std::size_t>(section.level) - 1;
  for (std::size_t i = depth; i < open_.size(); ++i) {
    closed_on_[open_[i]] = section.pages.front();
  }
  open_.resize(std::min(depth, open_.size()));
  open_.push_back(sections_.size());
  place_of_[section.number] = sections_.size();
  sections_.push_back(std::move(section));
  closed_on_.push_back(0);
}

std::string Outline::last() const {
  return sections_.empty() ? std::string() : sections_.back().number;
}

bool Outline::fits(std::string_view number) const {
  const std::vector<int> parts = parts_of_number(number), before = parts_of_number(last());
  // A section may be at most one level below the one before it.
  if (parts.empty() || parts.size() > before.size() + 1) return false;
  const std::size_t depth = parts.size() - 1;
  // All parts but the last must be those of an open section.
  if (!std::equal(parts.begin(), parts.end() - 1, before.begin())) return false;
  const int sibling = depth < before.size() ? before[depth] : 0;
  // Numbers must rise, but may skip a few, because a heading in a picture or of an odd layout is
  // not found.
  return parts[depth] > sibling && parts[depth] - sibling <= 1 + kMostOverlooked;
}

std::string Outline::next_number(int level) const {
  std::vector<int> parts = parts_of_number(last());
  const auto wanted = static_cast<std::size_t>(std::max(level, 1));
  // A level that is too deep becomes a child of the last section.
  parts.resize(std::min({wanted, parts.size() + 1, kMostLevels}));
  ++parts.back();
  return number_of(parts);
}

std::string Outline::open(std::string_view number, int level, std::string_view title, bool inferred,
                          int page) {
  const std::vector<int> parts =
      // A printed number that does not follow is likely misread; the section then gets the next
      // number of its level.
      parts_of_number(fits(number) ? std::string(number) : next_number(level));
  const std::string name = number_of(parts);
  push({.number = name,
        .title = shortened(one_line(title), kMostTitle),
        .level = static_cast<int>(parts.size()),
        .pages = {page},
        .parent = parent_of(name),
        .inferred = inferred});
  on_page_[page].push_back(sections_.size() - 1);
  assign(name, page);
  return name;
}

bool Outline::assign(std::string_view number, int page) {
  auto found = place_of_.find(std::string(number));
  if (found == place_of_.end()) return false;
  // A page belongs to a section only from the page of its heading to the page on which another one
  // closes it.
  if (page < sections_[found->second].pages.front()) return false;
  const int end = closed_on_[found->second];
  if (end > 0 && page > end) return false;
  // The page belongs to all parents too.
  while (found != place_of_.end()) {
    Section& section = sections_[found->second];
    if (insert_page(page, &section.pages)) on_page_[page].push_back(found->second);
    found = place_of_.find(section.parent);
  }
  return true;
}

std::vector<std::string> Outline::deepest_on(int page) const {
  const auto found = on_page_.find(page);
  if (found == on_page_.end()) return {};
  std::vector<std::size_t> places = found->second;
  // In the order of the document, because pages may have been assigned in another one.
  std::ranges::sort(places);
  std::unordered_set<std::string> parents;
  for (const std::size_t place : places) parents.insert(sections_[place].parent);
  std::vector<std::string> out;
  for (const std::size_t place : places) {
    const std::string& number = sections_[place].number;
    if (!parents.contains(number)) out.push_back(number);
  }
  return out;
}

}  // namespace fineprint::docmap
