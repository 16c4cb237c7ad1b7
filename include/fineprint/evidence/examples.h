// Reads questions with their passages as JSON Lines, and writes what was read as JSON Lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/evidence/execution.h"
#include "fineprint/models/qa_model.h"

namespace fineprint::evidence {

// A question and the passages in which to look for its answer.
struct Example {
  std::string id;  // the number of its line if it has none
  std::string question;
  std::vector<models::QaPassage> passages;
};

// Parses one line. `where` names the line in errors; `number` is the id of a line without one.
// Throws as read_examples does.
Example example_of(std::string_view line, const std::string& where, std::size_t number);

// Reads a file of lines {"question": TEXT, "passages": [...]}, optionally with "id". A passage is
// {"text": TEXT} or {"rows": [[CELL, ...], ...]}, optionally with "context" and "header_rows"
// (default 1). Other keys, for example the gold answers, are ignored. Throws Error(input) that
// names the line if a line has another form, or if the file has no lines.
std::vector<Example> read_examples(const std::string& path);

// Returns {"id", "answer": a text, a list of several, or null, "scale", "operator", "derivation",
// "passage", "cells": [[row, column], ...] or "spans": [[begin, end], ...], "probability", "null":
// the probability that nothing answers}. "scale" is "" if there is none.
std::string to_json_line(const std::string& id, const Execution& execution);

}  // namespace fineprint::evidence
