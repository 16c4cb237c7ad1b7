// Tests of builds without the networks' library, and of folders refused before it is opened.
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/running_program.h"
#include "fineprint/session/load.h"

#include "support/model_folder.h"

namespace fineprint::session {
namespace {

TEST(HasNets, LooksBesideTheProgram) {
  const auto dir = std::filesystem::path(program_path()).parent_path();
  EXPECT_EQ(has_nets(), std::filesystem::exists(dir / serving::kNetsLibrary));
}

TEST(LoadTextEncoder, SaysThatThisBuildHasNoNetworks) {
  if (has_nets()) GTEST_SKIP() << "this build has the networks' library";
  const testing::ModelFolder folder;
  const std::string message = testing::model_error([&] { load_text_encoder(folder.path(), {}); });
  EXPECT_NE(message.find("this build has no networks' library"), std::string::npos) << message;
  // At the second attempt too.
  EXPECT_EQ(testing::model_error([] { nets(); }), message);
}

TEST(Load, NamesAWrongFolderFirst) {
  const testing::TempDir empty;
  const auto expect_named = [&](const std::function<void()>& load) {
    const std::string message = testing::model_error(load);
    EXPECT_NE(message.find(empty.path() + ": not a model folder"), std::string::npos) << message;
  };
  expect_named([&] { load_text_encoder(empty.path(), {}); });
  expect_named([&] { load_encoder(empty.path(), {}); });
  expect_named([&] { load_generator(empty.path(), {}); });
}

TEST(Load, GeneratorsThatNeedNoNetworks) {
  const testing::TempDir dir;
  const std::string script = dir.write("replies.jsonl", R"({"agent": "a", "reply": "scripted"})");
  models::Request request;
  request.agent = "a";
  EXPECT_EQ(load_generator("script:" + script, {})->generate(request, {}).text, "scripted");
  const auto remote = load_generator("openai:http://localhost:8000/v1#tiny", {});
  EXPECT_EQ(remote->remote(), "localhost:8000");
  EXPECT_EQ(remote->name(), "tiny");
}

TEST(Load, LooksForNamesInTheCache) {
  const testing::TempDir cache;
  const std::string message = testing::model_error(
      [&] { load_generator("someone/something", {.device = {}, .hub_cache = cache.path()}); });
  EXPECT_NE(message.find(cache.path() + "/models--someone--something"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace fineprint::session
