// Tests of builds without the networks' library, and of folders refused before it is opened.
#include "fineprint/models/nets_library.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/session/context.h"

#include "support/model_folder.h"

namespace fineprint::session {
namespace {

TEST(LoadTextEncoder, SaysThatThisBuildHasNoNetworks) {
  const auto dir = std::filesystem::path(program_path()).parent_path();
  if (std::filesystem::exists(dir / models::kNetsLibrary)) {
    GTEST_SKIP() << "this build has the networks' library";
  }
  const testing::ModelFolder folder;
  const std::string message = testing::model_error([&] { load_text_encoder(folder.path(), {}); });
  EXPECT_NE(message.find("this build has no networks' library"), std::string::npos) << message;
}

TEST(LoadTextEncoder, NamesAWrongFolderFirst) {
  const testing::TempDir empty;
  const std::string message = testing::model_error([&] { load_text_encoder(empty.path(), {}); });
  EXPECT_NE(message.find("not a model folder"), std::string::npos) << message;
}

}  // namespace
}  // namespace fineprint::session
