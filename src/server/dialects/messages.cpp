// Reads and writes Anthropic's messages.
#include "server/dialects/messages.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"

#include "server/records.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostSourceTypeBytes = 40;

std::string text_of_content(const Json* content, const std::string& path) {
  if (content == nullptr) throw refused_field(path, "is missing");
  Message parts;
  read_content(*content, path, {.texts = {"text"}, .other = {}}, &parts);
  return parts.text;
}

SentFile file_of_source(const Json& source, const std::string& path, const std::string& title) {
  const std::string& type = text_member(source, path + ".", "type");
  SentDescription description{.name = title, .media_type = {}, .path = path + ".data"};
  if (type == "content") {
    description.media_type = "text/plain";
    description.path = path + ".content";
    return sent_bytes(text_of_content(member(source, "content"), description.path), description);
  }
  if (type != "base64" && type != "text") {
    throw refused_field(path + ".type", format("is '{}', which is not supported; send the file "
                                               "itself, as base64 or text",
                                               shortened(type, kMostSourceTypeBytes)));
  }
  const std::string& data = text_member(source, path + ".", "data");
  description.media_type = text_member(source, path + ".", "media_type");
  return type == "text" ? sent_bytes(data, description) : sent_file(data, description);
}

bool take_block(const Json& part, const std::string& type, const std::string& path,
                Message* message) {
  if (type != "document" && type != "image") return false;
  const Json* source = member(part, "source");
  if (source == nullptr || !source->is_object()) {
    throw refused_field(path + ".source", "must be an object");
  }
  const std::string title =
      member(part, "title") == nullptr ? std::string() : text_member(part, path + ".", "title");
  std::vector<SentFile>& to = type == "image" ? message->pictures : message->files;
  to.push_back(file_of_source(*source, path + ".source", title));
  return true;
}

// Input tokens leave out the tokens kept from earlier calls; the sum of both is what the other
// dialects report.
Json message_usage_json(const Usage& usage) {
  return {{"input_tokens", usage.prompt_tokens - usage.cached_tokens},
          {"cache_creation_input_tokens", 0},
          {"cache_read_input_tokens", usage.cached_tokens},
          {"output_tokens", usage.output_tokens}};
}

class MessagesWriter : public ReplyWriter {
 public:
  explicit MessagesWriter(const Asked& request) : model_(request.model) {
    for (const SentFile& file : request.ask.files) documents_.push_back(file.name);
  }

  StreamForm stream_form() const override {
    return {.filler = event_text("ping", dump_json({{"type", "ping"}}))};
  }

  Json whole(const Reply& reply) override {
    Json json = message(message_usage_json(reply.answer.usage), "end_turn");
    Json answer = {{"type", "text"}, {"text", reply.answer.answer}, {"citations", nullptr}};
    if (!reply.cited.empty()) answer["citations"] = page_locations(reply);
    json["content"].push_back(std::move(answer));
    if (const std::string lines = reply.lines(); !lines.empty()) {
      json["content"].push_back({{"type", "text"}, {"text", lines}, {"citations", nullptr}});
    }
    json["fineprint"] = answer_json(reply.answer);
    return json;
  }

  void begin(const SendEvent& send) override {
    say("message_start", {{"message", message(message_usage_json({}), nullptr)}}, send);
  }

  void end(const Reply& reply, const SendEvent& send) override {
    say_block(0, reply.answer.answer, page_locations(reply), send);
    if (const std::string lines = reply.lines(); !lines.empty()) {
      say_block(1, lines, Json::array(), send);
    }
    say("message_delta",
        {{"delta", {{"stop_reason", "end_turn"}, {"stop_sequence", nullptr}}},
         {"usage", message_usage_json(reply.answer.usage)},
         {"fineprint", answer_json(reply.answer)}},
        send);
    say("message_stop", Json::object(), send);
  }

  void fail(const Problem& problem, const SendEvent& send) override {
    send("error", error_json(problem, ErrorForm::anthropic));
  }

 private:
  Json message(Json usage, const Json& stop_reason) const {
    return {{"id", id_},
            {"type", "message"},
            {"role", "assistant"},
            {"model", model_},
            {"content", Json::array()},
            {"stop_reason", stop_reason},
            {"stop_sequence", nullptr},
            {"usage", std::move(usage)}};
  }

  // The end of a range of pages is the page after it. Documents that the request did not bring are
  // numbered in the order in which they are cited.
  Json page_locations(const Reply& reply) const {
    std::vector<std::string> documents = documents_;
    Json list = Json::array();
    for (const CitedLine& line : reply.cited) {
      const PageRef& page = line.citation.page;
      auto found = std::ranges::find(documents, page.doc);
      if (found == documents.end()) found = documents.insert(documents.end(), page.doc);
      list.push_back({{"type", "page_location"},
                      {"cited_text", line.citation.quote},
                      {"document_index", found - documents.begin()},
                      {"document_title", page.doc},
                      {"start_page_number", page.page},
                      {"end_page_number", page.page + 1},
                      {"file_id", nullptr}});
    }
    return list;
  }

  static void say(const char* event, Json fields, const SendEvent& send) {
    Json json = {{"type", event}};
    json.update(fields);
    send(event, dump_json(json));
  }

  static void say_block(int index, const std::string& text, const Json& citations,
                        const SendEvent& send) {
    const auto say_delta = [&](Json delta) {
      say("content_block_delta", {{"index", index}, {"delta", std::move(delta)}}, send);
    };
    say("content_block_start",
        {{"index", index},
         {"content_block", {{"type", "text"}, {"text", ""}, {"citations", nullptr}}}},
        send);
    say_delta({{"type", "text_delta"}, {"text", text}});
    for (const Json& citation : citations) {
      say_delta({{"type", "citations_delta"}, {"citation", citation}});
    }
    say("content_block_stop", {{"index", index}}, send);
  }

  const std::string model_;
  std::vector<std::string> documents_;  // of the request
  const std::string id_ = "msg_" + random_id();
};

}  // namespace

Asked read_messages_request(const std::string& body, bool counts) {
  Fields fields(body, "the request");
  Asked asked;
  asked.model = fields.text("model");
  const auto most = fields.whole("max_tokens", 1, std::numeric_limits<std::int32_t>::max());
  if (!most && !counts) throw refused_field("max_tokens", "is missing");
  const PartForm form{.texts = {"text"}, .other = take_block};
  take_conversation(messages_of_list(fields.value("messages"), "messages", form), "messages",
                    &asked.ask);
  // A system prompt has no effect, as in the other dialects, but must have its form.
  if (const Json* system = fields.value("system"); system != nullptr) {
    text_of_content(system, "system");
  }
  asked.ask.docs = fields.texts("docs");
  asked.ask.pipeline = asked.model;
  asked.streams = fields.flag("stream", false);
  refuse_tools(fields);
  const Json* output = fields.object("output_config");
  if (output != nullptr && member(*output, "format") != nullptr) {
    throw refused_field("output_config.format", "is not supported: an answer is a text");
  }
  return asked;
}

std::unique_ptr<ReplyWriter> messages_writer(const Asked& request) {
  return std::make_unique<MessagesWriter>(request);
}

}  // namespace fineprint::server
