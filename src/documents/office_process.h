// One conversion by LibreOffice, in processes of its own.
#pragma once

#include <string>

#include "fineprint/documents/reader.h"

namespace fineprint::documents {

struct Conversion {
  std::string converter;  // this program, to be spawned with kConverterArgument
  std::string office;     // LibreOffice
  std::string folder;     // holds the file; LibreOffice can write there only
  std::string file;       // its name in the folder
  WorkerLimits limits;
};

// Makes "FOLDER/out/STEM.pdf" and returns that path. Throws Error whose message completes "FILE: ":
// timed_out, out_of_memory, too_large, crashed, damaged (it made nothing), internal, interrupted.
std::string convert(const Conversion& conversion);

}  // namespace fineprint::documents
