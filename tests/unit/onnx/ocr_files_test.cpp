// The parts of an OCR engine in a folder, whatever its files are called.
#include "fineprint/onnx/ocr_files.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::onnx {
namespace {

namespace fs = std::filesystem;

const fs::path kEngine = FINEPRINT_TEST_DATA "/ocr_engine";

std::string refusal_of(const std::string& folder) {
  try {
    find_ocr_files(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(OcrFiles, AreToldApartByTheirGraphs) {
  const OcrFiles found = find_ocr_files(kEngine.string());
  EXPECT_EQ(fs::path(found.detection).filename(), "finds.onnx");
  EXPECT_EQ(fs::path(found.recognition).filename(), "reads.onnx");
  ASSERT_EQ(found.characters.size(), 42U);
  EXPECT_EQ(found.characters[0], "");
  EXPECT_EQ(found.characters[1], "a");
  EXPECT_EQ(found.characters[37], "é");
  EXPECT_EQ(found.characters[40], "文");
  EXPECT_EQ(found.characters[41], " ");
}

TEST(OcrFiles, NamesDoNotCountAndContentsDo) {
  const testing::TempDir dir;
  fs::copy_file(kEngine / "finds.onnx", dir.file("z.onnx"));
  fs::copy_file(kEngine / "reads.onnx", dir.file("a.onnx"));
  const OcrFiles found = find_ocr_files(fs::path(dir.file("a.onnx")).parent_path().string());
  EXPECT_EQ(found.hash, find_ocr_files(kEngine.string()).hash);
  std::ofstream(dir.file("z.onnx"), std::ios::app) << std::string("\x12\x01x", 3);  // producer
  EXPECT_NE(find_ocr_files(fs::path(dir.file("a.onnx")).parent_path().string()).hash, found.hash);
}

// Writes the graph that reads lines without the list of characters in it, and a text file with as
// many lines of one character.
void write_without_characters(const testing::TempDir& dir, std::size_t lines,
                              const std::string& text_file) {
  std::string graph = read_file((kEngine / "reads.onnx").string());
  const std::size_t name = graph.find("character");
  ASSERT_NE(name, std::string::npos);
  graph.replace(name, 9, "something");
  std::ofstream(dir.file("reads.onnx"), std::ios::binary) << graph;
  fs::copy_file(kEngine / "finds.onnx", dir.file("finds.onnx"), fs::copy_options::skip_existing);
  std::ofstream out(dir.file(text_file));
  for (std::size_t i = 0; i < lines; ++i) out << static_cast<char>('A' + i) << "\r\n";
}

TEST(OcrFiles, CharactersMayBeInATextFile) {
  const testing::TempDir dir;
  write_without_characters(dir, 40, "keys.txt");
  std::ofstream(dir.file("readme.txt")) << "Not as many lines.\n";
  const std::string folder = fs::path(dir.file("x")).parent_path().string();
  const OcrFiles found = find_ocr_files(folder);
  ASSERT_EQ(found.characters.size(), 42U);
  EXPECT_EQ(found.characters[0], "");
  EXPECT_EQ(found.characters[1], "A");
  EXPECT_EQ(found.characters[40], std::string(1, static_cast<char>('A' + 39)));
  EXPECT_EQ(found.characters[41], " ");  // the class without a line
}

TEST(OcrFiles, TheTextFileMustBeTheOnlyOneThatFits) {
  const testing::TempDir dir;
  write_without_characters(dir, 39, "keys.txt");
  const std::string folder = fs::path(dir.file("x")).parent_path().string();
  testing::expect_mentions(refusal_of(folder), {"0 text files", "42 classes"});
  write_without_characters(dir, 40, "keys.txt");
  write_without_characters(dir, 41, "others.txt");
  testing::expect_mentions(refusal_of(folder), {"2 text files"});
}

TEST(OcrFiles, AMissingPartIsNamed) {
  const testing::TempDir dir;
  const std::string folder = fs::path(dir.file("x")).parent_path().string();
  testing::expect_mentions(refusal_of(folder + "/none"), {"is no folder", "tesseract"});
  testing::expect_mentions(refusal_of(folder), {"finds text"});
  fs::copy_file(kEngine / "finds.onnx", dir.file("a.onnx"));
  testing::expect_mentions(refusal_of(folder), {"reads lines"});
  fs::copy_file(kEngine / "reads.onnx", dir.file("b.onnx"));
  fs::copy_file(kEngine / "reads.onnx", dir.file("c.onnx"));
  testing::expect_mentions(refusal_of(folder), {"b.onnx", "c.onnx", "do the same"});
}

}  // namespace
}  // namespace fineprint::onnx
