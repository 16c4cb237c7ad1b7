// Passwords of encrypted documents that stand in a file.
#include "fineprint/documents/passwords.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using Texts = std::vector<std::string>;

TEST(Passwords, LinesAreForAllOrForThoseTheyName) {
  const fineprint::testing::TempDir dir;
  const auto passwords = read_passwords(dir.write(
      "list", "for all\r\n\nminutes-*.pdf\tboard room\n2024/*.pdf\t#1\nplan.pdf\t\nlast"));
  EXPECT_EQ(passwords_for("/in/minutes-3.pdf", passwords),
            (Texts{"board room", "for all", "last"}));
  EXPECT_EQ(passwords_for("in/2024/a.pdf", passwords), (Texts{"#1", "for all", "last"}));
  EXPECT_EQ(passwords_for("2024/a.pdf", passwords), (Texts{"#1", "for all", "last"}));
  EXPECT_EQ(passwords_for("plan.pdf", passwords), (Texts{"", "for all", "last"}));
  EXPECT_EQ(passwords_for("/in/plan.pdf.txt", passwords), (Texts{"for all", "last"}));
  EXPECT_EQ(passwords_for("/in/masterplan.pdf", passwords), (Texts{"for all", "last"}));
}

TEST(Passwords, AFileWithoutAnyIsRefused) {
  const fineprint::testing::TempDir dir;
  for (const std::string& file : {dir.write("empty", "\n\r\n"), dir.file("missing")}) {
    try {
      read_passwords(file);
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace fineprint::documents
