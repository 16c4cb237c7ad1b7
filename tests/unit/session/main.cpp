// The test program, which is also its own document worker.
#include <string_view>

#include <gtest/gtest.h>

#include "fineprint/documents/document_workers.h"
#include "fineprint/reading/worker.h"

int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role == fineprint::documents::kWorkerArgument) return fineprint::reading::run_worker();
  if (role == fineprint::documents::kConverterArgument) {
    return fineprint::documents::converter_main({argv + 2, argv + argc});
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
