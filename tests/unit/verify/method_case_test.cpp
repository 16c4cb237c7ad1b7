// Tests of method cases: all values pass, and each kind of tampering fails.
#include "fineprint/verify/method_case.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/tensorfile/safetensors.h"

#include "support/temp_dir.h"

namespace fineprint::verify {
namespace {

using models::CaseReport;
using models::TensorCheck;

const std::string kData = FINEPRINT_TEST_DATA;

CaseReport report_of(const std::string& dir, models::VerifyOptions options = {}) {
  return verify_method(models::read_case(dir, options), options).value();
}

std::vector<std::string> failed(const CaseReport& report) {
  std::vector<std::string> names;
  for (const TensorCheck& check : report.checks) {
    if (!check.passed) names.push_back(check.name);
  }
  return names;
}

// A copy of a case of tests/data, to be changed.
class Copy {
 public:
  explicit Copy(const std::string& name) {
    std::filesystem::copy(kData + "/" + name, path(), std::filesystem::copy_options::recursive);
  }
  std::string path() const { return dir_.file("case"); }

  const Copy& change_json(const std::function<void(Json&)>& change) const {
    Json json = parse_json(read_file(path() + "/case.json"), "case.json");
    change(json);
    dir_.write("case/case.json", dump_json(json));
    return *this;
  }

  // All tensors written anew, `name` after `change`.
  const Copy& change_tensor(const std::string& name,
                            const std::function<void(std::string&)>& change) const {
    const std::string file = path() + "/expected.safetensors";
    std::vector<std::string> bytes;
    std::vector<tensorfile::TensorToWrite> tensors;
    {
      const tensorfile::SafetensorsReader reader(file);
      bytes.reserve(reader.tensors().size());
      for (const auto& [key, view] : reader.tensors()) {
        bytes.emplace_back(view.bytes.begin(), view.bytes.end());
        if (key == name) change(bytes.back());
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.back().data());
        tensors.push_back({key, view.dtype, view.shape, {data, bytes.back().size()}});
      }
    }
    tensorfile::write(file, tensors);
    return *this;
  }

 private:
  testing::TempDir dir_;
};

void add_to_double(std::string& bytes, std::size_t index, double more) {
  double value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  value += more;
  std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value);
}

TEST(MethodCase, EveryCasePasses) {
  for (const std::string name : {"method_hkrag", "method_gmm", "method_ranking"}) {
    const CaseReport report = report_of(kData + "/" + name);
    EXPECT_TRUE(report.passed()) << name;
    EXPECT_EQ(failed(report), std::vector<std::string>{}) << name;
    EXPECT_EQ(report.name, name);
    EXPECT_EQ(report.kind, "method");
    for (const TensorCheck& check : report.checks) {
      EXPECT_LE(check.max_absolute, check.tolerance) << check.name;
      EXPECT_GT(check.elements, 0) << check.name;
    }
  }
}

TEST(MethodCase, OtherNamesAreNotTaken) {
  const testing::TempDir dir;
  dir.write("case.json", R"({"case": "method_of_mine"})");
  EXPECT_EQ(verify_method(models::read_case(dir.path(), {}), {}), std::nullopt);
}

TEST(MethodCase, MayBeNamedAfterItsFormula) {
  const Copy copy("method_hkrag");
  copy.change_json([](Json& json) { json["case"] = "method_mask"; });
  const CaseReport report = report_of(copy.path());
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.name, "method_mask");
}

