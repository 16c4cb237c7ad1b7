// Verifies language models that judge documents with "yes" or "no".
#include <ATen/ops/tensor.h>

#include "nets/encoders/judge.h"
#include "nets/verify/case_images.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {
namespace {

// A pair in case.json: a question, and a passage or a page's picture.
struct Pair {
  std::string question, passage;
  std::vector<preprocess::PixelInput> page;  // none or one
};

std::vector<Pair> pairs_of(const CaseCheck& check) {
  std::vector<Pair> pairs;
  for (const Json& item : check.facts().at("judged")) {
    Pair pair{item.at("question").get<std::string>(), {}, {}};
    if (item.contains("image")) {
      pair.page.push_back(case_image(check, item.at("image").get<std::string>()));
    } else {
      pair.passage = item.at("passage").get<std::string>();
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

ReadyPrompt ready(const Judge& judge, const Pair& pair) {
  if (pair.page.empty()) {
    return ready_prompt(judge.model(), judge.text_tokens(pair.question, pair.passage), {});
  }
  return ready_prompt(judge.model(), judge.page_tokens(pair.question, pair.page[0]), pair.page);
}

at::Tensor leanings(const Judge& judge, const std::vector<Pair>& pairs) {
  const auto make = [&](std::size_t i) { return ready(judge, pairs[i]); };
  return at::tensor(judge.leanings(pairs.size(), make), at::kDouble);
}

// Returns the pairs with the picture values that the reference computed.
std::vector<Pair> with_stored_pixels(const CaseCheck& check, std::vector<Pair> pairs) {
  std::vector<preprocess::PixelInput> pages;
  for (const Pair& pair : pairs) pages.insert(pages.end(), pair.page.begin(), pair.page.end());
  const auto stored = with_pixels(pages, check.expected("pixel_values"));
  std::size_t next = 0;
  for (Pair& pair : pairs) {
    if (!pair.page.empty()) pair.page[0] = stored.at(next++);
  }
  return pairs;
}

// Compared first, because a wrong prompt would explain a wrong verdict.
void compare_tokens(CaseCheck* check, const Judge& judge, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> flat, offsets = {0};
  for (const Pair& pair : pairs) {
    const models::TokenSequence tokens = ready(judge, pair).tokens;
    flat.insert(flat.end(), tokens.ids.begin(), tokens.ids.end());
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
  }
  check->compare("ids.flat", flat);
  check->compare("ids.offsets", offsets);
}

}  // namespace

void verify_judged(CaseCheck* check) {
  const Running running(check->device());
  const Judge judge(check->spec(), check->device());
  const std::vector<Pair> pairs = pairs_of(*check);
  compare_tokens(check, judge, pairs);
  if (!check->has("pixel_values")) {
    check->compare("leanings", leanings(judge, pairs), check->tolerance({"leanings"}));
    return;
  }
  std::vector<preprocess::PixelInput> pages;
  for (const Pair& pair : pairs) pages.insert(pages.end(), pair.page.begin(), pair.page.end());
  check->compare("pixel_values", pixel_tensor(pages),
                 check->tolerance({"own_pixels", "pixel_values"}));
  // First with the reference's pixels, so that only the network is compared; then with our own.
  check->compare("leanings", leanings(judge, with_stored_pixels(*check, pairs)),
                 check->tolerance({"leanings"}));
  check->compare_with("leanings (own pixels)", check->expected("leanings"), leanings(judge, pairs),
                      check->tolerance({"own_pixels", "leanings"}));
}

}  // namespace fineprint::nets
