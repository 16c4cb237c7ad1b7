// What tests of a store do to its catalogue, and how they hear of it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "store/sqlite.h"
#include "support/temp_dir.h"

namespace fineprint::store::testing {

// What the error says that the action must end with.
template <class Action>
std::string error_of(ErrorCode code, Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

// Of the store "s".
inline void change(const fineprint::testing::TempDir& dir, const std::string& sql) {
  Database(dir.file("s/catalog.sqlite"), OpenAs::writer).execute(sql);
}

}  // namespace fineprint::store::testing
