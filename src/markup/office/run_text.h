// Reads the text of paragraphs of text documents, as it is shown. Source: ECMA-376, part 1, 17.3
// and 22.1.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "markup/office/package.h"
#include "markup/office/styles.h"

namespace fineprint::markup {

// The text of a paragraph, or of a part of it.
struct RunText {
  std::string text;
  std::string hidden;              // text that is not shown
  std::vector<const Node*> boxes;  // text boxes that are anchored here
};

// Returns a formula as text on one line: "(a+b)/2".
std::string math_text(const Node& math);

// Reads paragraphs in their order, and numbers the marks of notes in them.
class RunReader {
 public:
  explicit RunReader(const Styles& styles) : styles_(styles) {}

  // Sets how the numbers of notes of a kind ("footnote", "endnote") are written, and the first one.
  void set_notes(const std::string& kind, const std::string& format, int first);
  // Reads a paragraph. `on_white`: the page is white there, so white runs are hidden unless they or
  // the paragraph are shaded.
  RunText read(const Node& paragraph, bool on_white = false);
  // Returns the ids of the notes of this kind whose marks were read, with their marks, in order.
  std::vector<std::pair<std::string, std::string>> notes(const std::string& kind) const;

 private:
  struct Notes {
    std::string format = "decimal";
    int next = 1;
    std::vector<std::pair<std::string, std::string>> marks;
  };
  // A field has an instruction, which is not shown, and a result.
  struct Field {
    bool in_result = false;
  };

  void add(const Node& parent, RunText* out);
  void add_run(const Node& run, RunText* out);
  void add_one(const Node& one, std::string* text, RunText* out);
  void follow_field(const Node& mark, std::string* text);
  bool is_instruction() const;
  std::string note_mark(const Node& reference, const std::string& kind);

  const Styles& styles_;
  std::map<std::string, Notes> notes_ = {
      {"endnote", {.format = "lowerRoman", .next = 1, .marks = {}}}};
  std::vector<Field> fields_;  // that the current place is in
  std::string style_, font_;   // of the paragraph; of the run
  bool on_white_ = false;      // white runs of the paragraph are not seen
};

}  // namespace fineprint::markup
