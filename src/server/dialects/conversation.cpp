// Reads messages of all dialects.
#include "server/dialects/conversation.h"

#include <algorithm>
#include <random>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"

#include "server/earlier_turns.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostModelBytes = 80;
constexpr std::size_t kMostTypeBytes = 40;
constexpr std::size_t kMostToolsShown = 5;

void take_part(const Json& part, const std::string& path, const PartForm& form, Message* message) {
  if (!part.is_object()) throw refused_field(path, "must be an object with a 'type'");
  const std::string& type = text_member(part, path + ".", "type");
  if (std::ranges::find(form.texts, type) != form.texts.end()) {
    const std::string& text = text_member(part, path + ".", "text");
    message->text += (message->text.empty() ? "" : "\n") + text;
  } else if (!form.other || !form.other(part, type, path, message)) {
    throw refused_field(path, format("is a part of the type '{}', which is not accepted; texts, "
                                     "files and pictures are",
                                     shortened(type, kMostTypeBytes)));
  }
}

// OpenAI's functions have their name one level down; tools that a server runs have only a type.
std::string tool_name(const Json& tool) {
  const Json* named = tool.is_object() ? &tool : nullptr;
  if (named != nullptr && tool.contains("function") && tool["function"].is_object()) {
    named = &tool["function"];
  }
  for (const char* name : {"name", "type"}) {
    const Json* given = named == nullptr ? nullptr : member(*named, name);
    if (given != nullptr && given->is_string()) {
      return shortened(given->get<std::string>(), kMostTypeBytes);
    }
  }
  return "a tool without a name";
}

bool is_nothing(const Json& value) {
  return value.is_null() || value == false || value == "" || value == 0 ||
         (value.is_structured() && value.empty());
}

}  // namespace

Message message_of_json(const Json& json, const std::string& path, const PartForm& form) {
  if (!json.is_object()) throw refused_field(path, "must be an object with a 'role'");
  Message message{.role = text_member(json, path + ".", "role"), .text = {}};
  const Json* content = member(json, "content");
  if (content != nullptr) read_content(*content, path + ".content", form, &message);
  return message;
}

void read_content(const Json& content, const std::string& path, const PartForm& form,
                  Message* message) {
  if (content.is_string()) {
    message->text = content.get<std::string>();
    return;
  }
  if (!content.is_array()) throw refused_field(path, "must be a string or a list of parts");
  for (std::size_t i = 0; i < content.size(); ++i) {
    take_part(content[i], format("{}[{}]", path, i), form, message);
  }
}

std::vector<Message> messages_of_list(const Json* list, const std::string& field,
                                      const PartForm& form) {
  if (list == nullptr || !list->is_array() || list->empty()) {
    throw refused_field(field, "must be a list of at least one message");
  }
  std::vector<Message> messages;
  for (std::size_t i = 0; i < list->size(); ++i) {
    messages.push_back(message_of_json((*list)[i], format("{}[{}]", field, i), form));
  }
  return messages;
}

void take_conversation(const std::vector<Message>& messages, const std::string& field,
                       AskRequest* ask) {
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i].role != "user") continue;
    ask->question = messages[i].text;
    ask->pictures = messages[i].pictures;
    ask->earlier = turns_of_messages({messages.data(), i});
    for (const Message& message : messages) {
      for (const SentFile& file : message.files) add_sent_file(file, &ask->files);
    }
    return;
  }
  throw refused_field(field, "contains no message with the role 'user'");
}

// Tools that the client itself forbids to use have no effect, so they are no error.
void refuse_tools(Fields& fields) {
  const Json* choice = fields.value("tool_choice");
  const Json* tools = fields.list("tools");
  if (tools == nullptr || tools->empty()) return;
  if (choice != nullptr) {
    if (*choice == "none") return;
    const Json* type = choice->is_object() ? member(*choice, "type") : nullptr;
    if (type != nullptr && *type == "none") return;
  }
  std::vector<std::string> names;
  for (const Json& tool : *tools) {
    if (names.size() == kMostToolsShown) break;
    names.push_back(tool_name(tool));
  }
  throw refused_field("tools", format("must be empty, because a store calls no tools ({}); leave "
                                      "them out, or send tool_choice \"none\"",
                                      join_texts(names, ", ")));
}

void refuse_field(Fields& fields, const char* name, const std::string& why) {
  const Json* given = fields.value(name);
  if (given != nullptr && !is_nothing(*given)) throw refused_field(name, why);
}

Refusal no_model(const std::string& name) {
  return refused_field("model",
                       format("is \"{}\", but there is no such model; GET /v1/models lists them",
                              shortened(name, kMostModelBytes)),
                       404);
}

void require_model(const Service& service, const std::string& model) {
  const std::vector<Way>& ways = service.ways();
  const auto found = std::ranges::find(ways, model, &Way::name);
  if (found == ways.end()) throw no_model(model);
  if (found->usable) return;
  throw refused_field("model", format("is \"{}\", which needs a generator; start the server with "
                                      "--generator MODEL",
                                      model));
}

std::string random_id() {
  std::random_device random;
  return format("{:08x}{:08x}{:08x}", random(), random(), random());
}

}  // namespace fineprint::server
