// Encoders that answer with the vectors that a test wrote for each question.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/session/encoders.h"

namespace fineprint::testing {

using Rows = std::vector<std::vector<float>>;

inline Matrix matrix_of(const Rows& rows) {
  Matrix matrix{rows.size(), rows.empty() ? 0 : rows.front().size(), {}};
  for (const auto& row : rows) matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  return matrix;
}

// What was asked of encoders.
struct EncoderCounts {
  std::atomic<int> hashes = 0, opened = 0, texts = 0;
};

struct FakeModel {
  std::string hash;
  std::map<std::string, Rows> vectors = {};  // of every text that is asked for
  bool trained_mask = false;
  Rows image = {};  // of every picture; empty: it takes none
};

class FakeEncoder : public models::Encoder {
 public:
  FakeEncoder(FakeModel model, EncoderCounts* counts) : model_(std::move(model)), counts_(counts) {}

  std::string name() const override { return "fake-" + model_.hash; }
  std::string hash() const override { return model_.hash; }
  std::size_t dim() const override { return model_.vectors.begin()->second.front().size(); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return !model_.image.empty(); }
  bool trained_mask() const override { return model_.trained_mask; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override {
    return std::vector<Matrix>(pages.size(), matrix_of(model_.image));
  }
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole) const override {
    std::vector<Matrix> all;
    for (const std::string& text : texts) {
      if (counts_ != nullptr) ++counts_->texts;
      all.push_back(matrix_of(model_.vectors.at(text)));
    }
    return all;
  }

 private:
  FakeModel model_;
  EncoderCounts* counts_;
};

// Models by SPEC; one that is not there is not found.
class FakeEncoders : public session::EncoderSource {
 public:
  explicit FakeEncoders(std::map<std::string, FakeModel> models, EncoderCounts* counts = nullptr)
      : models_(std::move(models)), counts_(counts) {}

  std::string hash(const std::string& spec) const override {
    if (counts_ != nullptr) ++counts_->hashes;
    return find(spec).hash;
  }
  std::unique_ptr<models::Encoder> open(const std::string& spec) const override {
    if (counts_ != nullptr) ++counts_->opened;
    return std::make_unique<FakeEncoder>(find(spec), counts_);
  }

 private:
  const FakeModel& find(const std::string& spec) const {
    const auto found = models_.find(spec);
    if (found == models_.end()) throw Error(ErrorCode::model, spec + ": not found");
    return found->second;
  }

  std::map<std::string, FakeModel> models_;
  EncoderCounts* counts_;
};

}  // namespace fineprint::testing
