// Reads records of published files, each with the line where it begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {

// One record: a JSON object.
struct Source {
  std::string file;
  std::size_t line = 0;
  Json fields;
};

// In all readers, a record that cannot be parsed becomes a problem and is left out. Text that is
// not UTF-8 becomes a problem and is read with U+FFFD for the invalid bytes. All throw
// Error(unreadable), and Error(input) if the file has another form.

// Reads a list of objects. With `key`, the list is a member of an object: {"KEY": [...]}.
std::vector<Source> read_json_list(const std::string& file, std::vector<DataProblem>* problems,
                                   std::string_view key = {});
// Reads one object a line.
std::vector<Source> read_json_lines(const std::string& file, std::vector<DataProblem>* problems);
// Reads values between separators, after a line of names. A value in double quotes may contain
// separators, line ends, and quotes written twice.
std::vector<Source> read_csv(const std::string& file, char separator,
                             std::vector<DataProblem>* problems);

}  // namespace fineprint::bench
