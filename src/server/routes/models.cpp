// Lists what can be named as a model, in the forms of OpenAI, Anthropic and Ollama: the presets
// that can be used, and the text encoder.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"

#include "build_info.h"
#include "server/dialects/conversation.h"
#include "server/dialects/ollama.h"
#include "server/fields.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

// The start of the server replaces the time of creation, which is unknown.
std::int64_t start_time() {
  static const std::int64_t kStart = std::time(nullptr);
  return kStart;
}

// The presets that can be used, and then the encoder.
std::vector<std::string> model_names(const Served& served) {
  std::vector<std::string> names;
  for (const Way& way : served.service.ways()) {
    if (way.usable) names.push_back(way.name);
  }
  names.push_back(served.service.text_model());
  return names;
}

// OpenAI's and Anthropic's clients ask at the same path, so an entry has the fields of both.
Json model_json(const std::string& name) {
  return {{"id", name},
          {"object", "model"},
          {"created", start_time()},
          {"owned_by", "fineprint"},
          {"type", "model"},
          {"display_name", name},
          {"created_at", utc_time(start_time())},
          {"lifecycle", "active"}};
}

HttpReply models_list(const Served& served) {
  const std::vector<std::string> names = model_names(served);
  Json data = Json::array();
  for (const std::string& name : names) data.push_back(model_json(name));
  return json_reply(dump_json({{"object", "list"},
                               {"data", std::move(data)},
                               {"has_more", false},
                               {"first_id", names.front()},
                               {"last_id", names.back()}}));
}

// A store is no file of weights, so most of what Ollama says about a model is empty.
Json details_json() {
  return {{"parent_model", ""},        {"format", "fineprint"}, {"family", "fineprint"},
          {"families", {"fineprint"}}, {"parameter_size", ""},  {"quantization_level", ""}};
}

HttpReply tags(const Served& served) {
  Json models = Json::array();
  for (const std::string& name : model_names(served)) {
    models.push_back({{"name", name},
                      {"model", name},
                      {"modified_at", utc_time(start_time())},
                      {"size", 0},
                      {"digest", content_hash(name)},
                      {"details", details_json()}});
  }
  return json_reply(dump_json({{"models", std::move(models)}}));
}

// Earlier clients send `name`.
HttpReply show(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the request");
  const std::string model = without_latest(
      fields.value("model") == nullptr && fields.value("name") != nullptr ? fields.text("name")
                                                                          : fields.text("model"));
  const bool embeds = model == served.service.text_model();
  if (!embeds) require_model(served.service, model);
  std::string summary;
  for (const Way& way : served.service.ways()) {
    if (way.name == model) summary = way.summary;
  }
  return json_reply(dump_json({{"modelfile", ""},
                               {"parameters", ""},
                               {"template", ""},
                               {"license", ""},
                               {"modified_at", utc_time(start_time())},
                               {"details", details_json()},
                               {"model_info",
                                {{"general.architecture", "fineprint"},
                                 {"general.name", model},
                                 {"general.description", summary}}},
                               {"capabilities", {embeds ? "embedding" : "completion"}}}));
}

}  // namespace

// Model names are part of the path, and routes match whole paths, so each model gets its own route.
void add_model_routes(const Served& served, std::vector<HttpRoute>* routes) {
  const auto add = [&](const std::string& path, std::function<HttpReply(HttpRequest&)> run) {
    routes->push_back({.method = "GET", .path = path, .run = std::move(run)});
  };
  add("/v1/models", [&served](HttpRequest&) { return models_list(served); });
  for (const std::string& name : model_names(served)) {
    add("/v1/models/" + name,
        [name](HttpRequest&) { return json_reply(dump_json(model_json(name))); });
  }
  add("/api/tags", [&served](HttpRequest&) { return tags(served); });
  add("/api/version", [](HttpRequest&) { return json_reply(dump_json({{"version", kVersion}})); });
  routes->push_back({.method = "POST",
                     .path = "/api/show",
                     .body = BodyKind::json,
                     .run = [&served](HttpRequest& request) { return show(served, request); }});
}

}  // namespace fineprint::server
