// Opens models when a question first needs them and sees that they fit the store.
#include "fineprint/session/context.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {
namespace {

// Vectors of two models live in two spaces; comparing them would give noise without an error.
void check_same_model(const store::Store& store, const models::Embedder& encoder) {
  const std::optional<store::ModelRow> stored = store.model("text");
  if (!stored || stored->hash == encoder.hash()) return;
  throw Error(ErrorCode::model,
              format("{}: its text vectors were made by {} ({}), not by {} ({}); give that model "
                     "with --retriever, or index into a new store",
                     store.dir(), stored->name, stored->hash, encoder.name(), encoder.hash()));
}

}  // namespace

Session::Session(const store::Store& store, const SessionOptions& options)
    : options_(options), corpus_(store) {}

Session::~Session() = default;

const models::Embedder& Session::text_encoder() const {
  const std::lock_guard lock(mutex_);
  if (text_encoder_ == nullptr) {
    std::unique_ptr<models::Embedder> encoder =
        load_text_encoder(options_.retriever, {options_.device, options_.hub_cache});
    check_same_model(corpus_.store(), *encoder);
    text_encoder_ = std::move(encoder);
  }
  return *text_encoder_;
}

Matrix Session::embed(const std::vector<std::string>& texts) const {
  return text_encoder().embed(texts, models::TextRole::query);
}

}  // namespace fineprint::session
