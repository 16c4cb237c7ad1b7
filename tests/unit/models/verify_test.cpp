// Tests of golden case folders: what they are, where their models lie, and tokenizers in them.
#include "fineprint/models/verify.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/settings/sha256.h"

#include "build_info.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

namespace fs = std::filesystem;

const std::string kData = FINEPRINT_TEST_DATA;

// A copy of a case of tests/data, to be changed.
class ChangedCase {
 public:
  explicit ChangedCase(const std::string& name) {
    fs::copy(kData + "/" + name, path(), fs::copy_options::recursive);
  }
  std::string path() const { return dir_.file("case"); }
  Json json(const std::string& name) const {
    return parse_json(read_file(path() + "/" + name), name);
  }
  void write(const std::string& name, const Json& value) const {
    dir_.write("case/" + name, dump_json(value));
  }
  void remove(const std::string& name) const { fs::remove_all(path() + "/" + name); }

 private:
  testing::TempDir dir_;
};

Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::internal, "no error"};
}

void expect_error(const std::function<void()>& call, ErrorCode code, const std::string& part) {
  const Error error = error_of(call);
  EXPECT_EQ(code_name(error.code()), code_name(code)) << error.what();
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

CaseReport verify(const std::string& dir) { return verify_tokenizer(read_case(dir, {})); }

const TensorCheck& check_of(const CaseReport& report, const std::string& name) {
  for (const TensorCheck& check : report.checks) {
    if (check.name == name) return check;
  }
  throw std::runtime_error("no check " + name);
}

TEST(ReadCase, TellsModelsTokenizersAndTheRestApart) {
  const CaseFacts model = read_case(kData + "/qwen25vl_a/", {});
  EXPECT_EQ(model.kind, CaseKind::model);
  EXPECT_EQ(model.name, "qwen25vl_a");
  EXPECT_EQ(model.dir, kData + "/qwen25vl_a");
  EXPECT_EQ(model.model_dir, kData + "/qwen25vl_a/model");
  const CaseFacts tokenizer = read_case(kData + "/tok_bert", {});
  EXPECT_EQ(tokenizer.kind, CaseKind::tokenizer);
  EXPECT_EQ(tokenizer.model_dir, kData + "/tok_bert/model");
  const CaseFacts other = read_case(kData + "/method_gmm", {});
  EXPECT_EQ(other.kind, CaseKind::other);
  EXPECT_FALSE(other.skipped.empty());
}

TEST(ReadCase, RefusesWhatIsNoCase) {
  const testing::TempDir dir;
  expect_error([&] { read_case(dir.path(), {}); }, ErrorCode::input, "case.json");
  expect_error([&] { read_case(dir.file("missing"), {}); }, ErrorCode::input, "missing");
  dir.write("case.json", "[1]");
  expect_error([&] { read_case(dir.path(), {}); }, ErrorCode::input, "not an object");
  dir.write("case.json", "{");
  expect_error([&] { read_case(dir.path(), {}); }, ErrorCode::input, "case.json");
}

TEST(ReadCase, TakesNamedWeightsFromTheGivenFolder) {
  const CaseFacts facts = read_case(kData + "/minilm_real", {.model_dir = "/somewhere"});
  EXPECT_EQ(facts.model_dir, "/somewhere");
  // A case with weights of its own keeps them.
  EXPECT_EQ(read_case(kData + "/bert_mean_a", {.model_dir = "/somewhere"}).model_dir,
            kData + "/bert_mean_a/model");
}

TEST(ReadCase, TakesTheDefaultEncoderWhenItsWeightsAreThoseNamed) {
  if (!fs::exists(std::string(kDefaultTextEncoder) + "/model.safetensors")) {
    GTEST_SKIP() << "no default text encoder at " << kDefaultTextEncoder;
  }
  EXPECT_EQ(read_case(kData + "/minilm_real", {}).model_dir, kDefaultTextEncoder);

  const ChangedCase folder("minilm_real");
  Json json = folder.json("case.json");
  json["weights"]["sha256"] = std::string(64, '0');
  folder.write("case.json", json);
  expect_error([&] { read_case(folder.path(), {}); }, ErrorCode::model, "--model DIR");
}

TEST(ReadCase, NamesTheWeightsThatItLacks) {
  const ChangedCase folder("bert_mean_a");
  folder.remove("model/model.safetensors");
  expect_error([&] { read_case(folder.path(), {}); }, ErrorCode::model, "no weights of its own");
  const ChangedCase tokenizer("tok_bert");
  tokenizer.remove("model");
  expect_error([&] { read_case(tokenizer.path(), {}); }, ErrorCode::model, "no tokenizer.json");
}

TEST(CaseReport, PassesWhenEveryCheckDoes) {
  CaseReport report;
  EXPECT_FALSE(report.passed());  // nothing was compared
  report.checks.resize(2);
  report.checks[0].passed = report.checks[1].passed = true;
  EXPECT_TRUE(report.passed());
  report.checks[0].passed = false;
  EXPECT_FALSE(report.passed());
  report.skipped = "of another kind";
  EXPECT_TRUE(report.passed());
}

TEST(VerifyTokenizer, EqualsTheReference) {
  for (const char* name :
       {"tok_bert", "tok_minilm_real", "tok_qwen", "tok_phi3", "tok_gemma", "tok_unigram"}) {
    const CaseReport report = verify(kData + "/" + name);
    EXPECT_EQ(report.kind, "tokenizer");
    EXPECT_GE(report.checks.size(), 7U) << name;
    for (const TensorCheck& check : report.checks) {
      EXPECT_TRUE(check.passed) << name << " " << check.name << ": " << check.note;
      EXPECT_GE(check.elements, 20) << name << " " << check.name;
    }
  }
}

TEST(VerifyTokenizer, CountsAndNamesWhatDiffers) {
  const ChangedCase folder("tok_bert");
  Json expected = folder.json("expected.json");
  expected["encode"][7]["ids"].push_back(3);
  expected["encode"][9]["ids"].push_back(3);
  expected["encode"][9]["decoded_skip_special"] = "something else";
  folder.write("expected.json", expected);
  const CaseReport report = verify(folder.path());
  EXPECT_FALSE(report.passed());
  const TensorCheck& ids = check_of(report, "encode.ids");
  EXPECT_FALSE(ids.passed);
  EXPECT_EQ(ids.max_absolute, 2);
  EXPECT_NE(ids.note.find("entry 7"), std::string::npos) << ids.note;
  EXPECT_NE(ids.note.find(dump_json(expected["encode"][7]["text"]).substr(0, 20)),
            std::string::npos)
      << ids.note;
  EXPECT_EQ(check_of(report, "encode.decoded_skip_special").max_absolute, 1);
  EXPECT_TRUE(check_of(report, "encode.offsets").passed);
}

TEST(VerifyTokenizer, RefusesDamagedCases) {
  const ChangedCase folder("tok_bert");
  const auto run = [&] { verify(folder.path()); };
  folder.write("expected.json", {{"encode", {{{"text", 5}, {"ids", Json::array()}}}}});
  expect_error(run, ErrorCode::input, "expected.json");
  folder.write("expected.json", Json::object());
  expect_error(run, ErrorCode::input, "contains nothing to compare");
  folder.remove("expected.json");
  expect_error(run, ErrorCode::unreadable, "expected.json");
  folder.write("expected.json", Json::object());
  folder.write("model/tokenizer.json", Json::object());
  expect_error(run, ErrorCode::model, "tokenizer.json");
}

}  // namespace
}  // namespace fineprint::models
