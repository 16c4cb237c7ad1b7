// The lines of a file of scripted replies.
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
  std::optional<ErrorCode> error;  // of that reply, which is the message then
  std::vector<double> entropies, log_probabilities, top_entropies;
  double ms = 0;  // that the reply takes

  bool fits(const models::Request& request) const;
  // How many tokens the reply's scores tell of.
  std::size_t token_count() const;
};

// Throws Error(input) naming file and line, Error(unreadable) for a file that is not there.
std::vector<ScriptLine> read_script(const std::string& path);

}  // namespace fineprint::remote
