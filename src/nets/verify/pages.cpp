// Verifies late interaction over page images.
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "nets/multimodal.h"
#include "nets/verify/case_images.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {
namespace {

// Collects tokens and vectors of texts, laid out in the rows that are not padding in the reference.
class Batch {
 public:
  Batch(CaseCheck* check, const std::string& name)
      : check_(check), name_(name), mask_(check->expected(name + ".attention_mask")) {}

  // Adds one text. The mask shows which rows the reference did not pad.
  void add(const models::TokenSequence& tokens, const at::Tensor& vectors) {
    const at::Tensor rows = mask_[size()].nonzero().flatten();  // of the real tokens
    at::Tensor ids = check_->expected(name_ + ".input_ids")[size()].clone();
    at::Tensor padded = at::zeros({mask_.size(1), vectors.size(1)});
    if (rows.size(0) == vectors.size(0)) {
      ids.index_copy_(0, rows, at::tensor(tokens.ids, at::kLong));
      padded.index_copy_(0, rows, vectors.cpu());
    } else {
      ids.zero_();  // the comparison then fails
    }
    ids_.push_back(ids);
    lengths_.push_back(static_cast<std::int64_t>(tokens.ids.size()));
    vectors_.push_back(padded);
    add_positions(tokens, rows);
  }

  const std::vector<at::Tensor>& vectors() const { return vectors_; }

  // Tokens do not depend on pixels, so they are compared once.
  void compare(double tolerance, bool own_pixels) {
    if (own_pixels) {
      check_->compare_with(name_ + ".embeddings (own pixels)",
                           check_->expected(name_ + ".embeddings"), at::stack(vectors_), tolerance);
      return;
    }
    check_->compare(name_ + ".input_ids", at::stack(ids_), 0);
    check_->compare_mask(name_ + ".attention_mask", lengths_);
    check_->compare(name_ + ".embeddings", at::stack(vectors_), tolerance);
    if (check_->has(name_ + ".position_ids")) {
      check_->compare(name_ + ".position_ids", at::stack(positions_, 1), 0);
    }
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(vectors_.size()); }

  // Only the real tokens are compared, so the reference's positions of padding are kept.
  void add_positions(const models::TokenSequence& tokens, const at::Tensor& rows) {
    const std::string name = name_ + ".position_ids";
    if (!check_->has(name)) return;
    at::Tensor positions = check_->expected(name).select(1, size() - 1).clone();  // [3, T]
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      if (rows.size(0) == static_cast<std::int64_t>(tokens.ids.size())) {
        positions[axis].index_copy_(0, rows, at::tensor(tokens.positions[axis], at::kLong));
      }
    }
    positions_.push_back(positions);
  }

  CaseCheck* check_;
  std::string name_;
  at::Tensor mask_;  // [n, T]
  std::vector<at::Tensor> ids_, vectors_, positions_;
  std::vector<std::int64_t> lengths_;
};

// Returns the reference's pixels of page `i` without padding; undefined if they are not stored.
at::Tensor stored_pixels(const CaseCheck& check, std::int64_t i,
                         const preprocess::PixelInput& like) {
  if (!check.has("pages.pixel_values")) return {};
  at::Tensor pixels = check.expected("pages.pixel_values")[i];
  if (like.shape.size() == 2) pixels = pixels.narrow(0, 0, like.shape[0]);
  return pixels;
}

// A prompt's tokens, and one vector for each.
struct Embedded {
  models::TokenSequence tokens;
  at::Tensor vectors;
};

Embedded embed_one(const Multimodal& model, const std::string& text,
                   std::span<const preprocess::PixelInput> images, const Tap& tap = {}) {
  Embedded result;
  result.tokens = model.tokenize(text, images);
  std::vector<ImageFeatures> features;
  for (const auto& image : images) features.push_back(model.image_features(image, tap));
  result.vectors = model.vectors(
      model.read_prompt(result.tokens, model.embed(result.tokens, features), nullptr, false));
  return result;
}

