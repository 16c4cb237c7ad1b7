// A zip archive whose members are stored as they are: what EPUB, CBZ and XPS are made of.
#pragma once

#include <string>
#include <vector>

#include "support/binary.h"

namespace fineprint::testing {

struct ZipMember {
  std::string name;
  std::string bytes;
};

// What the local header and the directory's entry share, from the version needed to the length of
// the extra field; no time, no compression.
inline std::string zip_facts(const ZipMember& member) {
  const auto size = static_cast<std::uint32_t>(member.bytes.size());
  return little_endian(20, 2) + std::string(8, '\0') + little_endian(crc32(member.bytes), 4) +
         little_endian(size, 4) + little_endian(size, 4) +
         little_endian(static_cast<std::uint32_t>(member.name.size()), 2) + little_endian(0, 2);
}

// Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16.
inline std::string stored_zip(const std::vector<ZipMember>& members) {
  std::string body;
  std::string directory;
  for (const ZipMember& member : members) {
    const auto offset = static_cast<std::uint32_t>(body.size());
    const std::string facts = zip_facts(member);
    body += "PK\x03\x04" + facts + member.name + member.bytes;
    // Comment length, disk, internal and external attributes: 10 bytes of nothing.
    directory += "PK\x01\x02" + little_endian(20, 2) + facts + std::string(10, '\0') +
                 little_endian(offset, 4) + member.name;
  }
  const auto count = static_cast<std::uint32_t>(members.size());
  return body + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(count, 2) +
         little_endian(count, 2) + little_endian(static_cast<std::uint32_t>(directory.size()), 4) +
         little_endian(static_cast<std::uint32_t>(body.size()), 4) + little_endian(0, 2);
}

}  // namespace fineprint::testing
