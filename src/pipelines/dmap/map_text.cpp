// Writes document maps as text for prompts.
#include "pipelines/dmap/map_text.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "fineprint/agents/prompts.h"
#include "fineprint/core/format.h"

namespace fineprint::pipelines::dmap {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
// However many pages share the room: a shorter summary says nothing.
constexpr std::size_t kLeastSummary = 40;
// Bytes for "Page 12:", line ends and quotation marks around a summary.
constexpr std::size_t kAroundSummary = 16;

// Returns the longest prefix of complete code points of at most `most_bytes` bytes.
std::string_view first_part(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0) == 0x80) {
    --most_bytes;
  }
  return text.substr(0, most_bytes);
}

// Returns the longest prefix of complete lines of at most `most_bytes` bytes.
std::string first_lines(const std::string& text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  const std::size_t end = text.substr(0, most_bytes).rfind('\n');
  return end == std::string::npos ? "" : text.substr(0, end + 1);
}

std::string levels_text(const docmap::DocumentMap& map, int deepest) {
  std::string text;
  for (const docmap::Section& section : map.sections) {
    if (section.level > deepest) continue;
    text += format("{} {} <-> pages {}-{}\n", section.number, section.title, section.pages.front(),
                   section.pages.back());
  }
  return text;
}

// The summary says more than the caption if there is one.
std::string said_of(const docmap::MappedElement& element) {
  const std::string name = element.name.empty() ? docmap::kind_name(element.kind) : element.name;
  const std::string& said = element.summary.empty() ? element.caption : element.summary;
  return format("{}: {}\n", name, said);
}

// Returns one block per page, with at most `most_bytes` bytes of the page's text in each.
std::vector<std::string> blocks(const docmap::DocumentMap& map, std::span<const int> pages,
                                std::size_t most_bytes) {
  std::vector<std::string> said(static_cast<std::size_t>(map.pages_total) + 1);
  for (const docmap::MappedPage& page : map.pages) {
    said[static_cast<std::size_t>(page.page)] = (page.blank ? "blank" : page.summary) + "\n";
  }
  for (const docmap::MappedElement& element : map.elements) {
    said[static_cast<std::size_t>(element.page)] += said_of(element);
  }
  std::vector<std::string> out;
  for (const int page : pages) {
    const std::string& text = said[static_cast<std::size_t>(page)];
    out.push_back(format("Page {}:\n{}\n", page, agents::as_data(first_part(text, most_bytes))));
  }
  return out;
}

std::size_t bytes_of(const std::vector<std::string>& texts) {
  return std::transform_reduce(texts.begin(), texts.end(), std::size_t{0}, std::plus<>(),
                               [](const std::string& text) { return text.size(); });
}

}  // namespace

std::string outline_text(const docmap::DocumentMap& map, std::size_t most_bytes) {
  int deepest = 1;
  for (const docmap::Section& section : map.sections) deepest = std::max(deepest, section.level);
  // The deepest levels go first: the upper ones still show where everything is.
  std::string text = levels_text(map, deepest);
  while (text.size() > most_bytes && deepest > 1) text = levels_text(map, --deepest);
  return first_lines(text, most_bytes);
}

std::string summaries_text(const docmap::DocumentMap& map, std::span<const int> pages,
                           std::size_t most_bytes) {
  std::vector<std::string> list = blocks(map, pages, kNoLimit);
  if (bytes_of(list) > most_bytes) {
    const std::size_t share = most_bytes / pages.size();
    list = blocks(map, pages, std::max(share, kLeastSummary + kAroundSummary) - kAroundSummary);
  }
  std::string text;
  for (const std::string& block : list) {
    if (text.size() + block.size() > most_bytes) break;
    text += block;
  }
  return text.empty() ? agents::as_data("") + "\n" : text;
}

bool summaries_fit(const docmap::DocumentMap& map, std::size_t most_bytes) {
  return bytes_of(blocks(map, all_pages(map), kNoLimit)) <= most_bytes;
}

std::vector<int> pages_of_sections(const docmap::DocumentMap& map,
                                   std::span<const std::string> numbers) {
  std::set<int> pages;
  for (const docmap::Section& section : map.sections) {
    if (std::ranges::find(numbers, section.number) == numbers.end()) continue;
    pages.insert(section.pages.begin(), section.pages.end());
  }
  return {pages.begin(), pages.end()};
}

std::vector<int> all_pages(const docmap::DocumentMap& map) {
  std::vector<int> pages(static_cast<std::size_t>(map.pages_total));
  std::iota(pages.begin(), pages.end(), 1);
  return pages;
}

}  // namespace fineprint::pipelines::dmap
