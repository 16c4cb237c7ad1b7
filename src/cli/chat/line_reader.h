// Reads the lines of a conversation: from a terminal, with editing and a history, or from a pipe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fineprint::cli {

// Where lines come from.
class LineReader {
 public:
  virtual ~LineReader() = default;
  // Returns the next line without its end; nullopt at the end of the input. Throws
  // Error(interrupted) if the process was asked to end.
  virtual std::optional<std::string> next() = 0;
  // Returns whether a person types the lines.
  virtual bool is_typed() const = 0;
};

// Returns a reader of standard input. At a terminal, lines can be edited and are kept in
// `history_file`, whose folder is made; if it cannot be written, a note says so once. Ctrl-C drops
// the line that is being typed. `words` are offered when Tab is pressed after ":".
std::unique_ptr<LineReader> open_lines(const std::string& history_file,
                                       std::vector<std::string> words);

// Returns fineprint/chat-history in the user's folder for state (XDG Base Directory).
std::string chat_history_file();

}  // namespace fineprint::cli
