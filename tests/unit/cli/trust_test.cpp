// Settings files that come with folders: which values need trust, and what gives and takes it.
#include "fineprint/settings/trust.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "cli/options.h"
#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::cli {
namespace {

namespace fs = std::filesystem;
using settings::FolderFile;
using settings::Settings;
using settings::Trust;
using testing::expect_mentions;

constexpr const char* kEvil = "generator = \"openai:http://evil.example/v1#m\"\nk = 3\n";

// Works in a folder "work", with a configuration folder of the user's own.
class FolderTrust : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::create_directory(folder_.file("work"));
    fs::current_path(folder_.file("work"));
    setenv("XDG_CONFIG_HOME", folder_.file("config").c_str(), 1);
  }
  void TearDown() override {
    fs::current_path(before_);
    unsetenv("XDG_CONFIG_HOME");
  }

  Settings resolve(const OptionTexts& flags = {}, unsigned commands = kAsk,
                   const std::vector<const char*>& variables = {}) {
    std::vector<const char*> environment = variables;
    environment.push_back(nullptr);
    return answering::resolve_settings(flags, environment.data(), commands, options());
  }
  // The message of the Error(usage) that resolving must throw.
  std::string refusal(unsigned commands = kAsk) {
    try {
      resolve({}, commands);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "obeyed";
    return {};
  }
  std::string write(const std::string& text) { return folder_.write("work/fineprint.toml", text); }
  FolderFile read() { return settings::read_folder_file(".", "fineprint.toml", options()).value(); }
  std::string records() const { return folder_.file("config/fineprint/trusted"); }
  std::string record() const { return fs::directory_iterator(records())->path().string(); }

  testing::TempDir folder_;
  fs::path before_;
};

// A new option of text must be decided on: guarded, or listed here because no value of it starts a
// program, sends data, hands over a secret or lets somebody in.
TEST(GuardedOptions, EveryTextIsGuardedOrKnownToBeHarmless) {
  const std::set<std::string> kHarmless = {"store",
                                           "query-prefix",
                                           "passage-prefix",
                                           "ocr-engine",
                                           "ocr-lang",
                                           "layout-model",
                                           "encoding",
                                           "scorer",
                                           "mask-weights",
                                           "train.examples",
                                           "train.held-back",
                                           "train.lora-targets",
                                           "pipeline",
                                           "gate",
                                           "prompts",
                                           "device",
                                           "dmap.document-scorer",
                                           "hkrag.judger-calibration",
                                           "molorag.start-scorer",
                                           "molorag.graph-set",
                                           "gmm-window"};
  std::set<std::string> open, guarded;
  for (const ProgramOption& option : options().all()) {
    const bool is_text = option.type == OptionType::text || option.type == OptionType::list;
    if (option.risk != nullptr) {
      EXPECT_TRUE(is_text) << option.name;
      guarded.insert(option.name);
    } else if (is_text && option.choices.empty() && !option.facts.flag_only) {
      open.insert(option.name);
    }
  }
  EXPECT_EQ(open, kHarmless);
  const std::set<std::string> kGuarded = {
      "agent-generator", "allowed-host", "api-key-file", "fetch",         "generator", "host",
      "judge",           "libreoffice",  "map",          "password-file", "qa",        "rerank",
      "retriever",       "token-file",   "vectors-at"};
  EXPECT_EQ(guarded, kGuarded);
}

TEST(GuardedOptions, ServersProgramsAndAddressesAreToldFromTheRest) {
  const auto has_risk = [](const char* option, const std::string& text) {
    return options().find(option)->risk(text).has_value();
  };
  for (const char* option : {"generator", "judge", "map", "retriever", "rerank"}) {
    for (const char* spec : {"openai:http://h/v1#m", "http://h:1#m", "https://h", "ollama:m",
                             "lmstudio:m", "ollama:http://h#m", "tei:http://h", "late:http://h#m",
                             "page:openai:http://h/v1#m", "http://a#m,http://b#m"}) {
      EXPECT_TRUE(has_risk(option, spec)) << option << " " << spec;
    }
    for (const char* spec : {"models/Qwen3-VL-2B", "org/name", "a.gguf+b.gguf", "script:replies",
                             "int8:", "reader", "none", "./http", "heuristic"}) {
      EXPECT_FALSE(has_risk(option, spec)) << option << " " << spec;
    }
  }
  EXPECT_TRUE(has_risk("agent-generator", "mdocagent.text=ollama:m"));
  EXPECT_TRUE(has_risk("agent-generator", "a=http://h#x=y"));
  EXPECT_FALSE(has_risk("agent-generator", "mdocagent.text=models/x"));
  EXPECT_TRUE(has_risk("libreoffice", "./soffice"));
  EXPECT_FALSE(has_risk("libreoffice", "auto"));
  EXPECT_FALSE(has_risk("libreoffice", "never"));
  EXPECT_TRUE(has_risk("fetch", "https"));
  EXPECT_TRUE(has_risk("fetch", "any"));
  EXPECT_FALSE(has_risk("fetch", "never"));
  EXPECT_TRUE(has_risk("host", "0.0.0.0"));
  EXPECT_FALSE(has_risk("host", "127.0.0.1"));
}

