// The totals at the head of a report.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fineprint/metrics/calibration.h"

#include "report/entries.h"
#include "report/facets.h"

namespace fineprint::report {

// Questions with something in common. A question with several values is in several groups.
struct Group {
  std::string name;
  std::size_t questions = 0;
  std::size_t judged = 0;
  double value = 0;  // the mean over the judged ones, 0..1; NaN if there are none
};

struct Slices {
  Facet facet;
  std::vector<Group> groups;  // the largest first, then by name
};

struct HistogramBin {
  double from = 0, to = 0;
  std::size_t count = 0;
};

// What questions cost, over those with an answer.
struct Cost {
  double mean = 0, median = 0, most = 0;
  double total = 0;
  std::vector<HistogramBin> bins;
};

struct Summary {
  std::size_t questions = 0, answered = 0, judged = 0, declined = 0, quirks = 0;
  std::map<Verdict, std::size_t> verdicts;
  double value = 0;  // the mean over the judged questions, 0..1; NaN if there are none
  std::vector<Slices> slices;
  std::vector<metrics::ReliabilityBin> reliability;  // of answers judged right or wrong
  double calibration_error = 0;                      // NaN if there are none
  Cost seconds, tokens_read, tokens_written, calls;
};

Summary summarise(const std::vector<Entry>& entries);

// Returns at most `most` + 1 bins from 0 up that contain all values, which must be 0 or more. The
// bins have the same round width: 1, 2 or 5 times a power of ten. Returns none if there are no
// values.
std::vector<HistogramBin> histogram(const std::vector<double>& values, std::size_t most = 12);

}  // namespace fineprint::report
