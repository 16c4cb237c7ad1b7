// Finds hard negatives: pages or passages that a search ranks high for a question although they do
// not answer it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"
#include "fineprint/train/examples.h"

namespace fineprint::cli {

// An example for training, and the line of JSON that it was read from.
struct ExampleLine {
  std::string line;
  train::Example example;
};

std::vector<ExampleLine> read_example_lines(const std::string& path);

// Returns whether the example needs pictures of pages as negatives, as its positive is one.
// Otherwise it needs passages of text, which only scorers of passages find.
bool wants_pictures(const train::Example& example);

// Returns the line with up to options.k more negatives, the best of the search first. They are
// pages of the store ({"image": "FILE#PAGE"}) if the positive is a picture, else texts of chunks. A
// candidate is left out if it is the positive or has the same text, if it contains the example's
// "answer", or if it is among the negatives already. Sets `found` to the number of added negatives.
std::string with_negatives(session::Context& context, const ExampleLine& example,
                           const retrieve::SearchOptions& options, int* found);

}  // namespace fineprint::cli