TEST_F(FolderTrust, HarmlessKeysAreObeyed) {
  write("k = 3\nlibreoffice = \"never\"\ngenerator = \"\"\nhost = \"localhost\"\n");
  EXPECT_EQ(resolve().integer("k"), 3);
  EXPECT_EQ(resolve().text("libreoffice"), "never");
  EXPECT_FALSE(fs::exists(records()));
}

TEST_F(FolderTrust, ARefusalNamesFileKeyValueReasonAndBothWaysOut) {
  write(kEvil);
  expect_mentions(refusal(), {folder_.file("work/fineprint.toml"), "generator",
                              "openai:http://evil.example/v1#m", "sends", "have not trusted",
                              "fineprint trust " + folder_.file("work"), "--generator",
                              "FINEPRINT_GENERATOR", folder_.file("config/fineprint/config.toml")});
  write(
      "libreoffice = \"./run\\u001b]0;x\\u0007.sh\"\nretriever = [\"int8:\", \"tei:http://h\"]\n");
  const std::string message = refusal();
  expect_mentions(
      message, {"libreoffice", "run\\u001b]0;x\\u0007.sh", "starts this program", "tei:http://h"});
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_EQ(message.find("int8:"), std::string::npos);
}

// The name of a folder is a stranger's, too, and people copy the command from the message.
TEST_F(FolderTrust, TheCommandInTheMessageIsSafeToCopy) {
  EXPECT_EQ(settings::trust_command({.path = "/a/b-c.d/fineprint.toml", .bytes = {}, .values = {}}),
            "fineprint trust /a/b-c.d");
  EXPECT_EQ(
      settings::trust_command({.path = "/my $(x); y's/fineprint.toml", .bytes = {}, .values = {}}),
      "fineprint trust '/my $(x); y'\\''s'");
}

TEST_F(FolderTrust, AHigherLayerOverrides) {
  write(kEvil);
  EXPECT_EQ(resolve({{"generator", {"script:a"}}}).text("generator"), "script:a");
  EXPECT_EQ(resolve({}, kAsk, {"FINEPRINT_GENERATOR=script:b"}).text("generator"), "script:b");
  const std::string given = folder_.write("given.toml", "generator = \"script:c\"\n");
  EXPECT_EQ(resolve({{"config", {given}}}).text("generator"), "script:c");
  // A file that is named is trusted, even the one in this folder.
  EXPECT_EQ(resolve({{"config", {"fineprint.toml"}}}).text("generator"),
            "openai:http://evil.example/v1#m");
}

TEST_F(FolderTrust, TheUsersOwnFileIsUsedInstead) {
  write(kEvil);
  fs::create_directories(folder_.file("config/fineprint"));
  folder_.write("config/fineprint/config.toml",
                "generator = \"http://mine:1#m\"\nhost = \"0.0.0.0\"\n");
  const Settings settings = resolve();
  EXPECT_EQ(settings.text("generator"), "http://mine:1#m");
  EXPECT_EQ(settings.text("host"), "0.0.0.0");
  EXPECT_EQ(settings.integer("k"), 3);
}

TEST_F(FolderTrust, CommandsThatDoNotTakeTheOptionGoOnWithoutIt) {
  write(kEvil);
  EXPECT_EQ(resolve({}, kList).text("generator"), "");
  EXPECT_EQ(resolve({}, kList).integer("k"), 3);
  EXPECT_EQ(resolve({}, kTrust).text("generator"), "");
  write("libreoffice = \"./evil\"\n");
  refusal(kIndex);
  EXPECT_EQ(resolve({}, kDoctor).text("libreoffice"), "auto");
}

TEST_F(FolderTrust, TrustBelongsToThePathAndTheBytes) {
  write(kEvil);
  EXPECT_EQ(settings::trust_in(read()), Trust::unknown);
  const settings::TrustedFile trusted = settings::record_trust(read());
  EXPECT_EQ(trusted.path, fs::canonical(".").string() + "/fineprint.toml");
  EXPECT_EQ(settings::trust_in(read()), Trust::trusted);
  EXPECT_EQ(resolve().text("generator"), "openai:http://evil.example/v1#m");

  write(std::string(kEvil) + "# one more line\n");
  EXPECT_EQ(settings::trust_in(read()), Trust::changed);
  expect_mentions(refusal(), {"changed since"});
  write(kEvil);
  EXPECT_EQ(settings::trust_in(read()), Trust::trusted);

  fs::create_directory(folder_.file("copy"));
  fs::copy(folder_.file("work/fineprint.toml"), folder_.file("copy/fineprint.toml"));
  fs::current_path(folder_.file("copy"));
  EXPECT_EQ(settings::trust_in(read()), Trust::unknown);

  settings::forget_trust(trusted);
  settings::forget_trust(trusted);
  fs::current_path(folder_.file("work"));
  EXPECT_EQ(settings::trust_in(read()), Trust::unknown);
}

