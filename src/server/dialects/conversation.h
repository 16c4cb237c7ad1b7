// What requests of all dialects have in common: messages, files, and fields that every dialect
// refuses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/server/service.h"

#include "server/fields.h"
#include "server/refusal.h"

namespace fineprint::server {

// A message of a conversation. Only those of "user" and "assistant" are read.
struct Message {
  std::string role, text;
  std::vector<SentFile> files = {};
  std::vector<SentFile> pictures = {};
};

// A question that came in some dialect.
struct Asked {
  AskRequest ask;
  std::string model;  // a preset
  bool streams = false;
};

// Takes a part of a message that is not plain text, of the given type. `path` names the part:
// "messages[2].content[0]". Returns false if the dialect has no such part.
using TakePart = std::function<bool(const Json& part, const std::string& type,
                                    const std::string& path, Message* message)>;

// How a dialect writes the parts of a message.
struct PartForm {
  std::vector<std::string> texts;  // the types of parts with a member `text`
  TakePart other;                  // for all other types
};

// Reads content into a message: a text, or a list of parts, whose texts are joined with line ends.
// Throws Refusal(400) with the path of the field that is wrong.
void read_content(const Json& content, const std::string& path, const PartForm& form,
                  Message* message);
// Returns the message of an object with `role` and `content`. Throws like read_content().
Message message_of_json(const Json& json, const std::string& path, const PartForm& form);

// Reads a list of at least one message. `field` is its name.
std::vector<Message> messages_of_list(const Json* list, const std::string& field,
                                      const PartForm& form);

// Makes the last message of the user the question, with its pictures, and the messages before it
// its earlier turns, and takes the files of all of them. Throws Refusal(400) if there is none.
void take_conversation(const std::vector<Message>& messages, const std::string& field,
                       AskRequest* ask);

// Throws Refusal(400) if the request offers tools, because none would be called. Names them.
void refuse_tools(Fields& fields);
// Throws Refusal(400) if the field is there and not null, false or empty.
void refuse_field(Fields& fields, const char* name, const std::string& why);

// Throws Refusal(404) if there is no preset of this name, and Refusal(400) if it cannot be used.
void require_model(const Service& service, const std::string& model);
// Returns a refusal of a model that does not exist.
Refusal no_model(const std::string& name);

// Returns 24 hexadecimal digits that nobody can guess.
std::string random_id();

}  // namespace fineprint::server
