// Finds the value that a document prints next to or below a label, as in invoices and data sheets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/records.h"

namespace fineprint::pipelines {

// How well a text has the form of the wanted value: not at all, as many others do, or as nothing
// else on a page does.
enum class ValueForm : std::uint8_t { none, plain, clear };

// A value that is looked for by its labels.
struct NamedDemand {
  // As documents print them; the first one that has a value counts. Case, punctuation and what
  // follows in brackets do not matter: "Invoice no." is "INVOICE NO:".
  std::vector<std::string> labels = {};
  // Labels of other values, which are therefore no values themselves.
  std::vector<std::string> other_labels = {};
  // True if any words can be the value. The page must then show by a colon, by digits or by its
  // type that a text is the value of the label.
  bool is_text = false;
  // True for amounts, which tables of items have under heads such as "Total", too.
  bool is_amount = false;
  std::function<ValueForm(std::string_view printed, std::string_view language)> form = {};
  // Returns a text by which two printed forms of one value are equal.
  std::function<std::string(std::string_view printed, std::string_view language)> same = {};
};

struct NamedValue {
  std::string printed;    // as on the page, with the unit that the label states: "12.5 (kg)"
  Citation proof;         // label and value
  double confidence = 0;  // by how label and value are linked; set by hand, not fitted
};

// Returns the value of the first label that has one, or nullopt. A value is after a colon, to the
// right of its label, or below it. If a label has several different values of the best of these
// links, as the heads of tables have, there is none. `pages` are those of the document `doc`.
std::optional<NamedValue> named_value(const std::vector<Page>& pages, const std::string& doc,
                                      const NamedDemand& demand);

}  // namespace fineprint::pipelines
