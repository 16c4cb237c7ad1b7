// Arrays written and read back, and every way a file may lie.
#include "fineprint/tensorfile/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::tensorfile {
namespace {

std::string file_of(const std::string& header, std::size_t data_bytes) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 0xFF);
  return bytes + header + std::string(data_bytes, 'd');
}

// What the reader says of a file with these bytes, without the file's name.
std::string refusal(const std::string& bytes) {
  const testing::TempDir folder;
  const std::string path = folder.write("m", bytes);
  try {
    const SafetensorsReader reader(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(path)) << message;
    return message.substr(path.size());
  }
  return "accepted";
}

std::string header_refusal(const std::string& header, std::size_t data_bytes = 8) {
  return refusal(file_of(header, data_bytes));
}

std::string entry(const std::string& name, int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"U8\",\"shape\":[" + std::to_string(end - begin) +
         "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

constexpr const char* kUnusable = " is not a usable safetensors file: ";

TEST(Safetensors, WrittenArraysComeBack) {
  const testing::TempDir folder;
  const std::string path = folder.file("m.safetensors");
  std::vector<std::uint8_t> small{1, 2, 3};
  std::vector<std::uint8_t> wide(24);
  std::iota(wide.begin(), wide.end(), std::uint8_t{0});
  write(path,
        {{"small", Dtype::u8, {3}, small},
         {"wide", Dtype::f32, {2, 3}, wide},
         {"scalar", Dtype::i64, {}, std::span(wide).first(8)},
         {"empty", Dtype::bf16, {0, 5}, {}}},
        {{"model", "é \"x\""}});
  const SafetensorsReader reader(path);
  EXPECT_EQ(reader.tensors().size(), 4u);
  EXPECT_EQ(reader.metadata().at("model"), "é \"x\"");
  const TensorView& view = reader.at("wide");
  EXPECT_EQ(view.dtype, Dtype::f32);
  EXPECT_EQ(view.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(view.element_count(), 6);
  EXPECT_TRUE(std::ranges::equal(view.bytes, wide));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes.data()) % 4, 0u);
  EXPECT_EQ(reader.at("scalar").element_count(), 1);
  EXPECT_EQ(reader.at("empty").element_count(), 0);
  EXPECT_TRUE(std::ranges::equal(reader.at("small").bytes, small));
}

TEST(Safetensors, AnArrayInPiecesIsWrittenAsOne) {
  const testing::TempDir folder;
  std::vector<std::uint8_t> bytes(24);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  const std::span<const std::uint8_t> all(bytes);
  const std::vector<std::span<const std::uint8_t>> pieces = {all.subspan(5, 0), all.subspan(5, 9),
                                                             all.subspan(14)};
  write(folder.file("whole"), {{"a", Dtype::f32, {2, 3}, all}, {"b", Dtype::u8, {24}, all}});
  write(folder.file("parts"),
        {{"a", Dtype::f32, {2, 3}, all.first(5), pieces}, {"b", Dtype::u8, {24}, {}, {all}}});
  EXPECT_EQ(read_file(folder.file("whole")), read_file(folder.file("parts")));
  EXPECT_THROW(write(folder.file("short"), {{"a", Dtype::f32, {2, 3}, all.first(4), pieces}}),
               Error);
}

TEST(Safetensors, DataStartsAtAMultipleOf64) {
  const testing::TempDir folder;
  const std::string path = folder.file("m");
  const std::vector<std::uint8_t> bytes(4);
  for (std::size_t length = 1; length < 70; ++length) {
    write(path, {{std::string(length, 'n'), Dtype::f32, {1}, bytes}});
    EXPECT_EQ((read_file(path).size() - bytes.size()) % 64, 0u);
  }
}

TEST(Safetensors, AFileWithoutArraysIsFine) {
  const testing::TempDir folder;
  write(folder.file("m"), {});
  EXPECT_TRUE(SafetensorsReader(folder.file("m")).tensors().empty());
}

