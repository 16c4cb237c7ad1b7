// Tests of finding model folders: as given, in the Hugging Face cache, and the default one.
#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

namespace fs = std::filesystem;
using fineprint::testing::CaseFolder;
using fineprint::testing::has;
using fineprint::testing::model_error;
using fineprint::testing::TempDir;

constexpr const char* kRevision = "0123456789abcdef0123456789abcdef01234567";

// A cache as the Hugging Face tools lay it out, with one model: links to blobs.
class Cache {
 public:
  Cache() {
    fs::create_directories(snapshot());
    fs::create_directories(repository() + "/refs");
    fs::create_directories(repository() + "/blobs");
    for (const auto& entry : fs::directory_iterator(FINEPRINT_TEST_DATA "/colbert_a/model")) {
      const std::string name = entry.path().filename().string();
      fs::copy_file(entry.path(), repository() + "/blobs/blob-" + name);
      fs::create_symlink("../../blobs/blob-" + name, snapshot() + "/" + name);
    }
    set_ref(kRevision);
  }

  const std::string& path() const { return dir_.path(); }
  std::string repository() const { return path() + "/models--some-org--a.Model_1"; }
  std::string snapshot() const { return repository() + "/snapshots/" + kRevision; }
  void set_ref(const std::string& text) const {
    dir_.write("models--some-org--a.Model_1/refs/main", text);
  }
  std::string error(const std::string& spec) const {
    return model_error([&] { find_model(spec, path()); });
  }

 private:
  TempDir dir_;
};

TEST(FindModel, TakesAFolder) {
  const CaseFolder folder("colbert_a");
  EXPECT_EQ(find_model(folder.path()), folder.path());
}

TEST(FindModel, FindsAModelInTheCache) {
  const Cache cache;
  const std::string dir = find_model("some-org/a.Model_1", cache.path());
  EXPECT_EQ(dir, cache.snapshot());
  const ModelSpec spec = read_model(dir);
  EXPECT_EQ(spec.name, "some-org/a.Model_1");
  EXPECT_NO_THROW(Checkpoint{spec});
  cache.set_ref(std::string(kRevision) + "\n");
  EXPECT_EQ(find_model("some-org/a.Model_1", cache.path()), cache.snapshot());
}

TEST(FindModel, NamesEveryPlaceLookedIn) {
  const Cache cache;
  const std::string message = cache.error("some-org/other");
  EXPECT_TRUE(has(message, "some-org/other") && has(message, cache.path())) << message;
  EXPECT_TRUE(has(message, "nothing is downloaded")) << message;
  const std::string without = model_error([] { find_model("some-org/other"); });
  EXPECT_TRUE(has(without, "no cache")) << without;
  const TempDir empty;
  EXPECT_TRUE(has(cache.error(empty.path()), "no config.json")) << cache.error(empty.path());
}

TEST(FindModel, RefusesNamesThatLeadElsewhere) {
  const Cache cache;
  for (const std::string name : {"", "..", "../..", "some-org/..", "../a.Model_1", "some-org/../a",
                                 "some-org/a/b", "some-org/", "/a", "some-org/.hidden", "a--b/c",
                                 "some org/a", "some-org/a\n", "-a/b", "some-org/a..b"}) {
    const std::string message = cache.error(name);
    EXPECT_TRUE(has(message, "not a model folder") || has(message, "not an org/name"))
        << name << ": " << message;
  }
  EXPECT_TRUE(has(cache.error(std::string("some-org/a\0b", 12)), "not an org/name"));
  EXPECT_TRUE(has(cache.error("some-org/" + std::string(5000, 'a')), "not an org/name"));
}

TEST(FindModel, RefusesAReferenceThatLeadsElsewhere) {
  const Cache cache;
  for (const std::string ref : {"..", "../../..", "a/b", "", "/etc", "\xff\xfe"}) {
    cache.set_ref(ref);
    EXPECT_TRUE(has(cache.error("some-org/a.Model_1"), "refs/main")) << ref;
  }
  cache.set_ref(std::string(100'000, 'a'));
  EXPECT_TRUE(has(cache.error("some-org/a.Model_1"), "too long"));
  cache.set_ref("ffffffffffffffffffffffffffffffffffffffff");
  EXPECT_TRUE(has(cache.error("some-org/a.Model_1"), "holds no config.json"));
  fs::remove(cache.repository() + "/refs/main");
  EXPECT_TRUE(has(cache.error("some-org/a.Model_1"), "refs/main: missing"));
}

TEST(FindModel, FindsTheBaseOfAnAdapterInTheCache) {
  const Cache cache;
  const TempDir adapter;
  adapter.write("adapter_config.json",
                R"({"peft_type": "LORA", "base_model_name_or_path": "some-org/a.Model_1", "r": 2,
                    "lora_alpha": 2, "target_modules": ["query"]})");
  EXPECT_EQ(read_model(adapter.path(), cache.path()).dir, cache.snapshot());
  const std::string message = model_error([&] { read_model(adapter.path()); });
  EXPECT_TRUE(has(message, "cannot find its base model")) << message;
}

TEST(FindTextEncoder, TakesAFolderAndRefusesAnother) {
  const CaseFolder folder("bert_mean_a");
  EXPECT_EQ(find_text_encoder(folder.path()), folder.path());
  const TempDir empty;
  EXPECT_TRUE(has(model_error([&] { find_text_encoder(empty.path()); }), empty.path()));
}

TEST(FindTextEncoder, FindsTheDefaultOne) {
  const ModelSpec spec = read_model(find_text_encoder(""));
  EXPECT_EQ(spec.name, "all-MiniLM-L6-v2");
  EXPECT_EQ(spec.prompt.max_tokens, 256);
  const Checkpoint checkpoint(spec);
  EXPECT_EQ(checkpoint.parameters(), 22'565'376);  // without the pooler
}

}  // namespace
}  // namespace fineprint::models
