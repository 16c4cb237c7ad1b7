// The outline's tree walked into a list, its targets resolved to page numbers.
#include "pdf/outline.h"

namespace fineprint::pdf {
namespace {

constexpr std::size_t kMaxEntries = 100'000;
constexpr int kMaxLevel = 64;
constexpr std::size_t kMaxTitleBytes = 1000;

int page_of(fz_context* context, fz_document* document, const fz_outline& node) {
  int page = -1;
  guarded(context, [&] {
    fz_location target = node.page;
    if (target.page < 0 && node.uri != nullptr && fz_is_external_link(context, node.uri) == 0) {
      target = fz_resolve_link(context, document, node.uri, nullptr, nullptr);
    }
    if (target.page >= 0) page = fz_page_number_from_location(context, document, target);
  });
  return page + 1;
}

// Ends before the character that would make it too long.
std::string one_line(const char* title) {
  std::string line;
  for (const char* c = title == nullptr ? "" : title; *c != '\0'; ++c) {
    const bool goes_on = (static_cast<unsigned char>(*c) & 0xC0) == 0x80;  // a character of UTF-8
    if (line.size() >= kMaxTitleBytes && !goes_on) break;
    const bool blank = static_cast<unsigned char>(*c) <= ' ';
    if (!blank) {
      line += *c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

void add_level(fz_context* context, fz_document* document, const fz_outline* node, int level,
               std::vector<OutlineEntry>* entries) {
  for (; node != nullptr && entries->size() < kMaxEntries; node = node->next) {
    entries->push_back({level, one_line(node->title), page_of(context, document, *node)});
    if (level < kMaxLevel) add_level(context, document, node->down, level + 1, entries);
  }
}

}  // namespace

std::vector<OutlineEntry> read_outline(fz_context* context, fz_document* document) {
  OwnedOutline outline(context);
  guarded(context, [&] { outline.pointer = fz_load_outline(context, document); });
  std::vector<OutlineEntry> entries;
  add_level(context, document, outline.pointer, 1, &entries);
  return entries;
}

}  // namespace fineprint::pdf
