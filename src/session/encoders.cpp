// Opens encoders of every kind behind one interface.
#include "fineprint/session/encoders.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

namespace fineprint::session {
namespace {

// A sentence encoder as an encoder that sees nothing and gives one row a text.
class SentenceEncoder : public models::Encoder {
 public:
  explicit SentenceEncoder(std::unique_ptr<models::Embedder> embedder)
      : embedder_(std::move(embedder)) {}

  std::string name() const override { return embedder_->name(); }
  std::string hash() const override { return embedder_->hash(); }
  std::size_t dim() const override { return embedder_->dim(); }
  bool many_vectors() const override { return false; }
  bool sees() const override { return false; }

  std::vector<Matrix> embed_images(std::span<const Image>) const override {
    throw Error(ErrorCode::usage, format("{} takes texts only, no images", name()));
  }

  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override {
    const Matrix all = embedder_->embed(texts, role);
    std::vector<Matrix> each;
    for (std::size_t r = 0; r < all.rows; ++r) {
      const std::span<const float> row = all.row(r);
      each.push_back({1, all.cols, std::vector<float>(row.begin(), row.end())});
    }
    return each;
  }

 private:
  std::unique_ptr<models::Embedder> embedder_;
};

models::ModelSpec read_spec(const std::string& spec, const ModelOptions& options) {
  return models::read_model(models::find_text_encoder(spec, options.hub_cache), options.hub_cache);
}

class ModelEncoders : public EncoderSource {
 public:
  explicit ModelEncoders(ModelOptions options) : options_(std::move(options)) {}

  std::string hash(const std::string& spec) const override {
    return models::Checkpoint(read_spec(spec, options_)).hash();
  }
  std::unique_ptr<models::Encoder> open(const std::string& spec) const override {
    return load_any_encoder(spec, options_);
  }

 private:
  ModelOptions options_;
};

}  // namespace

std::unique_ptr<EncoderSource> model_encoders(const ModelOptions& options) {
  return std::make_unique<ModelEncoders>(options);
}

std::unique_ptr<models::Encoder> load_any_encoder(const std::string& spec,
                                                  const ModelOptions& options) {
  const models::ModelSpec model = read_spec(spec, options);
  if (models::retriever_kind(model) == models::RetrieverKind::text) {
    return std::make_unique<SentenceEncoder>(
        std::unique_ptr<models::Embedder>(nets().load_sentence_encoder(model, options.device)));
  }
  return std::unique_ptr<models::Encoder>(nets().load_encoder(model, options.device));
}

}  // namespace fineprint::session
