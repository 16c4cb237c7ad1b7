// Reads the examples that retrievers are trained on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::train {

// A text, or the name of a page's picture.
struct Passage {
  std::string text;
  bool is_image = false;
};

// A query with the passages that answer it, of which each epoch teaches one, and passages that it
// must not find.
struct Example {
  std::string query;
  std::vector<Passage> positives;  // at least one; all texts or all pictures
  std::vector<Passage> negatives;
};

// Returns the passage that the epoch teaches, counted from 0: each in turn.
const Passage& positive_in_epoch(const Example& example, long epoch);

// Reads a file of JSON Lines. For example, {"query": "net sales", "positive": {"image":
// "report.pdf#3"}}. A list of passages as "positive" has several that answer the query. Throws
// Error(input) with the line if it is not an example, and if the file has no examples.
std::vector<Example> read_examples(const std::string& path);

// Calls `use` for each example of the file, with the line that it was read from. Throws like
// read_examples().
void for_each_example(const std::string& path,
                      const std::function<void(std::string_view line, Example)>& use);

}  // namespace fineprint::train
