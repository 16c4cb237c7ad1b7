// Reads presentations (PresentationML), one page per slide. Source: ECMA-376, part 1, 19.
#include <algorithm>
#include <map>

#include "fineprint/core/format.h"

#include "markup/office/drawings.h"
#include "markup/office/numbering.h"
#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

// Returns what a speaker has noted for a slide, or "".
std::string notes_of(const Package& package, const std::string& slide) {
  const auto notes = package.target(slide, "notesSlide");
  const std::optional<Tree> tree = notes ? package.xml(*notes) : std::nullopt;
  if (!tree || tree->root() == nullptr) return {};
  std::string out;
  for (const Node* shape : descendants(*tree->root(), "sp")) {
    const auto placeholders = descendants(*shape, "ph");
    const bool is_body = std::ranges::any_of(
        placeholders, [](const Node* one) { return attribute(*one, "type") == "body"; });
    const Node* body = child(*shape, "txBody");
    if (!is_body || body == nullptr) continue;
    const std::string text = drawing_text(*body);
    if (!is_blank(text)) out += (out.empty() ? "" : "\n") + text;
  }
  return out;
}

// Adds the comments on a slide, in their older and newer form, and the replies to them.
void add_comments(const Package& package, const std::string& slide, Html* html) {
  for (const Relation& one : package.relations(slide)) {
    const std::optional<Tree> tree =
        one.kind == "comments" && !one.target.empty() ? package.xml(one.target) : std::nullopt;
    if (!tree || tree->root() == nullptr) continue;
    for (const Node* comment : children(*tree->root(), "cm")) {
      const Node* text = child(*comment, "text");
      const std::string said = text == nullptr ? all_drawing_text(*comment) : text_of(*text);
      if (!is_blank(said)) html->paragraph("Comment: " + said);
    }
  }
}

// Adds the slides of a presentation.
class Slides {
 public:
  Slides(const Package& package, const Node& root, Html* html) : package_(package), html_(html) {
    const Node* size = child(root, "sldSz");
    if (size == nullptr) return;
    page_.width = number_of(*size, "cx", 0);
    page_.height = number_of(*size, "cy", 0);
  }

  void add_slide(const std::string& part) {
    const Tree tree = package_.need_xml(part);
    html_->page_break();
    const std::size_t before = html_->size();
    const std::string shown = attribute(*tree.root(), "show");
    if (shown == "0" || shown == "false") {
      // Programs count hidden slides, too, when they number the others.
      html_->paragraph("(Hidden slide)");
      html_->hide(all_drawing_text(*tree.root()));
      html_->hide(notes_of(package_, part));
    } else {
      add_shown(part, *tree.root());
    }
    // A slide without text becomes a page, too, so that the numbers of later pages match the
    // slides.
    constexpr const char* kNoBreakSpace = "\xc2\xa0";
    if (html_->size() == before) html_->paragraph(kNoBreakSpace);
    html_->end_page();
    html_->check_size(package_.name());
  }

 private:
  void add_shown(const std::string& part, const Node& root) {
    page_.placeholders = placeholders_above(part);
    for (const Node* shapes : descendants(root, "spTree")) {
      add_shapes(package_, part, *shapes, page_, html_);
    }
    const std::string notes = notes_of(package_, part);
    if (!notes.empty()) html_->paragraph("Notes: " + notes);
    add_comments(package_, part, html_);
  }

  // Returns the placeholders of the slide's layout, then those of its master.
  const std::vector<Placeholder>& placeholders_above(const std::string& part) {
    std::optional<std::string> above = package_.target(part, "slideLayout");
    const auto [known, is_new] = placeholders_.try_emplace(above.value_or(""));
    std::vector<Placeholder>& out = known->second;
    if (!is_new) return out;
    for (const char* next : {"slideMaster", ""}) {
      const std::optional<Tree> tree = above ? package_.xml(*above) : std::nullopt;
      if (!tree || tree->root() == nullptr) break;
      for (Placeholder& one : placeholders_of(*tree->root())) out.push_back(std::move(one));
      above = package_.target(*above, next);
    }
    return out;
  }

  const Package& package_;
  Html* html_;
  ShapePage page_;
  std::map<std::string, std::vector<Placeholder>> placeholders_;  // by layout
};

}  // namespace

void add_slides(const Package& package, const std::string& main, Html* html) {
  const Tree tree = package.need_xml(main);
  Slides slides(package, *tree.root(), html);
  const std::vector<Relation>& relations = package.relations(main);
  // The list of slides gives their order; the names of the parts do not.
  for (const Node* listed : descendants(*tree.root(), "sldId")) {
    for (const Relation& one : relations) {
      if (one.kind != "slide" || one.target.empty()) continue;
      if (relation_id(*listed) == one.id) slides.add_slide(one.target);
    }
  }
}

}  // namespace fineprint::markup
