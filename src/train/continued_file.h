// Files of made examples, which a later run continues.
#pragma once

#include <string>

namespace fineprint::train {

// What an earlier run left in a file.
struct MadeBefore {
  long kept = 0;   // lines
  long tries = 0;  // the number of the try that made the last line
};

// Reads the "source" of each line: {"generator", "seed", "try"}. An incomplete last line is
// ignored; a missing file has no lines. Throws Error(input) with the line if it was made by another
// generator or with another seed.
MadeBefore made_before(const std::string& path, const std::string& generator, long seed);

}  // namespace fineprint::train
