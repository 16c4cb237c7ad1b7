// Tests of the QA model without LibTorch: it reads as the networks' library does.
#include "fineprint/models/qa_model.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/serving/nets_library.h"
#include "fineprint/session/context.h"
#include "fineprint/session/load.h"

namespace fineprint {
namespace {

constexpr const char* kFolder = FINEPRINT_TEST_DATA "/../../configs/qa-model";
constexpr const char* kQuestion = "How many ferries sailed in 2023?";
const models::DeviceOptions kCpu = {.device = "cpu", .threads = 2};

models::QaPassage text_passage(std::string text) {
  models::QaPassage passage;
  passage.text = std::move(text);
  return passage;
}

std::vector<models::QaPassage> passages() {
  models::QaPassage table;
  table.context = "Traffic of the harbour";
  table.rows = {{"", "2022", "2023"}, {"Ferries", "612", "640"}, {"Barges", "31", "27"}};
  return {text_passage("In 2023, 640 ferries sailed from the harbour, more than ever before."),
          table, text_passage("The board met four times. Its chair is Anwen Castellor."),
          text_passage("Ferries are painted white.")};
}

std::unique_ptr<models::QaModel> load_alone() {
  return session::load_qa_model(kFolder, {.device = kCpu});
}

// A code that is rounded to its neighbour moves the numbers a little, as in the text encoder.
TEST(QaModel, ReadsWithoutLibTorchAsWithIt) {
  const auto alone = load_alone();
  const std::unique_ptr<models::QaModel> with_torch(
      session::nets().load_qa_model(models::read_qa_model(kFolder, ""), kCpu));
  const models::QaModel &one = *alone, &other = *with_torch;
  EXPECT_NE(typeid(one), typeid(other));
  EXPECT_EQ(alone->hash(), with_torch->hash());
  EXPECT_EQ(alone->name(), with_torch->name());
  const auto ours = alone->read(kQuestion, passages());
  const auto theirs = with_torch->read(kQuestion, passages());
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i].relevance, theirs[i].relevance, 0.1) << i;
    for (std::size_t k = 0; k < models::kQaOperators; ++k) {
      EXPECT_NEAR(ours[i].operators[k], theirs[i].operators[k], 0.3) << i << " " << k;
    }
    ASSERT_EQ(ours[i].units.size(), theirs[i].units.size());
    for (std::size_t unit = 0; unit < ours[i].units.size(); ++unit) {
      EXPECT_NEAR(ours[i].units[unit].single, theirs[i].units[unit].single, 0.3) << i;
    }
    if (ours[i].spans.empty()) continue;
    EXPECT_EQ(ours[i].spans[0].begin, theirs[i].spans[0].begin) << i;
    EXPECT_EQ(ours[i].spans[0].end, theirs[i].spans[0].end) << i;
  }
}

TEST(QaModel, PointsAtTheAnswer) {
  const auto model = load_alone();
  const std::vector<models::QaPassage> all = passages();
  const auto readings = model->read(kQuestion, all);
  const models::QaSpan& span = readings[0].spans.at(0);
  EXPECT_EQ(all[0].text.substr(span.begin, span.end - span.begin), "640");
  EXPECT_GT(readings[0].relevance, readings[2].relevance);
  EXPECT_GT(readings[0].relevance, readings[3].relevance);
  const auto best = std::ranges::max_element(readings[1].units, {}, &models::QaUnit::single);
  EXPECT_EQ(best->row, 1);
  EXPECT_EQ(best->column, 2);
}

TEST(QaModel, APassageIsReadAlikeInAnyCompany) {
  const auto model = load_alone();
  const std::vector<models::QaPassage> all = passages();
  const auto together = model->read(kQuestion, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto alone = model->read(kQuestion, std::span(all).subspan(i, 1));
    EXPECT_EQ(alone[0].relevance, together[i].relevance) << i;
    EXPECT_EQ(alone[0].operators, together[i].operators) << i;
  }
  EXPECT_TRUE(model->read(kQuestion, {}).empty());
}

}  // namespace
}  // namespace fineprint
