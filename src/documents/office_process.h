// Runs one conversion by LibreOffice, in separate processes.
#pragma once

#include <string>
#include <vector>

#include "fineprint/documents/document_workers.h"

namespace fineprint::documents {

// What to convert, by which programs, under which limits.
struct Conversion {
  std::vector<std::string> converter;  // begins the command that starts the converter
  std::string office;                  // path of LibreOffice
  std::string folder;                  // holds the file; LibreOffice can write only there
  std::string file;                    // name of the file in the folder
  WorkerLimits limits;
};

// Makes "FOLDER/out/STEM.pdf" and returns that path. Throws Error with a message that completes
// "FILE: ". Its code is timed_out, out_of_memory, too_large, crashed, damaged (LibreOffice made no
// PDF), unsupported (it cannot be started), unreadable, internal or interrupted.
std::string convert(const Conversion& conversion);

}  // namespace fineprint::documents
