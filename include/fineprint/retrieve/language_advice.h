// When an encoder of many languages would find more, and what to run then.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::retrieve {

// For who has indexed: which documents are in other languages than English while the store's
// vectors of texts are the default encoder's, which knows English alone. Empty: all is well.
std::string index_advice(const store::Store& store);

// For who asks in `language` (ISO 639): that no document is in it, so that words cannot match.
// Empty: some are, or nothing is known of the documents' languages, or an encoder of many languages
// made the vectors.
std::string question_advice(const store::Store& store, const std::string& language);
// Logs that as a warning, once a process for a store and a language. Safe from several threads.
void advise_once(const store::Store& store, const std::string& language);

}  // namespace fineprint::retrieve
