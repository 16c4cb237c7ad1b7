// `fineprint chat`: a conversation at the terminal over a folder or a store.
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/library/asked_folder.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/library/kept_index.h"
#include "fineprint/store/store.h"

#include "cli/asked_options.h"
#include "cli/asked_paths.h"
#include "cli/chat/chat_commands.h"
#include "cli/chat/conversation.h"
#include "cli/chat/line_reader.h"
#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Carries out one line. Returns false if the conversation is to end.
bool take_line(const std::string& line, Conversation& conversation) {
  const std::string_view said = trim(line);
  if (said.empty()) return true;
  if (said.starts_with(':')) return run_chat_command(said, conversation);
  conversation.ask(std::string(said));
  return true;
}

// Returns the exit code: 1 if a line of a pipe failed, because nobody else sees it.
int converse(LineReader& lines, Conversation& conversation) {
  bool failed = false;
  while (const std::optional<std::string> line = lines.next()) {
    try {
      if (!take_line(*line, conversation)) break;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::interrupted) {
        log::error("{}", std::string_view(error.what()));
        failed = true;
        continue;
      }
      // Ctrl-C stops only this answer of somebody who can ask on, but all of a script.
      if (!lines.is_typed()) throw;
      set_interrupted(false);
      log::note("the answer was stopped; ask on, or end with :quit");
    }
  }
  return failed ? 1 : 0;
}

int chat_over(const Settings& settings, const std::string& dir,
              const library::AskedFolder* folder) {
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  Question limited;
  if (folder != nullptr) folder->limit(session.corpus(), &limited);
  Conversation conversation(settings, session, limited.docs);
  // From here on nothing is written that an end at once could damage, and nobody looks at the flag
  // that SIGTERM sets while a line is typed.
  std::signal(SIGTERM, SIG_DFL);
  const auto lines = open_lines(chat_history_file(), chat_command_names());
  log::note("{} documents; ask, or :help", session.corpus().documents().size());
  return converse(*lines, conversation);
}

}  // namespace

// Folders are read completely before the first question: a conversation asks about all of them.
int run_chat(const Settings& settings) {
  const documents::BroughtPaths brought = asked_paths(settings);
  const std::vector<std::string>& paths = brought.paths;
  const bool names_store = paths.size() == 1 && is_store(paths.front());
  if (names_store && settings.origin("store") == settings::kFlagsOrigin) {
    throw Error(ErrorCode::usage, "two stores are named; leave out --store or " + paths.front());
  }
  if (paths.empty() || names_store) {
    const std::string named = names_store ? paths.front() : store_dir(settings);
    return chat_over(settings, library::searched_store(named), nullptr);
  }
  library::AskedFolder folder(asked_options(settings), paths);
  folder.read_for("");
  const int code = chat_over(settings, folder.dir(), &folder);
  return folder.has_failures() || brought.has_failures() ? 1 : code;
}

}  // namespace fineprint::cli
