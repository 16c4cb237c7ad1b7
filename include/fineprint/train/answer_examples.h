// Reads the examples that answering models are trained on.
#pragma once

#include <string>
#include <vector>

namespace fineprint::train {

// A page that is shown with a question: a picture by its name, or a page of a store.
struct ExamplePage {
  std::string image;  // empty: a page of the store
  std::string doc;    // the document's name in the store
  int page = 0;       // page number, from 1
};

// Returns "report.pdf:3" for a page of a store, and the picture's name otherwise.
std::string name_of(const ExamplePage& page);

// A passage that is shown with a question.
struct ExampleText {
  std::string heading;  // may be empty
  std::string text;
};

// A question, the pages or passages that are shown with it in this order, and the answer to learn.
// Without both, the question is asked alone (closed book).
struct AnswerExample {
  std::string question;
  std::vector<ExamplePage> pages = {};
  std::vector<ExampleText> texts = {};
  std::string answer = {};
};

// Reads a file of JSON Lines: {"question": TEXT, "pages": [PAGE, ...], "answer": TEXT}, where a
// page is {"image": FILE} or {"doc": NAME, "page": N}. "texts": [PASSAGE, ...] replaces "pages" for
// models that read texts, where a passage is TEXT or {"heading": TEXT, "text": TEXT}; an empty list
// asks without passages. "answers": [TEXT, ...] may replace "answer"; the first one is learned.
// Other keys are ignored. Throws Error(input) with the line if it does not have this form, and if
// the file has no lines.
std::vector<AnswerExample> read_answer_examples(const std::string& path);

}  // namespace fineprint::train
