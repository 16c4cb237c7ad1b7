// Prints the results of commands on standard output.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/bench/benchmark.h"
#include "fineprint/ingest/ingest.h"

namespace fineprint::cli {

// Prints one line of JSON or other text. If the reader of stdout is gone, ends the process quietly.
// Throws Error(unreadable) if stdout cannot be written for another reason, for example a full disk.
void print_line(const std::string& line);

// Prints text without a line end: a piece of a reply that arrives bit by bit.
void print_piece(std::string_view text);

// Prints a report of indexing, with `json` as records on stdout. Failures always go to stderr.
// Failures that earlier runs reported are summed up in one line.
void print_report(const ingest::IngestReport& report, bool json);

// Prints on stderr how many files of other kinds were skipped, by extension, the most frequent
// first.
void note_skipped(const ingest::IngestReport& report);

// Logs the first problems of a benchmark's data, and how many more there are. `list` names what has
// all of them; empty: nothing.
void note_problems(const bench::BenchmarkData& data, std::string_view list);

}  // namespace fineprint::cli
