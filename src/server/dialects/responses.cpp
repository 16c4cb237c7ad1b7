// Reads and writes OpenAI's responses.
#include "server/dialects/responses.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "fineprint/core/format.h"

#include "server/records.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

std::string optional_text(const Json& part, const std::string& path, const char* name) {
  return member(part, name) == nullptr ? std::string() : text_member(part, path + ".", name);
}

// Addresses are refused, because the server fetches nothing, and so are files that were uploaded to
// OpenAI.
void refuse_reference(const Json& part, const std::string& path, const char* name,
                      const char* instead) {
  if (member(part, name) == nullptr) return;
  throw refused_field(path + "." + name, format("is not supported; send {}", instead));
}

bool take_input_part(const Json& part, const std::string& type, const std::string& path,
                     Message* message) {
  if (type == "input_file") {
    for (const char* name : {"file_id", "file_url"}) {
      refuse_reference(part, path, name, "file_data");
    }
    message->files.push_back(sent_file(text_member(part, path + ".", "file_data"),
                                       {.name = optional_text(part, path, "filename"),
                                        .media_type = {},
                                        .path = path + ".file_data"}));
    return true;
  }
  if (type != "input_image") return false;
  refuse_reference(part, path, "file_id", "image_url with a data URL");
  message->pictures.push_back(
      sent_file(text_member(part, path + ".", "image_url"),
                {.name = {}, .media_type = {}, .path = path + ".image_url"}));
  return true;
}

// Items other than messages come from tools and from other models' reasoning.
std::vector<Message> read_input(const Json* input) {
  if (input == nullptr) throw refused_field("input", "is missing");
  if (input->is_string()) return {{.role = "user", .text = input->get<std::string>()}};
  if (!input->is_array() || input->empty()) {
    throw refused_field("input", "must be a string or a list of at least one item");
  }
  for (std::size_t i = 0; i < input->size(); ++i) {
    const Json& item = (*input)[i];
    if (!item.is_object() || member(item, "type") == nullptr) continue;
    const std::string path = format("input[{}].", i);
    const std::string& type = text_member(item, path, "type");
    if (type == "message") continue;
    throw refused_field(path + "type", format("must be 'message'; a store reads no items of the "
                                              "type '{}'",
                                              type.substr(0, 40)));
  }
  const PartForm form{.texts = {"input_text", "output_text", "text"}, .other = take_input_part};
  return messages_of_list(input, "input", form);
}

Json response_usage_json(const Usage& usage) {
  return {
      {"input_tokens", usage.prompt_tokens},
      {"input_tokens_details", {{"cached_tokens", usage.cached_tokens}, {"cache_write_tokens", 0}}},
      {"output_tokens", usage.output_tokens},
      {"output_tokens_details", {{"reasoning_tokens", 0}}},
      {"total_tokens", usage.prompt_tokens + usage.output_tokens}};
}

// The index is where the citation is inserted. Page, quote and link are additions to the form.
Json file_citations(const Reply& reply) {
  Json list = Json::array();
  for (const CitedLine& line : reply.cited) {
    const Citation& citation = line.citation;
    Json json = {{"type", "file_citation"},       {"file_id", citation.page.doc},
                 {"filename", citation.page.doc}, {"index", line.start},
                 {"page", citation.page.page},    {"quote", citation.quote}};
    if (!line.url.empty()) json["url"] = line.url;
    list.push_back(std::move(json));
  }
  return list;
}

Json output_text(const std::string& text, Json annotations) {
  return {{"type", "output_text"},
          {"text", text},
          {"annotations", std::move(annotations)},
          {"logprobs", Json::array()}};
}

// The codes that OpenAI's clients know.
const char* response_error_code(int status) {
  if (status == 429) return "rate_limit_exceeded";
  return status < 500 ? "invalid_prompt" : "server_error";
}

class ResponsesWriter : public ReplyWriter {
 public:
  ResponsesWriter(ResponsesRequest request, KeptResponses& kept)
      : request_(std::move(request)), kept_(kept) {}

  Json whole(const Reply& reply) override {
    keep(reply);
    return completed(reply);
  }

  void begin(const SendEvent& send) override {
    for (const char* event : {"response.created", "response.in_progress"}) {
      say(event, {{"response", frame("in_progress")}}, send);
    }
  }

  void end(const Reply& reply, const SendEvent& send) override {
    Json item = message_item("in_progress", Json::array());
    say("response.output_item.added", {{"output_index", 0}, {"item", std::move(item)}}, send);
    say_of_part("response.content_part.added", {{"part", output_text("", Json::array())}}, send);
    for (const std::string& piece : reply.pieces) {
      say_of_part("response.output_text.delta", {{"delta", piece}, {"logprobs", Json::array()}},
                  send);
    }
    const Json citations = file_citations(reply);
    for (std::size_t i = 0; i < citations.size(); ++i) {
      say_of_part("response.output_text.annotation.added",
                  {{"annotation_index", i}, {"annotation", citations[i]}}, send);
    }
    say_of_part("response.output_text.done", {{"text", reply.text()}, {"logprobs", Json::array()}},
                send);
    const Json part = output_text(reply.text(), citations);
    say_of_part("response.content_part.done", {{"part", part}}, send);
    say("response.output_item.done",
        {{"output_index", 0}, {"item", message_item("completed", Json::array({part}))}}, send);
    // Kept before the client can know that it may continue.
    keep(reply);
    say("response.completed", {{"response", completed(reply)}}, send);
  }

