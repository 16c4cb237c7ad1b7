// The steps of an engine with networks whose results are known.
#include "fineprint/ocr/graph_recognizer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::ocr {
namespace {

onnx::Array floats(std::vector<std::int64_t> shape) {
  onnx::Array array{.dtype = tensorfile::Dtype::f32, .shape = std::move(shape), .bytes = {}};
  array.bytes.resize(static_cast<std::size_t>(array.element_count()) * sizeof(float));
  return array;
}
float* values(onnx::Array& array) { return reinterpret_cast<float*>(array.bytes.data()); }
const float* values(const onnx::Array& array) {
  return reinterpret_cast<const float*>(array.bytes.data());
}

class Network : public onnx::GraphNetwork {
 public:
  const std::vector<onnx::Port>& inputs() const override { return ports_; }
  const std::vector<onnx::Port>& outputs() const override { return ports_; }

 private:
  std::vector<onnx::Port> ports_;
};

// Black pixels are text.
class FindsBlack : public Network {
 public:
  std::vector<onnx::Array> run(const std::vector<onnx::Array>& inputs) const override {
    const onnx::Array& x = inputs.front();
    onnx::Array map = floats({1, 1, x.shape[2], x.shape[3]});
    for (std::int64_t i = 0; i < x.shape[2] * x.shape[3]; ++i) {
      values(map)[i] = values(x)[i] < 0 ? 0.9F : 0.1F;
    }
    return {std::move(map)};
  }
};

// Reads "a" at the left edge, a space at the step 3 and "b" at the step 6, of one step for 16
// pixels; with this probability.
class ReadsAB : public Network {
 public:
  explicit ReadsAB(float probability) : probability_(probability) {}

  std::vector<onnx::Array> run(const std::vector<onnx::Array>& inputs) const override {
    const onnx::Array& x = inputs.front();
    const std::int64_t steps = x.shape[3] / 16;
    onnx::Array out = floats({x.shape[0], steps, 4});
    for (std::int64_t i = 0; i < x.shape[0] * steps; ++i) {
      const std::int64_t step = i % steps;
      const std::size_t best = step == 0 ? 1 : step == 3 ? 3 : step == 6 ? 2 : 0;
      values(out)[static_cast<std::size_t>(i) * 4 + best] = probability_;
    }
    return {std::move(out)};
  }

 private:
  float probability_;
};

Image page_with_bars(const std::vector<std::array<int, 4>>& bars) {
  Image page{.width = 800, .height = 800, .channels = 1, .pixels = {}};
  page.pixels.resize(page.stride() * 800);
  std::fill_n(page.row(0), page.stride() * 800, static_cast<std::uint8_t>(255));
  for (const auto& [x0, y0, x1, y1] : bars) {
    for (int y = y0; y < y1; ++y) {
      std::fill_n(page.row(y) + x0, x1 - x0, static_cast<std::uint8_t>(0));
    }
  }
  return page;
}

GraphRecognizer recognizer(float probability) {
  return GraphRecognizer({.detection = std::make_shared<FindsBlack>(),
                          .recognition = std::make_shared<ReadsAB>(probability),
                          .characters = {"", "a", "b", " "}});
}

TEST(GraphRecognizer, WordsHaveTheirPlaceOnThePage) {
  // Two bars side by side and one below, in the order in which they are read.
  const Image page =
      page_with_bars({{400, 102, 640, 142}, {80, 100, 320, 140}, {80, 300, 320, 340}});
  const Recognition found = recognizer(0.9F).recognize(page, 72);
  ASSERT_EQ(found.words.size(), 6U);
  const std::vector<std::pair<std::string, std::uint32_t>> wanted = {{"a", 0}, {"b", 0}, {"a", 1},
                                                                     {"b", 1}, {"a", 2}, {"b", 2}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(found.words[i].word.text, wanted[i].first);
    EXPECT_EQ(found.words[i].line, wanted[i].second);
    EXPECT_EQ(found.words[i].block, wanted[i].second);
    EXPECT_NEAR(found.words[i].word.confidence, 0.9, 1e-6);
  }
  EXPECT_NEAR(found.confidence, 0.9, 1e-6);
  // The bar of 240 x 40 is grown by 240 * 40 * 1.6 / 560 = 27 on every side.
  const Box& a = found.words[0].word.box;
  const Box& b = found.words[1].word.box;
  EXPECT_NEAR(a.x0, 80 - 27, 3);
  EXPECT_NEAR(a.y0, 100 - 27, 3);
  EXPECT_NEAR(b.x1, 320 + 27, 3);
  EXPECT_NEAR(b.y1, 140 + 27, 3);
  EXPECT_NEAR(found.words[0].word.size_pt, 94, 3);
  EXPECT_LT(a.x1, b.x0);
}

TEST(GraphRecognizer, BoxesAreInPoints) {
  const Image page = page_with_bars({{80, 100, 320, 140}});
  GraphRecognizer engine = recognizer(0.9F);
  const Box at_72 = engine.recognize(page, 72).words.at(0).word.box;
  const Box at_144 = engine.recognize(page, 144).words.at(0).word.box;
  EXPECT_NEAR(at_72.x0, 2 * at_144.x0, 1e-3);
  EXPECT_NEAR(at_72.y1, 2 * at_144.y1, 1e-3);
}

TEST(GraphRecognizer, ALineThatRunsDownIsReadFromItsTop) {
  const Image page = page_with_bars({{300, 100, 340, 340}});
  const Recognition found = recognizer(0.9F).recognize(page, 72);
  ASSERT_EQ(found.words.size(), 2U);
  EXPECT_EQ(found.words[0].word.text, "a");
  EXPECT_LT(found.words[0].word.box.y1, found.words[1].word.box.y0);
  EXPECT_NEAR(found.words[0].word.box.y0, 100 - 27, 3);
  EXPECT_NEAR(found.words[1].word.box.y1, 340 + 27, 3);
  EXPECT_NEAR(found.words[0].word.size_pt, 94, 3);
}

TEST(GraphRecognizer, DoubtedLinesAreDroppedAndCounted) {
  const Image page = page_with_bars({{80, 100, 320, 140}});
  const Recognition found = recognizer(0.4F).recognize(page, 72, 0.3);
  EXPECT_TRUE(found.words.empty());
  EXPECT_NEAR(found.confidence, 0.4, 1e-6);
  EXPECT_TRUE(recognizer(0.6F).recognize(page, 72, 0.7).words.empty());
}

TEST(GraphRecognizer, AnEmptyPageHasNoWords) {
  const Recognition found = recognizer(0.9F).recognize(page_with_bars({}), 72);
  EXPECT_TRUE(found.words.empty());
  EXPECT_EQ(found.confidence, 1);
}

TEST(GraphRecognizer, NetworksOfAnotherShapeAreRefused) {
  // The reader gives four classes, and five characters are known.
  GraphRecognizer engine({.detection = std::make_shared<FindsBlack>(),
                          .recognition = std::make_shared<ReadsAB>(0.9F),
                          .characters = {"", "a", "b", "c", " "}});
  for (const auto& work : std::vector<std::function<void()>>{
           [&] { engine.try_out(); },
           [&] { engine.recognize(page_with_bars({{80, 100, 320, 140}}), 72); }}) {
    try {
      work();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::model);
      EXPECT_NE(std::string(error.what()).find("reads lines"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace fineprint::ocr
