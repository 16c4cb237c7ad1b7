// Hard negatives: what a search ranks high for a question and that is not what it asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"
#include "fineprint/train/examples.h"

namespace fineprint::cli {

// An example of a training, and the line of JSON that it was read from.
struct ExampleLine {
  std::string line;
  train::Example example;
};

std::vector<ExampleLine> read_example_lines(const std::string& path);

// Whether negatives are pictures of pages, as the example's positive is, or passages of text, which
// only scorers that know passages find.
bool wants_pictures(const train::Example& example);

// The line with up to options.k more negatives, the best of the search first: pages of the store
// ({"image": "FILE#PAGE"}) for an example whose positive is a picture, else chunks of its texts.
// Left out is what the positive is or has the same text as, what holds the example's "answer", if
// it has one, and what is among its negatives already. `found`: how many were added.
std::string with_negatives(session::Context& context, const ExampleLine& example,
                           const retrieve::SearchOptions& options, int* found);

}  // namespace fineprint::cli
