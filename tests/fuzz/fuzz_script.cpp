// Feeds any text as a file of scripted replies and plays it: lines must be refused with
// Error(input), or be given as replies and choices whose probabilities sum to 1.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/remote/script_generator.h"

#include "support/temp_dir.h"

namespace {

using namespace fineprint::models;

// No scripted reply may take its time here.
fineprint::StopToken soon() {
  return fineprint::StopToken().until(fineprint::StopToken::Clock::now());
}

// A scripted error may have any code, and a call that no line fits is Error(model): all are fine.
template <class Call>
bool played(const Call& call) {
  try {
    call();
    return true;
  } catch (const fineprint::Error&) {
    return false;
  }
}

void choose(const Generator& generator, const Request& request) {
  const std::vector<std::string> candidates = {"1", "2", "3"};
  const Choice choice = generator.choose(request, candidates, soon());
  double sum = 0;
  for (const double probability : choice.probabilities) sum += probability;
  if (choice.best >= candidates.size() || std::abs(sum - 1) > 1e-6) std::abort();
}

void play(const Generator& generator) {
  Request request;
  request.agent = "a";
  request.question = "q";
  request.pages = {"r.pdf:2"};
  for (int i = 0; i < 8; ++i) {
    if (!played([&] { choose(generator, request); })) break;
  }
  request.question = "p";
  for (int i = 0; i < 8; ++i) {
    SamplingOptions options;
    options.stop_token = soon();
    if (!played([&] { generator.generate(request, options); })) break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string path = dir.write("script.jsonl", {reinterpret_cast<const char*>(data), size});
  try {
    play(*fineprint::remote::make_script_generator(std::string(fineprint::remote::kScriptPrefix) +
                                                   path));
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::input) std::abort();
  }
  return 0;
}