// Compares our pixels of all pages with both image libraries that the reference can use.
void compare_pixels(CaseCheck* check, const std::vector<preprocess::PixelInput>& pages) {
  if (!check->has("pages.pixel_values")) return;
  at::Tensor ours = at::zeros_like(check->expected("pages.pixel_values"));
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const at::Tensor one = pixel_tensor({pages[i]});
    at::Tensor place = ours[static_cast<std::int64_t>(i)];
    (one.dim() == 2 ? place.narrow(0, 0, one.size(0)) : place).copy_(one.dim() == 2 ? one : one[0]);
  }
  const double tolerance = check->tolerance({"own_pixels", "pixel_values"});
  check->compare("pages.pixel_values", ours, tolerance);
  check->compare("pages.pixel_values_pil", ours, tolerance);
}

}  // namespace

// Written out with LibTorch, independently of the program's own scoring kernels.
at::Tensor late_scores(const std::vector<at::Tensor>& queries,
                       const std::vector<at::Tensor>& pages) {
  at::Tensor scores = at::zeros(
      {static_cast<std::int64_t>(queries.size()), static_cast<std::int64_t>(pages.size())});
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t p = 0; p < pages.size(); ++p) {
      const at::Tensor products = at::matmul(queries[q], pages[p].t());  // [query rows, page rows]
      scores[static_cast<std::int64_t>(q)][static_cast<std::int64_t>(p)] =
          std::get<0>(products.max(1)).sum();
    }
  }
  return scores;
}

// Every page is read twice: with the reference's pixels, which checks the network, and with ours,
// which checks all steps.
void verify_late_pages(CaseCheck* check) {
  const Running running(check->device());
  const Multimodal model(check->spec(), check->device());
  const models::Prompt& prompt = model.spec().prompt;
  const std::string page_text = models::page_prompt(prompt, "");
  std::vector<preprocess::PixelInput> pages;
  for (const Json& file : check->facts().at("images")) {
    pages.push_back(case_image(*check, file.get<std::string>()));
  }
  compare_pixels(check, pages);

  Batch golden(check, "pages"), own(check, "pages"), queries(check, "queries");
  std::vector<at::Tensor> patches, features, grids;
  const Tap tap = [&](const std::string& name, const at::Tensor& value) {
    if (name == "vision.patches") patches.push_back(value[0]);
    if (name == "vision.features") features.push_back(value);
  };
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::vector<preprocess::PixelInput> page = {pages[i]};
    const at::Tensor stored = stored_pixels(*check, static_cast<std::int64_t>(i), pages[i]);
    const auto fed = stored.defined() ? with_pixels(page, stored) : page;
    const Embedded by_golden = embed_one(model, page_text, fed, tap);
    golden.add(by_golden.tokens, by_golden.vectors);
    const Embedded by_own = embed_one(model, page_text, page);
    own.add(by_own.tokens, by_own.vectors);
    grids.push_back(
        at::tensor(std::vector<std::int64_t>(page[0].grid.begin(), page[0].grid.end()), at::kLong));
  }
  for (const Json& query : check->facts().at("queries")) {
    const Embedded one =
        embed_one(model, models::query_prompt(prompt, query.get<std::string>()), {});
    queries.add(one.tokens, one.vectors);
  }
  const double tolerance = check->tolerance({"golden_pixels", "embeddings"});
  check->compare("pages.image_grid_thw", at::stack(grids), 0);
  if (!patches.empty()) {
    const double siglip = check->tolerance({"golden_pixels", "siglip"});
    check->compare("pages.siglip_last_hidden", at::stack(patches), siglip);
    check->compare("pages.projector", at::stack(features), siglip);
  }
  golden.compare(tolerance, false);
  queries.compare(tolerance, false);
  own.compare(check->tolerance({"own_pixels", "embeddings"}), true);
  // Shorter pages keep their rows of zeros, as in the reference; they can be the best match too.
  check->compare("scores", late_scores(queries.vectors(), golden.vectors()),
                 check->tolerance({"golden_pixels", "scores"}));
}

}  // namespace fineprint::nets
