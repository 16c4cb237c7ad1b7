// Reads the lines of a file of scripted replies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/models/generator.h"

namespace fineprint::remote {

struct ScriptLine {
  int number = 0;  // from 1
  std::string agent;
  std::optional<std::string> question;
  std::optional<std::vector<std::string>> pages;
  std::string reply;
  std::optional<ErrorCode> error;  // if set, `reply` is the message of an error
  std::vector<double> entropies, log_probabilities, top_entropies;
  double ms = 0;  // the time that the reply takes

  bool fits(const models::Request& request) const;
  // Returns the number of tokens that the reply's scores describe.
  std::size_t token_count() const;
};

// Throws Error(input) with file and line if a line is wrong, and Error(unreadable) if the file is
// missing.
std::vector<ScriptLine> read_script(const std::string& path);

}  // namespace fineprint::remote
