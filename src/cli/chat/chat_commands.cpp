// The table of the commands of a conversation.
#include "cli/chat/chat_commands.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "cli/output.h"

namespace fineprint::cli {
namespace {

struct ChatCommand {
  std::string_view name, argument, summary;
  bool (*run)(Conversation& conversation, const std::string& argument);
};

bool print_help(Conversation& conversation, const std::string& argument);

// Each returns whether the conversation goes on.
constexpr ChatCommand kChatCommands[] = {
    {":open", "N", "draw the page of citation N of the last answer and show where it is",
     [](Conversation& on, const std::string& number) { return on.open_page(number), true; }},
    {":image", "FILE", "ask the next question about a picture: a photo, a screenshot",
     [](Conversation& on, const std::string& file) { return on.add_picture(file), true; }},
    {":why", "", "print the steps of the last answer",
     [](Conversation& on, const std::string&) { return on.print_steps(), true; }},
    {":docs", "", "list the documents that are asked",
     [](Conversation& on, const std::string&) { return on.print_documents(), true; }},
    {":pipeline", "NAME", "answer the next questions by another pipeline",
     [](Conversation& on, const std::string& name) { return on.choose_pipeline(name), true; }},
    {":save", "FILE.html", "write the conversation with its pages to one HTML file",
     [](Conversation& on, const std::string& file) { return on.save(file), true; }},
    {":new", "", "begin a new conversation: the next question follows none",
     [](Conversation& on, const std::string&) { return on.forget(), true; }},
    {":help", "", "print this list", print_help},
    {":quit", "", "end the conversation (so does the end of the input)",
     [](Conversation&, const std::string&) { return false; }},
};

bool print_help(Conversation&, const std::string&) {
  print_line("Ask a question, or a follow-up such as \"And in 2021?\". Commands:");
  for (const ChatCommand& command : kChatCommands) {
    print_line(
        format("  {:<20} {}", format("{} {}", command.name, command.argument), command.summary));
  }
  return true;
}

}  // namespace

bool run_chat_command(std::string_view line, Conversation& conversation) {
  const std::string_view name = line.substr(0, line.find_first_of(" \t"));
  const std::string argument(trim(line.substr(name.size())));
  const auto found = std::ranges::find(kChatCommands, name, &ChatCommand::name);
  if (found == std::end(kChatCommands)) {
    throw Error(ErrorCode::usage, format("there is no command {}; the commands are {}", name,
                                         join_texts(chat_command_names(), ", ")));
  }
  if (found->argument.empty() && !argument.empty()) {
    throw Error(ErrorCode::usage, format("{} takes nothing after it", name));
  }
  return found->run(conversation, argument);
}

std::vector<std::string> chat_command_names() {
  std::vector<std::string> names;
  for (const ChatCommand& command : kChatCommands) names.emplace_back(command.name);
  return names;
}

}  // namespace fineprint::cli