TEST(Safetensors, MovedReadersKeepTheirViews) {
  const testing::TempDir folder;
  const std::vector<std::uint8_t> bytes{7};
  write(folder.file("m"), {{"a", Dtype::u8, {1}, bytes}});
  SafetensorsReader first(folder.file("m"));
  const SafetensorsReader second(std::move(first));
  EXPECT_EQ(second.at("a").bytes[0], 7);
}

TEST(Safetensors, MissingFilesAndArraysAreNamed) {
  const testing::TempDir folder;
  const std::string path = folder.file("m");
  try {
    const SafetensorsReader reader(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    EXPECT_EQ(error.what(), "cannot open " + path + ": No such file or directory");
  }
  write(path, {});
  try {
    SafetensorsReader(path).at("head.weight");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + " has no tensor 'head.weight'");
  }
}

TEST(Safetensors, TheWriterRefusesWhatDoesNotFit) {
  const testing::TempDir folder;
  const std::vector<std::uint8_t> bytes(8);
  EXPECT_THROW(write(folder.file("m"), {{"a", Dtype::f32, {3}, bytes}}), Error);
  EXPECT_THROW(write(folder.file("m"), {{"a", Dtype::f32, {-2}, bytes}}), Error);
  EXPECT_THROW(write(folder.file("m"), {{"__metadata__", Dtype::f32, {2}, bytes}}), Error);
  const TensorToWrite twice{"a", Dtype::f32, {2}, bytes};
  EXPECT_THROW(write(folder.file("m"), {twice, twice}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(HostileFile, HeaderLengths) {
  EXPECT_EQ(refusal(""), std::string(kUnusable) + "it has only 0 bytes");
  EXPECT_EQ(refusal("1234567"), std::string(kUnusable) + "it has only 7 bytes");
  EXPECT_EQ(refusal(std::string(8, '\xFF')),
            std::string(kUnusable) +
                "a header of 18446744073709551615 bytes is over the limit of 100000000");
  EXPECT_EQ(
      refusal(file_of("{}", 0).substr(0, 9)),
      std::string(kUnusable) + "its header of 2 bytes does not fit a file of 9; is it cut off?");
  EXPECT_EQ(refusal(std::string(8, '\0')),
            std::string(kUnusable) + "its header is not a JSON object");
}

TEST(HostileFile, HeadersThatAreNoTable) {
  EXPECT_NE(header_refusal("[]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(header_refusal("{\"a\":").find("not valid JSON"), std::string::npos);
  EXPECT_NE(header_refusal("{\"a\":" + std::string(1'000'000, '[')).find("nested deeper"),
            std::string::npos);
  EXPECT_NE(header_refusal("{" + entry("a", 0, 8) + "," + entry("a", 0, 8) + "}")
                .find("repeats the key 'a'"),
            std::string::npos);
  EXPECT_EQ(header_refusal(R"({"__metadata__":{"a":1}})", 0),
            std::string(kUnusable) + "__metadata__ 'a' is not a string");
  EXPECT_EQ(header_refusal(R"({"__metadata__":3})", 0),
            std::string(kUnusable) + "__metadata__ is not an object");
}

TEST(HostileFile, HugeHeadersEndInAnErrorSoon) {
  std::string header = "{";
  for (int i = 0; i < 200'000; ++i) header += "\"t" + std::to_string(i) + "\":1,";
  header.back() = '}';
  EXPECT_EQ(header_refusal(header), ", tensor 't0' is not described by an object");
}

TEST(HostileFile, EntriesThatLackOrTwistAField) {
  const auto why = [](const std::string& fields) {
    return header_refusal("{\"a\":{" + fields + "}}");
  };
  EXPECT_EQ(why(""), ", tensor 'a' has no 'dtype'");
  EXPECT_EQ(why(R"("dtype":"F8_E5M2","shape":[8],"data_offsets":[0,8])"),
            ", tensor 'a' has dtype F8_E5M2, which is not supported");
  EXPECT_EQ(why(R"("dtype":"U8","data_offsets":[0,8])"), ", tensor 'a' has no list 'shape'");
  EXPECT_EQ(why(R"("dtype":"U8","shape":[8])"), ", tensor 'a' has no list 'data_offsets'");
  EXPECT_EQ(why(R"("dtype":"U8","shape":[-8],"data_offsets":[0,8])"),
            ", tensor 'a', shape, has a number that is not an integer from 0");
  EXPECT_EQ(why(R"("dtype":"U8","shape":[8],"data_offsets":[0,8.5])"),
            ", tensor 'a', data_offsets, has a number that is not an integer from 0");
  EXPECT_EQ(why(R"("dtype":"U8","shape":[8],"data_offsets":[0,8,9])"),
            ", tensor 'a' must have two data_offsets");
}

TEST(HostileFile, ShapesThatOverflow) {
  const auto why = [](const std::string& shape) {
    return header_refusal(R"({"a":{"dtype":"F32","data_offsets":[0,8],"shape":)" + shape + "}}");
  };
  EXPECT_EQ(why("[2]"), "accepted");
  EXPECT_EQ(why("[4294967296,4294967296]"), ", tensor 'a' has a shape that overflows");
  EXPECT_EQ(why("[4611686018427387906]"), ", tensor 'a' has a shape that overflows");
  EXPECT_EQ(why("[18446744073709551615]"), ", tensor 'a' has a shape that overflows");
  EXPECT_EQ(why("[3]"), ", tensor 'a' needs 12 bytes by its shape, but claims 8");
}

TEST(HostileFile, OffsetsOutsideTheFile) {
  const auto why = [](const std::string& offsets) {
    return header_refusal(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":)" + offsets + "}}");
  };
  EXPECT_EQ(why("[1,9]"), ", tensor 'a' claims bytes 1 to 9 of 8; is the file cut off?");
  EXPECT_EQ(why("[8,0]"), ", tensor 'a' claims bytes 8 to 0 of 8; is the file cut off?");
  EXPECT_EQ(why("[18446744073709551608,0]"),
            ", tensor 'a' claims bytes 18446744073709551608 to 0 of 8; is the file cut off?");
}

TEST(HostileFile, OverlapsAndHoles) {
  const auto why = [](const std::string& a, const std::string& b) {
    return header_refusal("{" + a + "," + b + "}");
  };
  EXPECT_EQ(why(entry("a", 4, 8), entry("b", 0, 4)), "accepted");
  EXPECT_EQ(why(entry("a", 0, 5), entry("b", 4, 8)),
            std::string(kUnusable) + "tensor 'b' overlaps another");
  EXPECT_EQ(why(entry("a", 0, 8), entry("b", 0, 8)),
            std::string(kUnusable) + "tensor 'b' overlaps another");
  EXPECT_EQ(why(entry("a", 0, 3), entry("b", 4, 8)),
            std::string(kUnusable) + "tensor 'b' leaves a hole before it");
  EXPECT_EQ(why(entry("a", 1, 4), entry("b", 4, 8)),
            std::string(kUnusable) + "tensor 'a' leaves a hole before it");
  EXPECT_EQ(why(entry("a", 0, 4), entry("b", 4, 7)),
            std::string(kUnusable) + "1 bytes at its end belong to no tensor");
  EXPECT_EQ(why(entry("a", 0, 8), entry("b", 4, 4)),
            std::string(kUnusable) + "tensor 'b' overlaps another");
  EXPECT_EQ(why(entry("a", 0, 8), entry("b", 8, 8)), "accepted");
}

TEST(HostileFile, EveryCutAndEveryFlippedByteIsReadOrRefused) {
  const testing::TempDir folder;
  const std::vector<std::uint8_t> bytes(16);
  write(folder.file("m"), {{"a", Dtype::f32, {2, 1}, std::span(bytes).first(8)},
                           {"b", Dtype::i64, {1}, std::span(bytes).last(8)}});
  const std::string whole = read_file(folder.file("m"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      refusal(changed);  // must not crash
    }
  }
}

}  // namespace
}  // namespace fineprint::tensorfile
