// Writes calls for vectors and scores, and reads the replies.
//
// Sources: the reference documentation of OpenAI (embeddings), Ollama (/api/embed),
// text-embeddings-inference (/embed, /rerank), vLLM (embeddings with messages, /pooling, /rerank),
// Jina and Cohere (rerank).
#include "remote/served/vector_bodies.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "fineprint/core/base64.h"
#include "fineprint/core/format.h"

#include "remote/openai/reply_reader.h"

namespace fineprint::remote {
namespace {

// Returns the member of an object, or a null Json if there is none.
const Json& field_of(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

bool gives_rows(const ServedAddress& at) { return models::gives_many_vectors(at.kind); }

Json listed(std::span<const std::string> texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

// Fields of OpenAI's interface that only some servers accept.
void add_habits(const ServedAddress& at, const VectorHabits& habits, Json* body) {
  // Base64 would lose the shape of a matrix.
  if (gives_rows(at)) {
    if (habits.task) (*body)["task"] = "token_embed";
  } else if (habits.base64) {
    (*body)["encoding_format"] = "base64";
  }
}

// -1 stands for the model's own limit.
void add_truncation(const VectorHabits& habits, Json* body) {
  if (habits.truncate) (*body)["truncate_prompt_tokens"] = -1;
}

// A server may say in a reply with status 200 why it has none.
void refuse_error(const Json& reply) {
  if (reply.is_object() && !field_of(reply, "error").is_null() && !reply.contains("data") &&
      !reply.contains("results")) {
    throw BrokenReply("it says: " + error_message(dump_json(reply)));
  }
}

// Returns the entries of a list by the number of the input that each gives. Without a number they
// are in the order of the inputs.
std::vector<const Json*> in_order(const Json& list, std::size_t count, const char* what) {
  if (!list.is_array()) throw BrokenReply(format("it has no list of {}", what));
  if (list.size() != count) {
    throw BrokenReply(format("it has {} {} instead of {}", list.size(), what, count));
  }
  std::vector<const Json*> entries(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& index = field_of(list[i], "index");
    std::size_t place = i;
    if (index.is_number_integer()) {
      place = static_cast<std::size_t>(index.get<std::int64_t>());
    } else if (!index.is_null()) {
      throw BrokenReply(format("the \"index\" of one of its {} is not a number", what));
    }
    if (place >= count || entries[place] != nullptr) {
      throw BrokenReply(format("the \"index\" {} of its {} is out of range or there twice",
                               dump_json(index), what));
    }
    entries[place] = &list[i];
  }
  return entries;
}

// Appends the values of a list, or of little-endian float32 in base64.
void append_values(const Json& vector, std::vector<float>* values) {
  if (vector.is_string()) {
    const auto bytes = decode_base64(vector.get_ref<const std::string&>());
    if (!bytes || bytes->size() % 4 != 0) throw BrokenReply("a vector is not base64 of float32");
    for (std::size_t i = 0; i < bytes->size(); i += 4) {
      std::uint32_t bits = 0;
      for (std::size_t k = 4; k-- > 0;) bits = bits << 8 | (*bytes)[i + k];
      values->push_back(std::bit_cast<float>(bits));
    }
    return;
  }
  if (!vector.is_array()) throw BrokenReply("a vector is not a list of numbers");
  for (const Json& value : vector) {
    if (value.is_array()) {
      throw BrokenReply("it has many vectors for one input, but one was asked for");
    }
    if (!value.is_number()) {
      throw BrokenReply(format("a value of a vector is {} and not a number", dump_json(value)));
    }
    values->push_back(value.get<float>());
  }
}

// Appends a row of unit length.
void append_row(const Json& vector, Matrix* matrix) {
  const std::size_t before = matrix->values.size();
  append_values(vector, &matrix->values);
  const std::span<float> row = std::span(matrix->values).subspan(before);
  if (row.empty()) throw BrokenReply("a vector is empty");
  if (matrix->rows > 0 && row.size() != matrix->cols) {
    throw BrokenReply(
        format("vectors of one input have {} and {} values", matrix->cols, row.size()));
  }
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  if (!std::isfinite(squares)) throw BrokenReply("a value of a vector is not a finite number");
  if (!(squares > 0)) throw BrokenReply("all values of a vector are 0");
  const double length = std::sqrt(squares);
  for (float& value : row) value = static_cast<float>(value / length);
  matrix->cols = row.size();
  ++matrix->rows;
}

Matrix matrix_of(const Json& vectors, bool many) {
  Matrix matrix;
  if (!many) {
    append_row(vectors, &matrix);
    return matrix;
  }
  if (!vectors.is_array() || vectors.empty() || !vectors.front().is_structured()) {
    throw BrokenReply(
        "it has no vectors of tokens; the model gives one vector for each input, so leave out "
        "late: or late-text: before its address");
  }
  for (const Json& vector : vectors) append_row(vector, &matrix);
  return matrix;
}

bool says(const std::string& refused, std::string_view word) {
  return refused.find(word) != std::string::npos;
}

}  // namespace

VectorHabits without_refused(const VectorHabits& habits, const std::string& refused) {
  VectorHabits less = habits;
  if (says(refused, "encoding_format") || says(refused, "base64")) less.base64 = false;
  if (says(refused, "truncate_prompt_tokens")) less.truncate = false;
  if (says(refused, "task")) less.task = false;
  return less;
}

std::string vectors_path(const ServedAddress& at) {
  if (at.protocol == Protocol::ollama) return at.server.base_path + "/api/embed";
  if (at.protocol == Protocol::tei) return at.server.base_path + "/embed";
  return gives_rows(at) ? at.root() + "/pooling" : at.server.base_path + "/embeddings";
}

std::string texts_body(const ServedAddress& at, std::span<const std::string> texts,
                       const VectorHabits& habits) {
  if (at.protocol == Protocol::tei) {
    return dump_json({{"inputs", listed(texts)}, {"normalize", true}, {"truncate", true}});
  }
  Json body = {{"model", at.server.model}, {"input", listed(texts)}};
  if (at.protocol == Protocol::ollama) {
    body["truncate"] = true;
    return dump_json(body);
  }
  add_habits(at, habits, &body);
  add_truncation(habits, &body);
  return dump_json(body);
}

// Without truncation, which would cut off parts of a picture.
std::string message_body(const ServedAddress& at, const std::string& picture,
                         const std::string& text, const VectorHabits& habits) {
  Json parts = Json::array();
  if (!picture.empty()) {
    parts.push_back({{"type", "image_url"}, {"image_url", {{"url", picture}}}});
  }
  if (!text.empty()) parts.push_back({{"type", "text"}, {"text", text}});
  Json message = Json::object();
  message["role"] = "user";
  message["content"] = std::move(parts);
  Json body = Json::object();
  body["model"] = at.server.model;
  body["messages"] = Json::array();
  body["messages"].push_back(std::move(message));
  add_habits(at, habits, &body);
  return dump_json(body);
}

std::string rerank_path(const ServedAddress& at) { return at.server.base_path + "/rerank"; }

std::string rerank_body(const ServedAddress& at, const std::string& question,
                        std::span<const std::string> passages, const VectorHabits& habits) {
  if (at.protocol == Protocol::tei) {
    return dump_json({{"query", question},
                      {"texts", listed(passages)},
                      {"raw_scores", false},
                      {"truncate", true}});
  }
  Json body = {{"model", at.server.model},
               {"query", question},
               {"documents", listed(passages)},
               {"top_n", passages.size()}};
  add_truncation(habits, &body);
  return dump_json(body);
}

std::vector<Matrix> read_vectors(const ServedAddress& at, const Json& reply, std::size_t count) {
  refuse_error(reply);
  const bool is_openai = at.protocol == Protocol::openai;
  const char* const name = gives_rows(at) ? "data" : "embedding";
  const Json& list = at.protocol == Protocol::tei ? reply
                     : is_openai                  ? field_of(reply, "data")
                                                  : field_of(reply, "embeddings");
  std::vector<Matrix> matrices;
  matrices.reserve(count);
  for (const Json* entry : in_order(list, count, "vectors")) {
    matrices.push_back(matrix_of(is_openai ? field_of(*entry, name) : *entry, gives_rows(at)));
  }
  return matrices;
}

// Some servers name the list "data" and not "results".
std::vector<double> read_scores(const ServedAddress& at, const Json& reply, std::size_t count) {
  refuse_error(reply);
  const bool is_tei = at.protocol == Protocol::tei;
  const Json& results = field_of(reply, "results");
  const Json& list = is_tei ? reply : results.is_null() ? field_of(reply, "data") : results;
  std::vector<double> scores;
  scores.reserve(count);
  for (const Json* entry : in_order(list, count, "scores")) {
    const Json& score = field_of(*entry, is_tei ? "score" : "relevance_score");
    if (!score.is_number()) {
      throw BrokenReply(format("a score is {} and not a number", dump_json(score)));
    }
    const double value = score.get<double>();
    if (!(value >= 0 && value <= 1)) {
      throw BrokenReply(
          format("a score is {}, but scores from 0 to 1 are expected; have the "
                 "server apply the model's sigmoid",
                 value));
    }
    scores.push_back(value);
  }
  return scores;
}

}  // namespace fineprint::remote
