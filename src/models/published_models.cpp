// Parses configs/models.toml, the published models that the program knows by name.
#include "fineprint/models/published_models.h"

#include <charconv>
#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/settings/configuration.h"

namespace fineprint::models {

#include "published_models.inc"

namespace {

constexpr const char* kTable = "configs/models.toml";

// Takes the fields of one row. A field that remains at the end is unknown.
class ModelRow {
 public:
  explicit ModelRow(OptionTexts texts) : texts_(std::move(texts)) {}

  std::string text(const std::string& field) {
    const auto found = texts_.find(field);
    if (found == texts_.end() || found->second.size() != 1) {
      throw Error(ErrorCode::internal,
                  format("{}: a row must have exactly one '{}'", kTable, field));
    }
    std::string text = found->second.front();
    texts_.erase(found);
    return text;
  }
  std::string text_or_empty(const std::string& field) {
    return texts_.contains(field) ? text(field) : std::string();
  }
  std::int64_t count(const std::string& field) {
    const std::string digits = text(field);
    std::int64_t count = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, trouble] = std::from_chars(digits.data(), end, count);
    if (trouble != std::errc() || stop != end || count < 0) {
      throw Error(ErrorCode::internal,
                  format("{}: '{}' must be a number, not \"{}\"", kTable, field, digits));
    }
    return count;
  }
  void finish() const {
    if (!texts_.empty()) {
      throw Error(ErrorCode::internal,
                  format("{}: a row has the unknown field '{}'", kTable, texts_.begin()->first));
    }
  }

 private:
  OptionTexts texts_;
};

// Every field must be present and known, so that a mistake in the table fails in tests and not for
// a user.
PublishedModel read_row(const OptionTexts& texts) {
  ModelRow row(texts);
  PublishedModel model;
  model.name = row.text("name");
  model.use = row.text("use");
  model.repository = row.text("repository");
  model.file = row.text_or_empty("file");
  model.family = row.text("family");
  model.licence = row.text("licence");
  model.stored = row.text("stored");
  model.bytes = row.count("bytes");
  model.parameters = row.count("parameters");
  model.kv_numbers = row.count("kv_numbers");
  model.page_tokens = row.count("page_tokens");
  row.finish();
  return model;
}

}  // namespace

std::vector<PublishedModel> published_models() {
  std::vector<PublishedModel> models;
  for (const OptionTexts& row : settings::parse_rows(kPublishedModels, kTable, "model")) {
    models.push_back(read_row(row));
  }
  return models;
}

const std::vector<std::string>& model_uses() {
  static const std::vector<std::string> uses{"page generator", "text generator", "page retriever",
                                             "text encoder", "reranker"};
  return uses;
}

// Attention states are float32 on a CPU: four bytes for each number.
std::int64_t needed_memory(const PublishedModel& model) {
  // Longer than most replies, and short next to a page.
  constexpr std::int64_t kReplyTokens = 1000;
  constexpr std::int64_t kStateNumberBytes = 4;
  // FP8 weights are held in 16 bits, all others as stored. A tenth more is for intermediate values.
  const std::int64_t held = model.stored == "FP8" ? 2 * model.parameters : model.bytes;
  return held + held / 10 +
         model.kv_numbers * kStateNumberBytes * (model.page_tokens + kReplyTokens);
}

// The program itself never downloads; it prints commands that the user can run.
std::string download_command(const PublishedModel& model) {
  return format("hf download {}{}{}", model.repository, model.file.empty() ? "" : " ", model.file);
}

std::string other_command(const PublishedModel& model) {
  const std::string place = format("https://huggingface.co/{}", model.repository);
  if (model.file.empty()) return format("git lfs install && git clone {}", place);
  return format("curl -L -O {}/resolve/main/{}", place, model.file);
}

// The flag follows from the use of the model.
std::string usage_of(const PublishedModel& model) {
  const std::string flag = model.use == "reranker" ? "--rerank"
                           : model.use == "page retriever" || model.use == "text encoder"
                               ? "--retriever"
                               : "--generator";
  return format("{} {}", flag, model.repository);
}

}  // namespace fineprint::models
