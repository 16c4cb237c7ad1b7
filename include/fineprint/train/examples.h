// What retrievers are trained on.
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

struct Example {
  std::string query;
  Passage positive;
  std::vector<Passage> negatives;
};

// A file of JSON Lines. Throws Error(input) naming the line that is no example, and for a file
// without any.
std::vector<Example> read_examples(const std::string& path);

// The same, each with the line that it stands in.
void for_each_example(const std::string& path,
                      const std::function<void(std::string_view line, Example)>& use);

}  // namespace fineprint::train
