// Serves embeddings in OpenAI's form and in Ollama's.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "fineprint/core/base64.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "server/dialects/conversation.h"
#include "server/dialects/ollama.h"
#include "server/fields.h"
#include "server/refusal.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostTexts = 2048;

// Limits the texts of one request, as OpenAI's servers do.
std::vector<std::string> embedded_texts(Fields& fields) {
  std::vector<std::string> texts = fields.texts("input");
  if (texts.empty()) throw refused_field("input", "is missing; send a string or a list of strings");
  if (texts.size() > kMostTexts) {
    throw refused_field("input", format("has {} texts; the limit is {}", texts.size(), kMostTexts));
  }
  if (std::ranges::count(texts, "") > 0) throw refused_field("input", "contains an empty string");
  return texts;
}

void refuse_dimensions(Fields& fields) {
  if (fields.value("dimensions") == nullptr) return;
  throw refused_field("dimensions", "is not supported: this model's vectors have a fixed length");
}

// Encodes the row as little-endian float32. Clients ask for this because it is faster to parse.
std::string packed(std::span<const float> row) {
  static_assert(std::endian::native == std::endian::little);
  std::string text;
  append_base64({reinterpret_cast<const std::uint8_t*>(row.data()), row.size_bytes()}, &text);
  return text;
}

Json numbers_json(std::span<const float> row) {
  return Json(std::vector<float>(row.begin(), row.end()));
}

// Queries and passages may need different prefixes, so `input_type`, an extension, selects the
// role; clients that send none embed passages.
models::TextRole role_of(Fields& fields) {
  const std::string name = fields.text_or("input_type", "passage");
  if (name == "query") return models::TextRole::query;
  if (name == "passage" || name == "document") return models::TextRole::passage;
  throw refused_field("input_type", "must be 'query' or 'passage'");
}

Matrix embedded(const Served& served, const std::string& model,
                const std::vector<std::string>& texts, models::TextRole role,
                const StopToken& stop) {
  if (model != served.service.text_model()) throw no_model(model);
  return served.service.embed(texts, role, stop);
}

HttpReply openai_embeddings(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the request");
  const std::string model = fields.text("model");
  const std::vector<std::string> texts = embedded_texts(fields);
  const std::string coding = fields.text_or("encoding_format", "float");
  if (coding != "float" && coding != "base64") {
    throw refused_field("encoding_format", "must be 'float' or 'base64'");
  }
  refuse_dimensions(fields);
  const models::TextRole role = role_of(fields);
  const Matrix rows = embedded(served, model, texts, role, request.stop);
  Json data = Json::array();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    Json vector = coding == "base64" ? Json(packed(rows.row(i))) : numbers_json(rows.row(i));
    data.push_back({{"object", "embedding"}, {"index", i}, {"embedding", std::move(vector)}});
  }
  // Tokens are not counted.
  return json_reply(dump_json({{"object", "list"},
                               {"model", model},
                               {"data", std::move(data)},
                               {"usage", {{"prompt_tokens", 0}, {"total_tokens", 0}}}}));
}

// Without prompt_eval_count, because tokens are not counted.
HttpReply ollama_embed(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the request");
  const std::string model = without_latest(fields.text("model"));
  const std::vector<std::string> texts = embedded_texts(fields);
  refuse_dimensions(fields);
  const models::TextRole role = role_of(fields);
  const Matrix rows = embedded(served, model, texts, role, request.stop);
  Json vectors = Json::array();
  for (std::size_t i = 0; i < rows.rows; ++i) vectors.push_back(numbers_json(rows.row(i)));
  return json_reply(dump_json({{"model", model}, {"embeddings", std::move(vectors)}}));
}

// The older form, for one text.
HttpReply ollama_embeddings(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the request");
  const std::string model = without_latest(fields.text("model"));
  const std::string prompt = fields.text("prompt");
  if (prompt.empty()) throw refused_field("prompt", "is empty");
  const models::TextRole role = role_of(fields);
  const Matrix rows = embedded(served, model, {prompt}, role, request.stop);
  return json_reply(dump_json({{"embedding", numbers_json(rows.row(0))}}));
}

}  // namespace

void add_embedding_routes(const Served& served, std::vector<HttpRoute>* routes) {
  const auto add = [&](const char* path, HttpReply (*run)(const Served&, const HttpRequest&)) {
    routes->push_back(
        {.method = "POST",
         .path = path,
         .body = BodyKind::json,
         .run = [&served, run](HttpRequest& request) { return run(served, request); }});
  };
  add("/v1/embeddings", openai_embeddings);
  add("/api/embed", ollama_embed);
  add("/api/embeddings", ollama_embeddings);
}

}  // namespace fineprint::server
