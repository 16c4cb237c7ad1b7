// Verifies sparse encoders of page images.
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "nets/encoders/sparse_page_encoder.h"
#include "nets/verify/case_images.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {

// Weights are compared as the model gives them, before they are rounded to steps for posting lists.
void verify_sparse_pages(CaseCheck* check) {
  const Running running(check->device());
  const SparsePageEncoder encoder(check->spec(), check->device());
  std::vector<std::int64_t> flat, offsets = {0};
  std::vector<at::Tensor> pages, questions;
  for (const Json& file : check->facts().at("images")) {
    const preprocess::PixelInput page = case_image(*check, file.get<std::string>());
    const models::TokenSequence tokens = encoder.pages().tokens_of(page);
    flat.insert(flat.end(), tokens.ids.begin(), tokens.ids.end());
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
    pages.push_back(encoder.pages().weights_of(page));
  }
  for (const Json& query : check->facts().at("queries")) {
    questions.push_back(encoder.question_weights(query.get<std::string>()));
  }
  check->compare("pages.ids.flat", flat);
  check->compare("pages.ids.offsets", offsets);
  check->compare("pages.weights", at::stack(pages), check->tolerance({"weights"}));
  check->compare("queries.weights", at::stack(questions), check->tolerance({"query_weights"}));
  check->compare("scores", at::matmul(at::stack(questions), at::stack(pages).t()),
                 check->tolerance({"scores"}));
}

}  // namespace fineprint::nets
