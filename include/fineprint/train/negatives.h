// Finds hard negatives: pages or passages that a search ranks high for a question although they do
// not answer it.
#pragma once

#include <string>
#include <vector>

#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"
#include "fineprint/train/examples.h"

namespace fineprint::train {

// An example for training, and the line of JSON that it was read from.
struct ExampleLine {
  std::string line;
  Example example;
};

// Throws like read_examples().
std::vector<ExampleLine> read_example_lines(const std::string& path);

// Returns the line with up to options.k more negatives, the best of the search first. They are
// pages of the store ({"image": "FILE#PAGE"}) if the positive is a picture, else texts of chunks. A
// candidate is left out if it is the positive or has the same text, if it contains the example's
// "answer", or if it is among the negatives already. Sets `found` to the number of added negatives.
std::string with_negatives(session::Context& context, const ExampleLine& example,
                           const retrieve::SearchOptions& options, int* found);

}  // namespace fineprint::train
