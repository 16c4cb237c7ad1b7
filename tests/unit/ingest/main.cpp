// The test program, which also plays the document workers and the run that is killed.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fineprint/documents/document_workers.h"
#include "fineprint/reading/worker.h"

#include "killed_run.h"

int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role == fineprint::documents::kWorkerArgument) return fineprint::reading::run_worker();
  if (role == fineprint::documents::kConverterArgument) {
    return fineprint::documents::converter_main({argv + 2, argv + argc});
  }
  if (role == "slow-run" && argc == 5) {
    return fineprint::ingest::testing::slow_run(argv[2], argv[3], std::stoi(argv[4]));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
