// Extracts the text of HTML in mail. Ignores styles, scripts, pictures and links, because they come
// from strangers.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fineprint/core/superscripts.h"

#include "markup/form_fields.h"
#include "markup/hidden_html.h"
#include "markup/readers.h"
#include "markup/xml.h"

namespace fineprint::markup {
namespace {

// Elements whose text is not shown.
constexpr std::array<std::string_view, 4> kUnseen = {"head", "script", "style", "title"};
// Elements that begin and end a paragraph.
constexpr std::array<std::string_view, 18> kBlocks = {
    "p",  "div", "tr", "table", "ul", "ol",   "blockquote", "pre", "h1",
    "h2", "h3",  "h4", "h5",    "h6", "body", "section",    "hr",  "dl"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Walks a tree and writes its text block by block.
class TextGatherer {
 public:
  explicit TextGatherer(Html* html) : html_(html) {}

  void add(const Node& node) {
    for (const Node* one = node.children; one != nullptr; one = one->next) {
      if (one->type == XML_TEXT_NODE || one->type == XML_CDATA_SECTION_NODE) {
        add_text(reinterpret_cast<const char*>(one->content));
      } else if (one->type == XML_ELEMENT_NODE) {
        add_element(*one);
      }
    }
  }

  void flush() {
    const std::string text = std::exchange(text_, {});
    if (level_ > 0) {
      html_->heading(level_, text);
    } else {
      html_->paragraph(text);
    }
  }

 private:
  void add_element(const Node& node) {
    const std::string_view name = name_of(node);
    if (is_one_of(kUnseen, name)) return;
    if (name == "br") {
      text_ += '\n';
      return;
    }
    const bool is_block = is_one_of(kBlocks, name) || name == "li";
    if (is_block) flush();
    const int level_above = level_;
    if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
      level_ = name[1] - '0';
    }
    if (name == "li") text_ += "• ";
    const std::size_t begin = text_.size();
    add(node);
    if (name == "sup") text_.replace(begin, std::string::npos, raised_text(text_.substr(begin)));
    if (is_block) flush();
    if (name == "td" || name == "th") text_ += ' ';
    level_ = level_above;
  }

  // Line breaks of the source count as blanks. Several blanks become one.
  void add_text(std::string_view text) {
    for (const char c : text) {
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank) {
        text_ += c;
      } else if (!text_.empty() && text_.back() != ' ' && text_.back() != '\n') {
        text_ += ' ';
      }
    }
  }

  Html* html_;
  std::string text_;
  int level_ = 0;  // of the heading that contains the text; 0 if none
};

}  // namespace

void add_foreign_html(const std::string& html_text, Html* html) {
  Tree tree = Tree::of_html(html_text);
  if (tree.root() == nullptr) return;
  for (const std::string& hidden : take_hidden_parts(&tree)) html->hide(hidden);
  write_form_fields(&tree);
  TextGatherer gatherer(html);
  gatherer.add(*tree.root());
  gatherer.flush();
}

}  // namespace fineprint::markup
