// The smallest EPUB and XPS that are whole.
#pragma once

#include <string>

#include "support/small_font.h"
#include "support/stored_zip.h"

namespace fineprint::testing {

inline std::string epub_chapter(const std::string& title, const std::string& text) {
  return "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>" +
         title + "</title></head><body><h1>" + title + "</h1><p>" + text + "</p></body></html>";
}

// Two chapters, each listed in the table of contents.
inline std::string small_epub() {
  const std::string container =
      "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">"
      "<rootfiles><rootfile full-path=\"book.opf\" media-type=\"application/oebps-package+xml\"/>"
      "</rootfiles></container>";
  const std::string package =
      "<package version=\"2.0\" xmlns=\"http://www.idpf.org/2007/opf\" unique-identifier=\"id\">"
      "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>The Lamp Room</dc:title>"
      "<dc:identifier id=\"id\">lamp</dc:identifier></metadata><manifest>"
      "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>"
      "<item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/>"
      "<item id=\"b\" href=\"b.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>"
      "<spine toc=\"ncx\"><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
  const std::string contents =
      "<ncx version=\"2005-1\" xmlns=\"http://www.daisy.org/z3986/2005/ncx/\"><navMap>"
      "<navPoint id=\"p1\"><navLabel><text>Oil</text></navLabel><content src=\"a.xhtml\"/>"
      "</navPoint><navPoint id=\"p2\"><navLabel><text>Wicks</text></navLabel>"
      "<content src=\"b.xhtml\"/></navPoint></navMap></ncx>";
  return stored_zip({{"mimetype", "application/epub+zip"},
                     {"META-INF/container.xml", container},
                     {"book.opf", package},
                     {"toc.ncx", contents},
                     {"a.xhtml", epub_chapter("Oil", "The lamp burns 42 litres a month.")},
                     {"b.xhtml", epub_chapter("Wicks", "Wicks are trimmed every Tuesday.")}});
}

// One page of 144 x 72 points: `text` at 24 pt from (15, 36) and a red square of 24 points in the
// lower right corner. XPS counts in 1/96 inch.
inline std::string small_xps(const std::string& text) {
  const std::string schema = "http://schemas.microsoft.com/xps/2005/06";
  const std::string type = "application/vnd.ms-package.xps-";
  const std::string types =
      "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
      "<Default Extension=\"rels\" "
      "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
      "<Default Extension=\"fdseq\" ContentType=\"" +
      type +
      "fixeddocumentsequence+xml\"/>"
      "<Default Extension=\"fdoc\" ContentType=\"" +
      type +
      "fixeddocument+xml\"/>"
      "<Default Extension=\"fpage\" ContentType=\"" +
      type +
      "fixedpage+xml\"/>"
      "<Default Extension=\"ttf\" ContentType=\"application/vnd.ms-opentype\"/></Types>";
  const std::string relations =
      "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
      "<Relationship Id=\"R1\" Target=\"/all.fdseq\" Type=\"" +
      schema +
      "/fixedrepresentation\"/>"
      "</Relationships>";
  const std::string page =
      "<FixedPage Width=\"192\" Height=\"96\" xml:lang=\"en\" xmlns=\"" + schema +
      "\">"
      "<Glyphs Fill=\"#ff000000\" FontUri=\"/box.ttf\" FontRenderingEmSize=\"32\" OriginX=\"20\" "
      "OriginY=\"48\" UnicodeString=\"" +
      text +
      "\"/>"
      "<Path Data=\"M 160,64 L 192,64 192,96 160,96 Z\" Fill=\"#ffff0000\"/></FixedPage>";
  return stored_zip(
      {{"[Content_Types].xml", types},
       {"_rels/.rels", relations},
       {"all.fdseq", "<FixedDocumentSequence xmlns=\"" + schema +
                         "\"><DocumentReference Source=\"/one.fdoc\"/></FixedDocumentSequence>"},
       {"one.fdoc", "<FixedDocument xmlns=\"" + schema +
                        "\"><PageContent Source=\"/one.fpage\"/></FixedDocument>"},
       {"one.fpage", page},
       {"box.ttf", box_font()}});
}

}  // namespace fineprint::testing
