// Reading a page with small graphs, compared with what RapidOCR reads with them.
#include <algorithm>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/image/codec.h"
#include "fineprint/ocr/graph_recognizer.h"
#include "fineprint/onnx/ocr_files.h"
#include "fineprint/session/load.h"

namespace fineprint::session {
namespace {

constexpr const char* kEngine = FINEPRINT_TEST_DATA "/ocr_engine";

ocr::GraphRecognizer tiny_engine() {
  onnx::OcrFiles files = onnx::find_ocr_files(kEngine);
  return ocr::GraphRecognizer({.detection = load_graph(files.detection, {}),
                               .recognition = load_graph(files.recognition, {}),
                               .characters = std::move(files.characters)});
}

// Without the spaces at its ends, which belong to no word.
std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

TEST(OcrEngine, ReadsWhatRapidOcrReads) {
  const std::string bytes = read_file(std::string(kEngine) + "/page.png");
  const Image page = image::decode(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "page.png");
  const ocr::Recognition found = tiny_engine().recognize(page, 72);
  const std::string golden = FINEPRINT_TEST_GOLDEN "/ocr_engine.json";
  const Json lines = parse_json(read_file(golden), golden);
  ASSERT_EQ(lines.size(), 8U);
  std::size_t at = 0;
  for (const Json& line : lines) {
    ASSERT_LT(at, found.words.size());
    std::string text;
    Box box;
    for (const std::uint32_t number = found.words[at].line;
         at < found.words.size() && found.words[at].line == number; ++at) {
      const Word& word = found.words[at].word;
      text += (text.empty() ? "" : " ") + word.text;
      box = united(box, word.box);
    }
    EXPECT_EQ(text, trimmed(line["text"].get<std::string>()));
    Box wanted{1e9F, 1e9F, 0, 0};
    for (const Json& corner : line["corners"]) {
      wanted = {
          std::min(wanted.x0, corner[0].get<float>()), std::min(wanted.y0, corner[1].get<float>()),
          std::max(wanted.x1, corner[0].get<float>()), std::max(wanted.y1, corner[1].get<float>())};
    }
    EXPECT_NEAR(box.x0, wanted.x0, 1);
    EXPECT_NEAR(box.y0, wanted.y0, 1);
    EXPECT_NEAR(box.x1, wanted.x1, 1);
    EXPECT_NEAR(box.y1, wanted.y1, 1);
  }
  EXPECT_EQ(at, found.words.size());
}

}  // namespace
}  // namespace fineprint::session
