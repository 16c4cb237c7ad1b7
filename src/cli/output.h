// What commands print on standard output.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/ingest/ingest.h"

namespace fineprint::cli {

// One line of JSON, or of anything else, on stdout. Ends the process quietly when its reader is
// gone; throws Error(unreadable) when it can't be written for another reason (a full disk).
void print_line(const std::string& line);

// The same without the end of the line: a piece of a text that comes bit by bit.
void print_piece(std::string_view text);

// Prints an index report: with `json` as records on stdout; failures always reach stderr.
// Failures that earlier runs have told of are summed up.
void print_report(const ingest::IngestReport& report, bool json);

// How many files of other kinds were skipped, by extension, the commonest first; on stderr.
void note_skipped(const ingest::IngestReport& report);

}  // namespace fineprint::cli
