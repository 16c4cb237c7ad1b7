// Reads and writes Ollama's chat and generate.
#include "server/dialects/ollama.h"

#include <ctime>
#include <utility>

#include "fineprint/core/format.h"

#include "server/records.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

constexpr double kNanosecondsOfMs = 1e6;

// Pictures are base64 without a type or a name.
void take_images(const Json& holder, const std::string& path, Message* message) {
  const Json* images = member(holder, "images");
  if (images == nullptr) return;
  if (!images->is_array()) throw refused_field(path + "images", "must be a list of base64 texts");
  for (std::size_t i = 0; i < images->size(); ++i) {
    const std::string one = format("{}images[{}]", path, i);
    if (!(*images)[i].is_string()) throw refused_field(one, "must be base64 text");
    message->pictures.push_back(sent_file((*images)[i].get_ref<const std::string&>(),
                                          {.name = {}, .media_type = {}, .path = one}));
  }
}

// What both requests have. Options of sampling and of memory have no meaning here.
void read_common(Fields& fields, OllamaRequest* request) {
  Asked& asked = request->asked;
  asked.model = without_latest(fields.text("model"));
  asked.ask.pipeline = asked.model;
  asked.ask.docs = fields.texts("docs");
  asked.streams = fields.flag("stream", true);
  fields.object("options");
  refuse_tools(fields);
  refuse_field(fields, "format", "is not supported: an answer is a text");
}

class OllamaWriter : public ReplyWriter {
 public:
  explicit OllamaWriter(const OllamaRequest& request)
      : model_(request.asked.model), is_chat_(request.is_chat) {}

  StreamForm stream_form() const override {
    return {.lines = true, .filler = dump_json(piece("", false)) + "\n"};
  }

  Json whole(const Reply& reply) override { return last(reply.text(), reply); }

  // The first line comes with the answer: an empty one would tell clients nothing.
  void begin(const SendEvent&) override {}

  void end(const Reply& reply, const SendEvent& send) override {
    for (const std::string& text : reply.pieces) send("", dump_json(piece(text, false)));
    send("", dump_json(last("", reply)));
  }

  void fail(const Problem& problem, const SendEvent& send) override {
    send("", error_json(problem, ErrorForm::ollama));
  }

  Json piece(const std::string& text, bool is_done) const {
    Json json = {{"model", model_}, {"created_at", utc_time(std::time(nullptr))}};
    if (is_chat_) {
      json["message"] = {{"role", "assistant"}, {"content", text}};
    } else {
      json["response"] = text;
    }
    json["done"] = is_done;
    return json;
  }

 private:
  // Times that were not measured are left out.
  Json last(const std::string& text, const Reply& reply) const {
    const Usage& usage = reply.answer.usage;
    Json json = piece(text, true);
    json["done_reason"] = "stop";
    json["total_duration"] = static_cast<std::int64_t>(usage.ms * kNanosecondsOfMs);
    json["prompt_eval_count"] = usage.prompt_tokens;
    json["eval_count"] = usage.output_tokens;
    json["fineprint"] = answer_json(reply.answer);
    return json;
  }

  const std::string model_;
  const bool is_chat_;
};

}  // namespace

std::string without_latest(const std::string& model) {
  constexpr std::string_view kLatest = ":latest";
  return model.ends_with(kLatest) ? model.substr(0, model.size() - kLatest.size()) : model;
}

std::string utc_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

OllamaRequest read_ollama_chat(const std::string& body) {
  Fields fields(body, "the request");
  OllamaRequest request;
  request.is_chat = true;
  read_common(fields, &request);
  const Json* list = fields.list("messages");
  request.loads = list == nullptr || list->empty();
  if (request.loads) return request;
  std::vector<Message> messages = messages_of_list(list, "messages", {});
  for (std::size_t i = 0; i < list->size(); ++i) {
    take_images((*list)[i], format("messages[{}].", i), &messages[i]);
  }
  take_conversation(messages, "messages", &request.asked.ask);
  return request;
}

OllamaRequest read_ollama_generate(const std::string& body) {
  Fields fields(body, "the request");
  OllamaRequest request;
  read_common(fields, &request);
  for (const char* name : {"suffix", "template", "raw", "context"}) {
    refuse_field(fields, name, "is not supported; /api/chat continues conversations");
  }
  Message message{.role = "user", .text = fields.text_or("prompt", "")};
  if (const Json* images = fields.list("images")) {
    take_images({{"images", *images}}, "", &message);
  }
  request.loads = message.text.empty() && message.pictures.empty();
  if (!request.loads) take_conversation({message}, "prompt", &request.asked.ask);
  return request;
}

std::unique_ptr<ReplyWriter> ollama_writer(const OllamaRequest& request) {
  return std::make_unique<OllamaWriter>(request);
}

// Models stay loaded, so there is nothing to do.
Json ollama_loaded(const OllamaRequest& request) {
  Json json = OllamaWriter(request).piece("", true);
  json["done_reason"] = "load";
  return json;
}

}  // namespace fineprint::server
