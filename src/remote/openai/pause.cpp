// Waits between a failed attempt and the next one.
#include "remote/openai/pause.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

namespace fineprint::remote {
namespace {

// If a server asks for a longer pause, the call fails: nobody would wait that long.
constexpr std::chrono::seconds kLongestPause{120};

}  // namespace

bool pause_before_next(const std::string& host, const Attempt& failed, int failures,
                       const Repeats& repeats, const Waiting& waiting, const Waiting::Stop& stop) {
  // A server that replied before may come back. An address where nothing ever replied is wrong.
  if (failed.kind != Attempt::Kind::passing || (failed.nobody && !repeats.met)) {
    throw Error(failed.code, format("{} {}", host, failed.problem));
  }
  if (failures > repeats.most) {
    throw Error(failed.code,
                format("{} {} (attempt {} of {})", host, failed.problem, failures, failures));
  }
  const std::chrono::milliseconds wait = parse_retry_after(failed.retry_after, waiting.now())
                                             .value_or(pause_after(failures, waiting.random()));
  if (wait > kLongestPause) {
    throw Error(failed.code,
                format("{} {}; the server asks for a pause of {} s, which is too long", host,
                       failed.problem, static_cast<double>(wait.count()) / 1000));
  }
  log::step("{} {}; retrying in {:.1f} s", host, failed.problem,
            static_cast<double>(wait.count()) / 1000);
  return waiting.sleep(wait, stop);
}

}  // namespace fineprint::remote
