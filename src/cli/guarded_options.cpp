// The table of guarded options.
#include "cli/guarded_options.h"

#include <optional>
#include <string>
#include <string_view>

#include "fineprint/remote/openai_generator.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/server/server_options.h"

namespace fineprint::cli {
namespace {

using MaybeText = std::optional<std::string>;

// The tests by which the program itself separates servers from local models. Each option gets all
// three: no option may send because the test of another one was meant.
MaybeText risk_of_model(const std::string& spec) {
  const bool is_served = remote::names_server(spec) || remote::names_served_encoder(spec) ||
                         remote::names_served_reranker(spec);
  if (!is_served) return std::nullopt;
  return "sends questions, and texts or pictures of pages, to this server";
}

// AGENT=MODEL. Only the first '=' separates, as where the option is used.
MaybeText risk_of_agent(const std::string& text) {
  return risk_of_model(text.substr(text.find('=') + 1));
}

MaybeText risk_of_program(const std::string& text) {
  if (text == "auto" || text == "never") return std::nullopt;
  return "starts this program";
}

MaybeText risk_of_host(const std::string& text) {
  if (server::is_loopback(text)) return std::nullopt;
  return "lets other machines reach the server";
}

MaybeText risk_of_fetching(const std::string& text) {
  if (text == "never") return std::nullopt;
  return "lets commands fetch from other machines, with your keys and passwords for them";
}

struct Guarded {
  std::string_view option;
  settings::Risk risk;
};
constexpr Guarded kGuarded[] = {
    {"generator", risk_of_model},
    {"agent-generator", risk_of_agent},
    {"judge", risk_of_model},
    {"map", risk_of_model},
    {"retriever", risk_of_model},
    {"rerank", risk_of_model},
    {"qa", risk_of_model},
    {"vectors-at",
     [](const std::string&) -> MaybeText { return "sends vectors of questions to this database"; }},
    {"libreoffice", risk_of_program},
    {"fetch", risk_of_fetching},
    {"host", risk_of_host},
    {"allowed-host",
     [](const std::string&) -> MaybeText { return "lets web pages of this name use the server"; }},
    {"token-file",
     [](const std::string&) -> MaybeText { return "lets those in who know what this file says"; }},
    {"api-key-file",
     [](const std::string&) -> MaybeText {
       return "sends what this file says to servers of models";
     }},
    {"password-file",
     [](const std::string&) -> MaybeText {
       return "hands what this file says to the processes that read documents";
     }},
};

}  // namespace

void guard_options(settings::OptionSet& set) {
  for (const Guarded& one : kGuarded) set.guard(one.option, one.risk);
}

}  // namespace fineprint::cli