  void fail(const Problem& problem, const SendEvent& send) override {
    Json response = frame("failed");
    response["error"] = {{"code", response_error_code(problem.status)},
                         {"message", problem.message}};
    say("response.failed", {{"response", std::move(response)}}, send);
  }

 private:
  Json frame(const char* status) const {
    const Json previous = request_.previous.empty() ? Json() : Json(request_.previous);
    return {{"id", id_},
            {"object", "response"},
            {"created_at", created_},
            {"status", status},
            {"error", nullptr},
            {"incomplete_details", nullptr},
            {"instructions", request_.instructions},
            {"metadata", request_.metadata},
            {"model", request_.asked.model},
            {"output", Json::array()},
            {"parallel_tool_calls", false},
            {"previous_response_id", previous},
            {"store", request_.keeps},
            {"temperature", nullptr},
            {"text", {{"format", {{"type", "text"}}}}},
            {"tool_choice", "none"},
            {"tools", Json::array()},
            {"top_p", nullptr},
            {"truncation", "disabled"},
            {"usage", nullptr}};
  }

  Json message_item(const char* status, Json content) const {
    return {{"id", item_id_},
            {"type", "message"},
            {"status", status},
            {"role", "assistant"},
            {"content", std::move(content)}};
  }

  Json completed(const Reply& reply) const {
    Json response = frame("completed");
    response["output"] = Json::array({message_item(
        "completed", Json::array({output_text(reply.text(), file_citations(reply))}))});
    response["usage"] = response_usage_json(reply.answer.usage);
    response["fineprint"] = answer_json(reply.answer);
    return response;
  }

  void keep(const Reply& reply) {
    if (!request_.keeps) return;
    std::vector<Message> messages = request_.messages;
    messages.push_back({.role = "assistant", .text = reply.text()});
    kept_.keep(id_, messages, dump_json(completed(reply)));
  }

  void say(const char* event, Json fields, const SendEvent& send) {
    Json json = {{"type", event}, {"sequence_number", sequence_++}};
    json.update(fields);
    send(event, dump_json(json));
  }

  void say_of_part(const char* event, const Json& fields, const SendEvent& send) {
    Json json = {{"item_id", item_id_}, {"output_index", 0}, {"content_index", 0}};
    json.update(fields);
    say(event, std::move(json), send);
  }

  const ResponsesRequest request_;
  KeptResponses& kept_;
  const std::string id_ = "resp_" + random_id(), item_id_ = "msg_" + random_id();
  const std::int64_t created_ = std::time(nullptr);
  int sequence_ = 0;
};

// What would change the reply or the protocol.
void refuse_unsupported(Fields& fields) {
  refuse_tools(fields);
  refuse_field(fields, "background", "is not supported: a response comes with its request");
  refuse_field(fields, "conversation", "is not supported; continue with previous_response_id");
  refuse_field(fields, "prompt", "is not supported: there are no stored prompts");
  const Json* text = fields.object("text");
  const Json* format = text == nullptr ? nullptr : member(*text, "format");
  if (format == nullptr) return;
  if (!format->is_object()) throw refused_field("text.format", "must be an object");
  if (text_member(*format, "text.format.", "type") != "text") {
    throw refused_field("text.format", "must be text");
  }
}

}  // namespace

ResponsesRequest read_responses_request(const std::string& body, const KeptResponses& kept) {
  Fields fields(body, "the request");
  ResponsesRequest request;
  Asked& asked = request.asked;
  asked.model = fields.text("model");
  request.previous = fields.text_or("previous_response_id", "");
  if (!request.previous.empty()) request.messages = kept.find(request.previous);
  // A question must be among the new messages: the previous one was answered.
  std::vector<Message> input = read_input(fields.value("input"));
  take_conversation(input, "input", &asked.ask);
  asked.ask = {};
  std::ranges::move(input, std::back_inserter(request.messages));
  take_conversation(request.messages, "input", &asked.ask);
  asked.ask.docs = fields.texts("docs");
  asked.ask.pipeline = asked.model;
  asked.streams = fields.flag("stream", false);
  request.keeps = fields.flag("store", true);
  refuse_unsupported(fields);
  request.instructions = Json(nullptr);
  if (fields.value("instructions") != nullptr) request.instructions = fields.text("instructions");
  const Json* metadata = fields.object("metadata");
  request.metadata = metadata == nullptr ? Json::object() : *metadata;
  return request;
}

std::unique_ptr<ReplyWriter> responses_writer(const ResponsesRequest& request,
                                              KeptResponses& kept) {
  return std::make_unique<ResponsesWriter>(request, kept);
}

}  // namespace fineprint::server
