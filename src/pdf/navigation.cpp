// Walks the trees of the outline and of page labels. A damaged or malicious file may have made them
// endless.
#include "pdf/navigation.h"

#include <mupdf/pdf.h>

namespace fineprint::pdf {
namespace {

// These limits are far above those of real documents.
constexpr std::size_t kMaxEntries = 100'000;
constexpr int kMaxLevel = 64;
constexpr std::size_t kMaxTitleBytes = 1000;

// Returns the page that an outline entry leads to, counted from 1; 0 if there is none.
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

// Returns the title on one line, cut before the character that would make it too long.
std::string bounded_line(const char* title) {
  std::string line;
  for (const char* c = title == nullptr ? "" : title; *c != '\0'; ++c) {
    // a later byte of a UTF-8 character
    const bool goes_on = (static_cast<unsigned char>(*c) & 0xC0) == 0x80;
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
    entries->push_back({.level = level,
                        .title = bounded_line(node->title),
                        .page = page_of(context, document, *node)});
    if (level < kMaxLevel) add_level(context, document, node->down, level + 1, entries);
  }
}

constexpr int kMaxLabelDepth = 32;
constexpr int kMaxLabelNodes = 100'000;

// Returns whether the tree is finite. MuPDF would follow a tree that contains itself until its
// stack overflows.
bool ends(fz_context* context, pdf_obj* node, int depth, int* nodes_left) {
  if (depth > kMaxLabelDepth || --*nodes_left < 0) return false;
  pdf_obj* kids = pdf_dict_get(context, node, PDF_NAME(Kids));
  const int count = pdf_array_len(context, kids);
  for (int i = 0; i < count; ++i) {
    if (!ends(context, pdf_array_get(context, kids, i), depth + 1, nodes_left)) return false;
  }
  return true;
}

}  // namespace

std::vector<OutlineEntry> read_outline(fz_context* context, fz_document* document) {
  OwnedOutline outline(context);
  guarded(context, [&] { outline.pointer = fz_load_outline(context, document); });
  std::vector<OutlineEntry> entries;
  add_level(context, document, outline.pointer, 1, &entries);
  return entries;
}

bool has_labels(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr) return false;
  pdf_obj* labels = pdf_dict_getp(context, pdf_trailer(context, as_pdf), "Root/PageLabels");
  int nodes_left = kMaxLabelNodes;
  return labels != nullptr && ends(context, labels, 0, &nodes_left);
}

}  // namespace fineprint::pdf
