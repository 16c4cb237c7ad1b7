// Reads and writes OpenAI's chat completions.
#include "server/dialects/chat_completions.h"

#include <ctime>
#include <utility>

#include "server/records.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

// A picture is a member of its part with a URL, a file one with data.
bool take_chat_part(const Json& part, const std::string& type, const std::string& path,
                    Message* message) {
  const char* name = type == "image_url" || type == "file" ? type.c_str() : nullptr;
  if (name == nullptr) return false;
  const Json* inner = member(part, name);
  const std::string inner_path = path + "." + name;
  if (inner == nullptr || !inner->is_object()) {
    throw refused_field(inner_path, "must be an object");
  }
  if (type == "image_url") {
    const std::string& url = text_member(*inner, inner_path + ".", "url");
    message->pictures.push_back(
        sent_file(url, {.name = {}, .media_type = {}, .path = inner_path + ".url"}));
    return true;
  }
  if (member(*inner, "file_id") != nullptr) {
    throw refused_field(inner_path + ".file_id", "is not supported; send file_data");
  }
  const std::string filename = member(*inner, "filename") == nullptr
                                   ? std::string()
                                   : text_member(*inner, inner_path + ".", "filename");
  const std::string& data = text_member(*inner, inner_path + ".", "file_data");
  message->files.push_back(
      sent_file(data, {.name = filename, .media_type = {}, .path = inner_path + ".file_data"}));
  return true;
}

Json annotations_json(const Reply& reply) {
  Json annotations = Json::array();
  for (const CitedLine& line : reply.cited) {
    if (line.url.empty()) continue;
    annotations.push_back({{"type", "url_citation"},
                           {"url_citation",
                            {{"start_index", line.start},
                             {"end_index", line.end},
                             {"title", line.title},
                             {"url", line.url}}}});
  }
  return annotations;
}

Json usage_json(const Usage& usage) {
  const std::int64_t read = usage.prompt_tokens;
  return {{"prompt_tokens", read},
          {"completion_tokens", usage.output_tokens},
          {"total_tokens", read + usage.output_tokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached_tokens}}}};
}

// Whole replies and chunks differ only in the name of this member.
Json with_choice(Json frame, const char* name, Json said, const Json& finish) {
  frame["choices"] = Json::array(
      {{{"index", 0}, {name, std::move(said)}, {"finish_reason", finish}, {"logprobs", nullptr}}});
  return frame;
}

class ChatWriter : public ReplyWriter {
 public:
  explicit ChatWriter(const ChatRequest& request)
      : model_(request.asked.model), tells_usage_(request.tells_usage) {}

  Json whole(const Reply& reply) override {
    Json json = with_choice(frame("chat.completion"), "message",
                            {{"role", "assistant"},
                             {"content", reply.text()},
                             {"refusal", nullptr},
                             {"annotations", annotations_json(reply)}},
                            "stop");
    json["usage"] = usage_json(reply.answer.usage);
    json["fineprint"] = answer_json(reply.answer);
    return json;
  }

  void begin(const SendEvent& send) override {
    say({{"role", "assistant"}, {"content", ""}}, send);
  }

  void end(const Reply& reply, const SendEvent& send) override {
    for (const std::string& piece : reply.pieces) say({{"content", piece}}, send);
    Json last = with_choice(chunk(), "delta", {{"annotations", annotations_json(reply)}}, "stop");
    last["fineprint"] = answer_json(reply.answer);
    send("", dump_json(last));
    if (tells_usage_) {
      Json usage = chunk();
      usage["choices"] = Json::array();
      usage["usage"] = usage_json(reply.answer.usage);
      send("", dump_json(usage));
    }
    send("", "[DONE]");
  }

  void fail(const Problem& problem, const SendEvent& send) override {
    send("", error_json(problem));
  }

 private:
  // The fields that all pieces of one reply share.
  Json frame(const char* object) const {
    return {{"id", id_}, {"object", object}, {"created", created_}, {"model", model_}};
  }
  Json chunk() const { return frame("chat.completion.chunk"); }
  void say(Json delta, const SendEvent& send) const {
    send("", dump_json(with_choice(chunk(), "delta", std::move(delta), nullptr)));
  }

  const std::string model_;
  const bool tells_usage_;
  const std::string id_ = "chatcmpl-" + random_id();
  const std::int64_t created_ = std::time(nullptr);
};

}  // namespace

ChatRequest read_chat_request(const std::string& body) {
  Fields fields(body, "the request");
  ChatRequest request;
  Asked& asked = request.asked;
  asked.model = fields.text("model");
  const PartForm form{.texts = {"text"}, .other = take_chat_part};
  take_conversation(messages_of_list(fields.value("messages"), "messages", form), "messages",
                    &asked.ask);
  asked.ask.docs = fields.texts("docs");
  asked.ask.pipeline = asked.model;
  asked.streams = fields.flag("stream", false);
  refuse_tools(fields);
  if (fields.whole("n", 1, 1'000'000).value_or(1) != 1) {
    throw refused_field("n", "must be 1: a question gets one reply");
  }
  const Json* format = fields.object("response_format");
  if (format != nullptr && text_member(*format, "response_format.", "type") != "text") {
    throw refused_field("response_format", "must be text");
  }
  if (const Json* options = fields.object("stream_options")) {
    const Json* usage = member(*options, "include_usage");
    if (usage != nullptr && !usage->is_boolean()) {
      throw refused_field("stream_options.include_usage", "must be true or false");
    }
    request.tells_usage = usage != nullptr && usage->get<bool>();
  }
  return request;
}

std::unique_ptr<ReplyWriter> chat_writer(const ChatRequest& request) {
  return std::make_unique<ChatWriter>(request);
}

}  // namespace fineprint::server
