// Walks the page tree by object numbers, because a repair of the file on the way would invalidate
// pointers.
#include "pdf/page_tree.h"

#include <set>
#include <vector>

#include <mupdf/pdf.h>

namespace fineprint::pdf {
namespace {

// Bounds the walk of a tree that a file has made endless.
constexpr int kMostPages = 1 << 17;

// A child of a node.
struct Kid {
  int number = 0;  // of the object; 0 if the object is written in the list itself
  bool there = false;
  bool is_node = false;
};

// Distinguishes nodes from pages as MuPDF does.
bool is_node(fz_context* context, pdf_obj* kid) {
  pdf_obj* type = pdf_dict_get(context, kid, PDF_NAME(Type));
  if (pdf_is_name(context, type) != 0) return pdf_name_eq(context, type, PDF_NAME(Pages)) != 0;
  return pdf_dict_get(context, kid, PDF_NAME(Kids)) != nullptr &&
         pdf_dict_get(context, kid, PDF_NAME(MediaBox)) == nullptr;
}

// Counts the pages of a tree. Does not throw.
class PageTree {
 public:
  PageTree(fz_context* context, pdf_document* document) : context_(context), document_(document) {}

  // Returns the number of pages, or 0 if there is no tree or it has too many.
  int count() {
    int root = 0;
    guarded(context_, [&] {
      root = pdf_to_num(context_,
                        pdf_dict_getp(context_, pdf_trailer(context_, document_), "Root/Pages"));
    });
    if (root == 0) return 0;
    visit(root);
    while (!nodes_.empty() && pages_ <= kMostPages) {
      const int node = nodes_.back();
      nodes_.pop_back();
      count_kids(node);
    }
    return pages_ <= kMostPages ? pages_ : 0;
  }

  // Returns whether no part of the tree was missing or met twice.
  bool whole() const { return whole_; }

 private:
  // Meeting a node again means that the tree contains itself.
  void visit(int node) {
    if (met_.insert(node).second) {
      nodes_.push_back(node);
    } else {
      whole_ = false;
    }
  }

  // Returns the number of children, or -1 if there is no list of them.
  int kids_of(int node) {
    int count = -1;
    pdf_obj* object = nullptr;
    guarded(context_, [&] {
      object = pdf_load_object(context_, document_, node);
      pdf_obj* kids = pdf_dict_get(context_, object, PDF_NAME(Kids));
      if (pdf_is_array(context_, kids) != 0) count = pdf_array_len(context_, kids);
    });
    pdf_drop_obj(context_, object);
    return count;
  }

  Kid kid_of(int node, int i) {
    Kid found;
    pdf_obj* object = nullptr;
    guarded(context_, [&] {
      object = pdf_load_object(context_, document_, node);
      pdf_obj* kid = pdf_array_get(context_, pdf_dict_get(context_, object, PDF_NAME(Kids)), i);
      found.number = pdf_to_num(context_, kid);
      found.there = pdf_is_dict(context_, kid) != 0;
      found.is_node = found.there && is_node(context_, kid);
    });
    pdf_drop_obj(context_, object);
    return found;
  }

  void count_kids(int node) {
    const int kids = kids_of(node);
    if (kids < 0) whole_ = false;
    for (int i = 0; i < kids && pages_ <= kMostPages; ++i) {
      const Kid kid = kid_of(node, i);
      if (!kid.there) whole_ = false;
      if (kid.is_node && kid.number != 0) {
        visit(kid.number);
      } else {
        ++pages_;
      }
    }
  }

  fz_context* context_;
  pdf_document* document_;
  std::vector<int> nodes_;  // still to be visited
  std::set<int> met_;
  int pages_ = 0;
  bool whole_ = true;
};

}  // namespace

void mend_page_count(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr) return;
  PageTree tree(context, as_pdf);
  const int pages = tree.count();
  if (pages == 0) return;
  int named = 0;  // stays 0 if MuPDF does not accept the number
  guarded(context, [&] { named = pdf_count_pages(context, as_pdf); });
  if (pages == named || (pages < named && !tree.whole())) return;
  guarded(context, [&] {
    pdf_obj* root = pdf_dict_getp(context, pdf_trailer(context, as_pdf), "Root/Pages");
    pdf_dict_put_int(context, root, PDF_NAME(Count), pages);
  });
}

}  // namespace fineprint::pdf