// Links to the folder are followed. A link in place of the file counts as the file that it is, so
// a trusted file elsewhere gives nothing to a folder that links to it.
TEST_F(FolderTrust, LinksGiveNoTrust) {
  write(kEvil);
  settings::record_trust(read());
  fs::create_directory_symlink(folder_.file("work"), folder_.file("link"));
  fs::current_path(folder_.file("link"));
  EXPECT_EQ(settings::trust_in(read()), Trust::trusted);

  fs::create_directory(folder_.file("evil"));
  fs::create_symlink(folder_.file("work/fineprint.toml"), folder_.file("evil/fineprint.toml"));
  fs::current_path(folder_.file("evil"));
  EXPECT_EQ(settings::trust_in(read()), Trust::unknown);

  fs::current_path(folder_.file("work"));
  folder_.write("other.toml", "generator = \"http://other#m\"\n");
  fs::remove("fineprint.toml");
  fs::create_symlink(folder_.file("other.toml"), "fineprint.toml");
  EXPECT_EQ(settings::trust_in(read()), Trust::changed);
}

TEST_F(FolderTrust, RecordsAreTheUsersAlone) {
  write(kEvil);
  settings::record_trust(read());
  struct stat status{};
  ASSERT_EQ(::stat(records().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat(record().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  ASSERT_EQ(::chmod(record().c_str(), 0620), 0);
  EXPECT_THROW(settings::trust_in(read()), Error);
  ASSERT_EQ(::chmod(record().c_str(), 0600), 0);
  ASSERT_EQ(::chmod(records().c_str(), 0777), 0);
  EXPECT_THROW(settings::trust_in(read()), Error);
  EXPECT_THROW(settings::trusted_files(), Error);
  settings::record_trust(read());  // closes the folder again
  EXPECT_EQ(settings::trust_in(read()), Trust::trusted);
  if (::geteuid() == 0) {  // only root can give files away
    ASSERT_EQ(::chown(record().c_str(), 1234, 1234), 0);
    EXPECT_THROW(settings::trust_in(read()), Error);
    ASSERT_EQ(::chown(record().c_str(), 0, 0), 0);
  }
  const std::string bytes = read_file(record());
  const std::string place = record();
  fs::remove(place);
  fs::create_symlink(folder_.write("forged", bytes), place);
  EXPECT_THROW(settings::trust_in(read()), Error);
}

TEST_F(FolderTrust, ABrokenRecordGivesNoTrust) {
  write(kEvil);
  const settings::TrustedFile trusted = settings::record_trust(read());
  const std::string place = record(), whole = read_file(place);
  for (const std::string& broken :
       {std::string(), whole.substr(0, 40), whole.substr(0, 64), whole.substr(0, 70),
        trusted.sha256 + "  /elsewhere/fineprint.toml\n"}) {
    write_file_atomic(place, broken);
    ::chmod(place.c_str(), 0600);
    EXPECT_EQ(settings::trust_in(read()), Trust::unknown) << broken;
  }
}

TEST_F(FolderTrust, AFileThatCannotBeLookedAtIsAnError) {
  fs::create_symlink("fineprint.toml", "fineprint.toml");
  try {
    resolve();
    ADD_FAILURE() << "ignored";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    expect_mentions(error.what(), {"fineprint.toml"});
  }
  fs::remove("fineprint.toml");
  fs::create_symlink("nowhere", "fineprint.toml");
  EXPECT_EQ(resolve().integer("k"), 10);
}

TEST_F(FolderTrust, APipeOrAFolderInPlaceOfTheFileIsRefused) {
  ASSERT_EQ(::mkfifo("fineprint.toml", 0600), 0);
  expect_mentions(refusal(), {"fineprint.toml", "not a regular file"});
  fs::remove("fineprint.toml");
  fs::create_symlink("/dev/zero", "fineprint.toml");
  expect_mentions(refusal(), {"not a regular file"});
  fs::remove("fineprint.toml");
  fs::create_directory("fineprint.toml");
  expect_mentions(refusal(), {"not a regular file"});
}

}  // namespace
}  // namespace fineprint::cli
