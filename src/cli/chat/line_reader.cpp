// Lines from a pipe, and from a terminal by libedit.
#include "cli/chat/line_reader.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <utility>

#include <histedit.h>
#include <termios.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

constexpr int kKeptLines = 1000;

class PipedLines : public LineReader {
 public:
  bool is_typed() const override { return false; }

  std::optional<std::string> next() override {
    throw_if_interrupted();
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }
};

// libedit keeps pointers to its functions, which therefore are plain ones.
char* prompt_of(EditLine*) {
  static char prompt[] = "> ";
  return prompt;
}

// Bound to Ctrl-C, which is an ordinary key while a line is typed.
unsigned char drop_line(EditLine* edit, int) {
  const LineInfo* line = el_line(edit);
  el_cursor(edit, static_cast<int>(line->lastchar - line->cursor));
  line = el_line(edit);
  el_deletestr(edit, static_cast<int>(line->lastchar - line->buffer));
  el_insertstr(edit, "\n");
  std::fputs("^C\n", stdout);
  return CC_NEWLINE;
}

// Completes a word that begins with ':' at the beginning of the line, if only one command fits.
unsigned char complete_command(EditLine* edit, int) {
  void* data = nullptr;
  el_get(edit, EL_CLIENTDATA, &data);
  const auto& words = *static_cast<const std::vector<std::string>*>(data);
  const LineInfo* line = el_line(edit);
  const std::string_view typed(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const auto fits = [&](const std::string& word) { return word.starts_with(typed); };
  if (!typed.starts_with(':') || std::ranges::count_if(words, fits) != 1) return CC_ERROR;
  const std::string& word = *std::ranges::find_if(words, fits);
  el_insertstr(edit, (word.substr(typed.size()) + " ").c_str());
  return CC_REFRESH;
}

// While a line is typed, Ctrl-C is a key, which reaches drop_line; during an answer it is a signal.
class QuietInterrupts {
 public:
  QuietInterrupts() : known_(tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!known_) return;
    termios quiet = before_;
    quiet.c_cc[VINTR] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet);
  }
  ~QuietInterrupts() {
    if (known_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }
  QuietInterrupts(const QuietInterrupts&) = delete;
  QuietInterrupts& operator=(const QuietInterrupts&) = delete;

 private:
  termios before_{};
  bool known_ = false;
};

class TerminalLines : public LineReader {
 public:
  TerminalLines(std::string history_file, std::vector<std::string> words)
      : file_(std::move(history_file)), words_(std::move(words)) {
    // Letters of more than one byte are edited as letters only in the user's locale.
    std::setlocale(LC_CTYPE, "");
    history_ = history_init();
    edit_ = el_init("fineprint", stdin, stdout, stderr);
    if (edit_ == nullptr || history_ == nullptr) {
      throw Error(ErrorCode::internal, "cannot start line editing; pipe the questions in instead");
    }
    history(history_, &event_, H_SETSIZE, kKeptLines);
    history(history_, &event_, H_SETUNIQUE, 1);
    history(history_, &event_, H_LOAD, file_.c_str());
    el_set(edit_, EL_PROMPT, prompt_of);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_CLIENTDATA, static_cast<void*>(&words_));
    el_set(edit_, EL_ADDFN, "drop-line", "drop the line", drop_line);
    el_set(edit_, EL_ADDFN, "complete-command", "complete a command", complete_command);
    el_set(edit_, EL_BIND, "^C", "drop-line", nullptr);
    el_set(edit_, EL_BIND, "^I", "complete-command", nullptr);
    el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(edit_, nullptr);
  }

  ~TerminalLines() override {
    el_end(edit_);
    history_end(history_);
  }

  bool is_typed() const override { return true; }

  std::optional<std::string> next() override {
    int count = 0;
    const QuietInterrupts quiet;
    // Before the prompt is printed: a Ctrl-D typed at the sight of it would be lost otherwise.
    el_set(edit_, EL_PREP_TERM, 1);
    const char* typed = el_gets(edit_, &count);
    if (typed == nullptr || count <= 0) {
      std::fputs("\n", stdout);
      return std::nullopt;
    }
    std::string line(typed, static_cast<std::size_t>(count));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    if (!line.empty()) keep(line);
    return line;
  }

 private:
  // Written after each line, so that a conversation that ends in a crash is kept, too.
  void keep(const std::string& line) {
    history(history_, &event_, H_ENTER, line.c_str());
    if (file_.empty() || history(history_, &event_, H_SAVE, file_.c_str()) >= 0) return;
    log::note("cannot write {}, so these questions are not kept: {}", file_, std::strerror(errno));
    file_.clear();
  }

  std::string file_;
  std::vector<std::string> words_;
  EditLine* edit_ = nullptr;
  History* history_ = nullptr;
  HistEvent event_{};
};

}  // namespace

std::unique_ptr<LineReader> open_lines(const std::string& history_file,
                                       std::vector<std::string> words) {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
    return std::make_unique<PipedLines>();
  std::error_code ignored;  // a folder that cannot be made is noted when the file is written
  std::filesystem::create_directories(std::filesystem::path(history_file).parent_path(), ignored);
  return std::make_unique<TerminalLines>(history_file, std::move(words));
}

std::string chat_history_file() {
  std::string folder = environment_value("XDG_STATE_HOME");
  // The standard has relative paths ignored.
  if (!folder.starts_with('/')) folder = environment_value("HOME") + "/.local/state";
  return folder + "/fineprint/chat-history";
}

}  // namespace fineprint::cli
