// Names that strangers give.
#include "server/document_names.h"

#include <gtest/gtest.h>

namespace fineprint::server {
namespace {

TEST(DocumentNames, AreThoseOfPlainFiles) {
  for (const char* name : {"a.pdf", "Ä b (1).docx", "no-ending", "a..pdf", "100%.pdf"}) {
    EXPECT_EQ(problem_of_name(name), "") << name;
  }
  for (const std::string& name :
       {std::string(), std::string("/etc/passwd"), std::string("../a.pdf"), std::string("a/b.pdf"),
        std::string("a\\b.pdf"), std::string(".hidden"), std::string(".."), std::string("~$a.docx"),
        std::string("a\nb.pdf"), std::string("a\0b.pdf", 7), std::string("\xff.pdf"),
        std::string(201, 'a')}) {
    EXPECT_NE(problem_of_name(name), "") << name;
  }
}

}  // namespace
}  // namespace fineprint::server
