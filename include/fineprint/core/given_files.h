// Files that another process has opened for this one, because this one may not open them itself.
#pragma once

#include <string>
#include <vector>

namespace fineprint {

// A file and an open descriptor of it.
struct GivenFile {
  std::string path;
  int descriptor = -1;
};

// Makes these the files that are read under their paths, by read_file, file_head and open_to_read,
// instead of whatever is there. Takes over the descriptors, and closes those given before. Not
// thread-safe.
void set_given_files(std::vector<GivenFile> files);

// Adds a file. It replaces one given before under the same path.
void add_given_file(GivenFile file);

// Returns the given file's descriptor, which stays its own, or -1 if the path was not given.
int given_descriptor(const std::string& path);

// Opens a file for reading from its beginning: the given one, or else the one at `path`. Returns a
// descriptor, which the caller closes, or -1 with the reason in errno.
int open_to_read(const std::string& path);

}  // namespace fineprint
