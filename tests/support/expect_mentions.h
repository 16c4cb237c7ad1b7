// That a message names all that it must.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::testing {

inline void expect_mentions(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" in: " << message;
  }
}

}  // namespace fineprint::testing
