// Looks over the tree of page labels before MuPDF walks it.
#include "pdf/labels.h"

#include <mupdf/pdf.h>

namespace fineprint::pdf {
namespace {

constexpr int kMaxDepth = 32;
constexpr int kMaxNodes = 100'000;

// MuPDF follows a tree that comes back to itself until its stack ends.
bool ends(fz_context* context, pdf_obj* node, int depth, int* nodes_left) {
  if (depth > kMaxDepth || --*nodes_left < 0) return false;
  pdf_obj* kids = pdf_dict_get(context, node, PDF_NAME(Kids));
  const int count = pdf_array_len(context, kids);
  for (int i = 0; i < count; ++i) {
    if (!ends(context, pdf_array_get(context, kids, i), depth + 1, nodes_left)) return false;
  }
  return true;
}

}  // namespace

bool has_labels(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr) return false;
  pdf_obj* labels = pdf_dict_getp(context, pdf_trailer(context, as_pdf), "Root/PageLabels");
  int nodes_left = kMaxNodes;
  return labels != nullptr && ends(context, labels, 0, &nodes_left);
}

}  // namespace fineprint::pdf
