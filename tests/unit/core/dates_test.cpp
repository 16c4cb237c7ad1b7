// Moments as texts and back.
#include "fineprint/core/dates.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

std::string read_back(const std::string& text) {
  const std::optional<Moment> moment = parse_utc(text);
  return moment ? utc_text(*moment) : "none";
}

TEST(Dates, DaysAndMomentsAreRead) {
  EXPECT_EQ(read_back("2026-11-25"), "2026-11-25T00:00:00Z");
  EXPECT_EQ(read_back("2024-02-29T18:30"), "2024-02-29T18:30:00Z");
  EXPECT_EQ(read_back("2026-11-25T01:20:07"), "2026-11-25T01:20:07Z");
  EXPECT_EQ(read_back("2026-11-25T01:20:07Z"), "2026-11-25T01:20:07Z");
}

TEST(Dates, WhatNoCalendarHasIsNone) {
  for (const char* text : {"", "2026", "yesterday", "2026-02-30", "2025-02-29", "2026-13-01",
                           "2026-11-25 01:20", "2026-11-25T25:00", "2026-11-25x", "0026-11-25"}) {
    EXPECT_FALSE(parse_utc(text)) << text;
  }
}

TEST(Dates, StampsOfFilesAreMoments) {
  EXPECT_EQ(utc_text(moment_of(1'700'000'000'999'999'999)), "2023-11-14T22:13:20Z");
}

}  // namespace
}  // namespace fineprint