TEST(MethodCase, AChangedTensorFails) {
  const Copy mask("method_hkrag");
  mask.change_tensor("pair2.alpha1.0.std.sparse", [](std::string& bytes) { bytes[17] ^= 1; });
  EXPECT_EQ(failed(report_of(mask.path())), std::vector<std::string>{"sparse.std"});

  const Copy score("method_ranking");
  score.change_tensor("maxsim.scores", [](std::string& bytes) { add_to_double(bytes, 5, 1e-8); });
  EXPECT_EQ(failed(report_of(score.path())), std::vector<std::string>{"maxsim.formula"});

  const Copy posterior("method_gmm");
  posterior.change_tensor("dup.posterior_high",
                          [](std::string& bytes) { add_to_double(bytes, 0, -2e-4); });
  const CaseReport report = report_of(posterior.path());
  EXPECT_EQ(failed(report), std::vector<std::string>{"posterior_high"});
  models::VerifyOptions loose;
  loose.tolerance_factor = 3;
  EXPECT_TRUE(report_of(posterior.path(), loose).passed());
}

TEST(MethodCase, NotANumberFails) {
  const Copy copy("method_gmm");
  copy.change_tensor("dup.posterior_high", [](std::string& bytes) {
    add_to_double(bytes, 0, std::numeric_limits<double>::quiet_NaN());
  });
  EXPECT_EQ(failed(report_of(copy.path())), std::vector<std::string>{"posterior_high"});
}

TEST(MethodCase, AChangedFactFails) {
  const auto failing = [](const std::string& name, const std::function<void(Json&)>& change) {
    return failed(report_of(Copy(name).change_json(change).path()));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(failing("method_hkrag", [](Json& j) { j["rows"][3]["cos_hybrid_odd_dims"] = 0.5; }),
            Names{"cos_hybrid_odd_dims"});
  EXPECT_EQ(failing("method_gmm",
                    [](Json& j) { j["rows"][1]["high_is_a_prefix_of_the_ranking"] = false; }),
            Names{"high_is_a_prefix_of_the_ranking"});
  EXPECT_EQ(failing("method_ranking", [](Json& j) { j["metrics"][7]["ndcg_exp_gain@3"] = 0.5; }),
            Names{"ndcg_exp_gain@3"});
  EXPECT_EQ(failing("method_ranking",
                    [](Json& j) { std::swap(j["rrf"][0]["fused"][1], j["rrf"][0]["fused"][2]); }),
            (Names{"rrf.order", "rrf.scores"}));
  EXPECT_EQ(failing("method_ranking", [](Json& j) { j["mean_over_rankings"]["hit@5"] = 1; }),
            Names{"mean_over_rankings"});
}

TEST(MethodCase, WhatNothingStandsAgainstFails) {
  const Copy fact("method_hkrag");
  fact.change_json([](Json& json) { json["rows"][0]["cos_blended"] = 0.5; });
  EXPECT_EQ(failed(report_of(fact.path())),
            std::vector<std::string>{"pair0.alpha0.5.std.cos_blended"});
  const Copy rows("method_gmm");
  rows.change_json([](Json& json) { json["rows"].erase(5); });
  EXPECT_EQ(failed(report_of(rows.path())),
            (std::vector<std::string>{"dup.posterior_high", "dup.scores"}));
}

TEST(MethodCase, ACaseThatLacksSomethingIsRefused) {
  const auto code_of = [](const std::string& name, const std::function<void(Json&)>& change) {
    try {
      report_of(Copy(name).change_json(change).path());
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("case.json"), std::string::npos) << error.what();
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code_of("method_hkrag", [](Json& j) { j.erase("epsilon"); }), ErrorCode::input);
  EXPECT_EQ(code_of("method_hkrag", [](Json& j) { j["rows"][0]["pair"] = 9; }), ErrorCode::input);
  EXPECT_EQ(code_of("method_hkrag", [](Json& j) { j["rows"][0]["spread"] = "range"; }),
            ErrorCode::input);
  EXPECT_EQ(code_of("method_gmm", [](Json& j) { j["rows"][0]["means"] = "low"; }),
            ErrorCode::input);
  EXPECT_EQ(code_of("method_ranking", [](Json& j) { j["tolerances"].erase("all"); }),
            ErrorCode::input);
}

}  // namespace
}  // namespace fineprint::verify
