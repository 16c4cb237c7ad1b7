// The test program, which also plays the processes that the tests kill or let read.
#include <string_view>

#include <gtest/gtest.h>

#include "processes.h"

int main(int argc, char** argv) {
  if (argc == 3) {
    const std::string_view role = argv[1];
    if (role == "put-loop") return fineprint::store::testing::put_loop(argv[2]);
    if (role == "read-loop") return fineprint::store::testing::read_loop(argv[2]);
    if (role == "states-loop") return fineprint::store::testing::states_loop(argv[2]);
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
