// Operators of ONNX graphs give what onnxruntime gives (scripts/golden/make_onnx.py), and graphs
// that cannot run are refused by name.
#include "nets/graphs/graph_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/tensorfile/safetensors.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::nets {
namespace {

using onnx::Array;

const tensorfile::SafetensorsReader& golden() {
  static const tensorfile::SafetensorsReader reader(FINEPRINT_TEST_GOLDEN "/onnx.safetensors");
  return reader;
}

Array array_of(const tensorfile::TensorView& view) {
  return {view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}};
}

// The arrays NAME<0>, NAME<1>, ... of the golden file.
std::vector<Array> arrays(const std::string& name) {
  std::vector<Array> found;
  for (int i = 0; golden().tensors().contains(name + std::to_string(i)); ++i) {
    found.push_back(array_of(golden().at(name + std::to_string(i))));
  }
  return found;
}

std::string bytes_of(const tensorfile::TensorView& view) {
  return {view.bytes.begin(), view.bytes.end()};
}

// The largest difference between two arrays of floats; equal infinities and NaNs differ by 0.
double difference(const Array& a, const Array& b) {
  double most = 0;
  for (std::size_t i = 0; i + sizeof(float) <= a.bytes.size(); i += sizeof(float)) {
    float x = 0, y = 0;
    std::memcpy(&x, a.bytes.data() + i, sizeof x);
    std::memcpy(&y, b.bytes.data() + i, sizeof y);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    most = std::max<double>(most, std::isfinite(x - y) ? std::abs(x - y) / (1 + std::abs(y)) : 1e9);
  }
  return most;
}

void expect_equal(const Array& got, const Array& expected) {
  EXPECT_EQ(got.dtype, expected.dtype);
  EXPECT_EQ(got.shape, expected.shape);
  ASSERT_EQ(got.bytes.size(), expected.bytes.size());
  if (got.dtype == tensorfile::Dtype::f32) {
    EXPECT_LT(difference(got, expected), 1e-5);
  } else {
    EXPECT_EQ(got.bytes, expected.bytes);
  }
}

class GraphNetworkTest : public ::testing::Test {
 protected:
  OnnxNetwork opened(const std::string& bytes) {
    return OnnxNetwork(dir_.write("case.onnx", bytes), Device{});
  }
  std::string message_of(const std::string& bytes, const std::vector<Array>& inputs) {
    try {
      opened(bytes).run(inputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::model) << error.what();
      return error.what();
    }
    return "no error";
  }

  testing::TempDir dir_;
};

TEST_F(GraphNetworkTest, EachOperatorGivesWhatOnnxruntimeGives) {
  int cases = 0;
  for (const auto& [key, view] : golden().tensors()) {
    if (!key.ends_with(".model")) continue;
    const std::string name = key.substr(0, key.size() - std::string(".model").size());
    SCOPED_TRACE(name);
    const std::vector<Array> expected = arrays(name + ".out");
    std::vector<Array> got;
    ASSERT_NO_THROW(got = opened(bytes_of(view)).run(arrays(name + ".in")));
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) expect_equal(got[i], expected[i]);
    ++cases;
  }
  EXPECT_GT(cases, 170);
}

TEST_F(GraphNetworkTest, AnUnknownOperatorIsNamed) {
  std::string bytes = bytes_of(golden().at("Relu.0.model"));
  bytes.replace(bytes.find("Relu"), 4, "Rely");
  testing::expect_mentions(message_of(bytes, arrays("Relu.0.in")),
                           {"case.onnx", "Rely", "not supported"});
}

TEST_F(GraphNetworkTest, ArraysOfAnotherShapeAreRefused) {
  std::vector<Array> inputs = arrays("Relu.0.in");
  std::swap(inputs[0].shape[0], inputs[0].shape[1]);
  const OnnxNetwork network = opened(bytes_of(golden().at("Relu.0.model")));
  EXPECT_THROW(network.run(inputs), Error);
  EXPECT_THROW(network.run({}), Error);
}

TEST_F(GraphNetworkTest, AHugeResultIsRefusedBeforeItIsMade) {
  std::vector<Array> inputs = arrays("ConstantOfShape.1.in");
  const std::int64_t shape[] = {1 << 20, 1 << 20};
  std::memcpy(inputs[0].bytes.data(), shape, sizeof shape);
  testing::expect_mentions(message_of(bytes_of(golden().at("ConstantOfShape.1.model")), inputs),
                           {"ConstantOfShape", "2^31"});
}

TEST_F(GraphNetworkTest, PlacesOutsideOfAnArrayAreRefused) {
  std::vector<Array> inputs = arrays("Gather.0.in");
  std::string bytes = bytes_of(golden().at("Gather.0.model"));
  // The constant places are 2, -1, 0, 1: the first becomes 77.
  const std::string two("\x02\0\0\0\0\0\0\0\xFF\xFF", 10);
  ASSERT_NE(bytes.find(two), std::string::npos);
  bytes[bytes.find(two)] = 77;
  testing::expect_mentions(message_of(bytes, inputs), {"Gather", "outside"});
}

}  // namespace
}  // namespace fineprint::nets
