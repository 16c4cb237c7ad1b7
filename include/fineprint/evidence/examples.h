// Questions with passages to read them in, as JSON Lines, and what was read, likewise.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/evidence/execution.h"
#include "fineprint/models/reader.h"

namespace fineprint::evidence {

struct Example {
  std::string id;  // the line's number where it has none
  std::string question;
  std::vector<models::ReaderPassage> passages;
};

// Of one line, which stands at `where` as line `number`. Throws as read_examples does.
Example example_of(std::string_view line, const std::string& where, std::size_t number);

// A line is {"question": TEXT, "passages": [...]}, perhaps with "id"; a passage is {"text": TEXT}
// or
// {"rows": [[CELL, ...], ...]}, perhaps with "context" and "header_rows" (1). What else a line has,
// answers for one, is passed over. Throws Error(input) naming the line that is none, and for a file
// without any.
std::vector<Example> read_examples(const std::string& path);

// {"id", "answer": a text, a list of several, or null, "scale", "operator", "derivation",
// "passage", "cells": [[row, column], ...] or "spans": [[begin, end], ...], "probability", "null":
// the probability that nothing answers}. "scale" is "" for none.
std::string to_json_line(const std::string& id, const Execution& execution);

}  // namespace fineprint::evidence
