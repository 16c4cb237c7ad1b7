// The figures at the head of a report.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fineprint/metrics/calibration.h"

#include "report/entries.h"
#include "report/facets.h"

namespace fineprint::report {

// Questions with something in common. A question of several sources is in several groups.
struct Group {
  std::string name;
  std::size_t questions = 0;
  std::size_t judged = 0;
  double value = 0;  // the mean over those judged, 0..1; NaN without any
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
  double value = 0;  // the mean over the questions judged, 0..1; NaN without any
  std::vector<Slices> slices;
  std::vector<metrics::ReliabilityBin> reliability;  // of answers judged right or wrong
  double calibration_error = 0;                      // NaN without any
  Cost seconds, tokens_read, tokens_written, calls;
};

Summary summarise(const std::vector<Entry>& entries);

// Bins of equal, round width (1, 2 or 5 times a power of ten) from 0 on that hold all values, which
// are 0 or more; at most `most` + 1 of them. Empty without values.
std::vector<HistogramBin> histogram(const std::vector<double>& values, std::size_t most = 12);

}  // namespace fineprint::report
