// Advises when a multilingual encoder would find more pages, and which commands to run then.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::retrieve {

// Advice for a person who has indexed: lists the documents in languages other than English if the
// store's text vectors were made by the default encoder, which knows only English. Returns an empty
// string if nothing is wrong.
std::string index_advice(const store::Store& store);

// Advice for a person who asks in `language` (ISO 639 code): says that no document is in that
// language, so that its words cannot match. Returns an empty string if some document is in it, if
// the documents' languages are unknown, or if a multilingual encoder made the vectors.
std::string question_advice(const store::Store& store, const std::string& language);
// Logs question_advice() as a warning, at most once per process for a store and a language, because
// a batch would otherwise repeat it for every question. Thread-safe.
void advise_once(const store::Store& store, const std::string& language);

}  // namespace fineprint::retrieve
