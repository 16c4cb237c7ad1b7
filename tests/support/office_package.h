// Builds office files from texts in XML.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "support/stored_zip.h"

namespace fineprint::testing {

using Parts = std::vector<ZipMember>;

// Returns a list of relations. A row has id, kind and target.
inline std::string relations(const std::vector<std::array<std::string, 3>>& rows) {
  std::string out = "<Relationships>";
  for (const auto& [id, kind, target] : rows) {
    out += "<Relationship Id=\"" + id +
           "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" + kind +
           "\" Target=\"" + target + "\"/>";
  }
  return out + "</Relationships>";
}

inline std::string package(const std::string& main, Parts parts) {
  parts.push_back({"_rels/.rels", relations({{"r", "officeDocument", main}})});
  return stored_zip(parts);
}

// Returns a DOCX with this body and other parts of word/, named by their kinds, for example
// "styles". Each part is the inside of its root element.
inline std::string docx(const std::string& body,
                        const std::vector<std::pair<std::string, std::string>>& others = {}) {
  const std::string spaces =
      " xmlns:w=\"w\" xmlns:r=\"r\" xmlns:m=\"m\" xmlns:mc=\"mc\" xmlns:v=\"v\" xmlns:a=\"a\""
      " xmlns:c=\"c\" xmlns:wp=\"wp\"";
  Parts parts = {{"word/document.xml",
                  "<w:document" + spaces + "><w:body>" + body + "</w:body></w:document>"}};
  std::vector<std::array<std::string, 3>> rows;
  for (const auto& [kind, inside] : others) {
    std::string part = "word/" + kind;
    part += ".xml";
    parts.push_back({part, "<w:root" + spaces + ">" + inside + "</w:root>"});
    rows.push_back({kind, kind, kind + ".xml"});
  }
  parts.push_back({"word/_rels/document.xml.rels", relations(rows)});
  return package("word/document.xml", std::move(parts));
}

// Returns a PPTX whose slides have these insides of p:sld, and other parts by name. `attributes`
// are those of the first slide. Slides are ppt/slides/slide1.xml and so on, 9144000 by 6858000.
inline std::string pptx(const std::vector<std::string>& slides, Parts parts = {},
                        const std::string& attributes = "") {
  const std::string spaces =
      " xmlns:p=\"p\" xmlns:a=\"a\" xmlns:r=\"r\" xmlns:c=\"c\" xmlns:dgm=\"dgm\" xmlns:mc=\"mc\"";
  std::vector<std::array<std::string, 3>> rows;
  std::string list;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    rows.push_back({"s" + number, "slide", "slides/slide" + number + ".xml"});
    list += "<p:sldId id=\"" + std::to_string(256 + i) + "\" r:id=\"s" + number + "\"/>";
    parts.push_back({"ppt/slides/slide" + number + ".xml",
                     "<p:sld" + spaces + (i == 0 ? " " + attributes : "") + "><p:cSld><p:spTree>" +
                         slides[i] + "</p:spTree></p:cSld></p:sld>"});
  }
  parts.push_back({"ppt/presentation.xml",
                   "<p:presentation" + spaces + "><p:sldIdLst>" + list +
                       "</p:sldIdLst><p:sldSz cx=\"9144000\" cy=\"6858000\"/></p:presentation>"});
  parts.push_back({"ppt/_rels/presentation.xml.rels", relations(rows)});
  return package("ppt/presentation.xml", std::move(parts));
}

}  // namespace fineprint::testing
