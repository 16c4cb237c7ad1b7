// GGUF files read, and every way in which one may lie.
#include "fineprint/tensorfile/gguf.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/gguf_file.h"
#include "support/temp_dir.h"

namespace fineprint::tensorfile {
namespace {

using testing::gguf_text;
using testing::GgufFile;
using testing::little;

// What the reader says of a file with these bytes, without the file's name.
std::string gguf_refusal(const std::string& bytes) {
  const testing::TempDir folder;
  const std::string path = folder.write("m.gguf", bytes);
  try {
    const GgufReader reader(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    const std::string message = error.what();
    const std::string beginning = path + " is not a usable GGUF file: ";
    EXPECT_TRUE(message.starts_with(beginning)) << message;
    return message.substr(std::min(beginning.size(), message.size()));
  }
  return "accepted";
}

GgufFile small_file() {
  GgufFile file;
  file.text("general.architecture", "llama");
  file.u32("llama.block_count", 2);
  file.tensor("a", {3, 2}, 0, std::string(24, 'a'));
  file.tensor("b", {64}, 2, std::string(36, 'b'));
  return file;
}

TEST(Gguf, KeysAndArraysOfBothVersionsAreRead) {
  for (const std::uint32_t version : {2u, 3u}) {
    GgufFile file = small_file();
    file.version = version;
    file.key("negative", GgufFile::kI32, little(0xFFFFFFFEu, 4));
    file.key("small", 1, little(0x80, 1));
    file.key("wide", 10, little(0xFFFFFFFFFFFFFFFFull, 8));
    file.f32("number", 0.5F);
    file.flag("flag", true);
    file.texts("texts", {"x", "", "é"});
    file.i32s("numbers", {1, -1});
    file.key("bytes", GgufFile::kList, little(0, 4) + little(2, 8) + "\x01\xFF");
    file.key("flags", GgufFile::kList, little(7, 4) + little(2, 8) + std::string("\1\0", 2));
    const testing::TempDir folder;
    const GgufReader reader(folder.write("m", file.bytes()));
    EXPECT_EQ(reader.version(), static_cast<int>(version));
    const auto& keys = reader.metadata();
    EXPECT_EQ(std::get<std::string_view>(keys.at("general.architecture")), "llama");
    EXPECT_EQ(std::get<std::uint64_t>(keys.at("llama.block_count")), 2u);
    EXPECT_EQ(std::get<std::int64_t>(keys.at("negative")), -2);
    EXPECT_EQ(std::get<std::int64_t>(keys.at("small")), -128);
    EXPECT_EQ(std::get<std::uint64_t>(keys.at("wide")), UINT64_MAX);
    EXPECT_EQ(std::get<double>(keys.at("number")), 0.5);
    EXPECT_TRUE(std::get<bool>(keys.at("flag")));
    EXPECT_EQ(std::get<std::vector<std::string_view>>(keys.at("texts")),
              (std::vector<std::string_view>{"x", "", "é"}));
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(keys.at("numbers")),
              (std::vector<std::int64_t>{1, -1}));
    EXPECT_EQ(std::get<std::vector<std::uint64_t>>(keys.at("bytes")),
              (std::vector<std::uint64_t>{1, 255}));
    EXPECT_EQ(std::get<std::vector<std::uint64_t>>(keys.at("flags")),
              (std::vector<std::uint64_t>{1, 0}));
    const TensorView& plain = reader.tensors().at("a");
    EXPECT_EQ(plain.shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(plain.dtype, Dtype::f32);
    EXPECT_FALSE(plain.blocks);
    EXPECT_EQ(plain.element_count(), 6);
    EXPECT_EQ(plain.bytes[0], 'a');
    const TensorView& blocks = reader.tensors().at("b");
    EXPECT_EQ(blocks.blocks, BlockType::q4_0);
    EXPECT_EQ(blocks.element_count(), 64);
    EXPECT_EQ(blocks.bytes.size(), 36u);
    EXPECT_EQ(blocks.bytes[0], 'b');
  }
}

TEST(Gguf, AlignmentIsWhatTheFileSays) {
  GgufFile file;
  file.alignment = 128;
  file.u32("general.alignment", 128);
  file.tensor("a", {1}, 0, "aaaa");
  file.tensor("b", {1}, 0, "bbbb");
  const testing::TempDir folder;
  const GgufReader reader(folder.write("m", file.bytes()));
  EXPECT_EQ(reader.tensors().at("b").bytes[0], 'b');
  for (const std::uint32_t wrong : {0u, 4u, 24u, 1u << 21}) {
    GgufFile lying;
    lying.u32("general.alignment", wrong);
    EXPECT_EQ(gguf_refusal(lying.bytes()),
              "general.alignment is not a power of two from 8 to 1048576");
  }
  GgufFile text;
  text.text("general.alignment", "32");
  EXPECT_EQ(gguf_refusal(text.bytes()),
            "general.alignment is not a power of two from 8 to 1048576");
}

TEST(Gguf, IsKnownByItsBeginning) {
  const testing::TempDir folder;
  EXPECT_TRUE(is_gguf(folder.write("m", small_file().bytes())));
  EXPECT_FALSE(is_gguf(folder.write("n", "GGU")));
  EXPECT_FALSE(is_gguf(folder.write("o", "{\"a\"}")));
  EXPECT_FALSE(is_gguf(folder.file("none")));
  EXPECT_FALSE(is_gguf(folder.path()));
}

TEST(Gguf, ABeginningThatIsNoneIsRefused) {
  EXPECT_EQ(gguf_refusal(""),
            "the header needs 4 bytes more, but 0 are left; is the file cut off?");
  EXPECT_EQ(gguf_refusal("GGML" + std::string(20, '\0')),
            "the header does not begin with \"GGUF\"");
  GgufFile file;
  file.version = 1;
  EXPECT_EQ(gguf_refusal(file.bytes()), "the header gives version 1; only 2 and 3 are supported");
  file.version = 0x03000000;
  EXPECT_EQ(
      gguf_refusal(file.bytes()),
      "the header is from a file for machines of the other byte order; convert the model again");
}

TEST(Gguf, EveryCutIsNoticed) {
  const std::string whole = small_file().bytes();
  for (std::size_t size = 0; size < whole.size() - 64; ++size) {
    EXPECT_NE(gguf_refusal(whole.substr(0, size)), "accepted") << size;
  }
}

TEST(Gguf, CountsThatTheFileCannotHoldAreRefused) {
  GgufFile file;
  file.tensor_count = 1ull << 40;
  EXPECT_EQ(gguf_refusal(file.bytes()),
            "the header claims 1099511627776 tensors, over the limit of 1048576");
  file.tensor_count = 1;
  EXPECT_EQ(gguf_refusal(file.bytes()), "tensor 0 has a name that is empty or not printable ASCII");
  file.tensor_count = 0;
  file.key_count = 70000;
  EXPECT_EQ(gguf_refusal(file.bytes()), "the header claims 70000 keys, over the limit of 65536");
  file.key_count = 3;
  EXPECT_EQ(gguf_refusal(file.bytes()),
            "key 0 needs 8 bytes more, but 0 are left; is the file cut off?");
}

TEST(Gguf, ValuesThatAreNoneAreRefused) {
  const auto refusal_of = [](std::uint32_t type, const std::string& value) {
    GgufFile file;
    file.key("k", type, value);
    return gguf_refusal(file.bytes());
  };
  EXPECT_EQ(refusal_of(13, ""), "the value of k has a value of unknown type 13");
  EXPECT_EQ(refusal_of(GgufFile::kBool, "\2"), "the value of k has the value 2 for a boolean");
  EXPECT_EQ(refusal_of(GgufFile::kText, little(1ull << 60, 8)),
            "the value of k has a text of 1152921504606846976 bytes, over the limit of 16777216");
  EXPECT_EQ(refusal_of(GgufFile::kText, little(5, 8) + "abcd"),
            "the value of k needs 5 bytes more, but 4 are left; is the file cut off?");
  EXPECT_EQ(refusal_of(GgufFile::kList, little(9, 4) + little(1, 8)),
            "the value of k is a list of lists, which is not supported");
  EXPECT_EQ(
      refusal_of(GgufFile::kList, little(4, 4) + little(1ull << 62, 8)),
      "the value of k claims a list of 4611686018427387904 items, which does not fit into the "
      "file or is over the limit of 16777216");
  EXPECT_EQ(refusal_of(GgufFile::kList, little(8, 4) + little(2, 8) + little(0, 8)),
            "the value of k claims a list of 2 items, which does not fit into the file or is over "
            "the limit of 16777216");
  GgufFile twice;
  twice.u32("k", 1);
  twice.u32("k", 1);
  EXPECT_EQ(gguf_refusal(twice.bytes()), "the value of k exists twice");
  GgufFile strange;
  strange.u32("k\n", 1);
  EXPECT_EQ(gguf_refusal(strange.bytes()), "key 0 has a name that is empty or not printable ASCII");
}

TEST(Gguf, ArraysThatAreNoneAreRefused) {
  const auto refusal_of = [](const std::vector<std::uint64_t>& shape, std::uint32_t type) {
    GgufFile file;
    file.claim("t", shape, type, 0);
    return gguf_refusal(file.bytes());
  };
  EXPECT_EQ(refusal_of({}, 0), "tensor 't' has 0 dimensions; 1 to 4 are supported");
  EXPECT_EQ(refusal_of({1, 1, 1, 1, 1}, 0), "tensor 't' has 5 dimensions; 1 to 4 are supported");
  EXPECT_EQ(refusal_of({4, 0}, 0), "tensor 't' has a shape that is empty or overflows");
  EXPECT_EQ(refusal_of({1ull << 32, 1ull << 32}, 0),
            "tensor 't' has a shape that is empty or overflows");
  EXPECT_EQ(refusal_of({1ull << 61}, 28), "tensor 't' has a shape that is empty or overflows");
  EXPECT_EQ(refusal_of({4}, 77), "tensor 't' has the unknown type 77");
  EXPECT_EQ(refusal_of({256}, 16),
            "tensor 't' has type IQ2_XXS, which is not supported; get the model in another type "
            "(Q4_K_M, Q8_0)");
  EXPECT_EQ(refusal_of({128, 2}, 12),
            "tensor 't' has rows of 128 values, which are not complete blocks of 256 (Q4_K)");
  EXPECT_EQ(refusal_of({1ull << 40}, 0),
            "tensor 't' needs bytes 0 to 4398046511104 of 0; is the file cut off?");
  GgufFile long_name;
  long_name.claim(std::string(65, 't'), {1}, 0, 0);
  EXPECT_EQ(gguf_refusal(long_name.bytes()),
            "tensor 0 has a text of 65 bytes, over the limit of 64");
}

TEST(Gguf, ArraysLieOneBehindTheOther) {
  GgufFile hole;
  hole.tensor("a", {1}, 0, "aaaa");
  hole.claim("b", {1}, 0, 64);
  EXPECT_EQ(gguf_refusal(hole.bytes()), "tensor 'b' is at 64, but the one before ends at 32");
  GgufFile overlap;
  overlap.tensor("a", {1}, 0, "aaaa");
  overlap.claim("b", {1}, 0, 0);
  EXPECT_EQ(gguf_refusal(overlap.bytes()), "tensor 'b' is at 0, but the one before ends at 32");
  GgufFile twice;
  twice.tensor("a", {1}, 0, "aaaa");
  twice.tensor("a", {1}, 0, "aaaa");
  EXPECT_EQ(gguf_refusal(twice.bytes()), "tensor 'a' exists twice");
  GgufFile more = small_file();
  more.data += "x";
  EXPECT_EQ(gguf_refusal(more.bytes()), "1 bytes at its end belong to no tensor");
}

}  // namespace
}  // namespace fineprint::tensorfile
