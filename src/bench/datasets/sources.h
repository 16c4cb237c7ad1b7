// Records of published files, each with the line that it begins on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {

// One record: an object.
struct Source {
  std::string file;
  std::size_t line = 0;
  Json fields;
};

// What cannot be parsed becomes a problem and is left out; text that is not UTF-8 becomes one and
// is read with U+FFFD in place of the bytes. All throw Error(unreadable), and Error(input) for a
// file that is of another form as a whole.

// A list of objects, or with `key` that of an object: {"KEY": [...]}.
std::vector<Source> read_json_list(const std::string& file, std::vector<DataProblem>* problems,
                                   std::string_view key = {});
// An object a line.
std::vector<Source> read_json_lines(const std::string& file, std::vector<DataProblem>* problems);
// Values behind a line of names, between separators; a value in double quotes may hold separators,
// line ends, and quotes written twice.
std::vector<Source> read_csv(const std::string& file, char separator,
                             std::vector<DataProblem>* problems);

}  // namespace fineprint::bench
