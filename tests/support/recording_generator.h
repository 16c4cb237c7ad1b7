// A scripted generator that keeps what it was asked.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/stop.h"
#include "fineprint/remote/script_generator.h"

namespace fineprint::testing {

struct Asked {
  models::Request request;
  models::SamplingOptions options;
  bool json = false;
};

// What was asked, and what the model tells besides what the script says.
struct Records {
  std::vector<Asked> asked;
  std::vector<std::string> rasters;
  models::Reply cost;
  std::int64_t vocabulary = 0, most_pixels = 0;
  bool can_choose = true;
  bool sees = true;
  // May stop whoever asks and make the reply what was written by then.
  std::function<void(const models::Request&, models::Reply&)> on_reply;
};

// `script` is the path of a script's file.
class RecordingGenerator : public models::Generator {
 public:
  RecordingGenerator(const std::string& script, std::shared_ptr<Records> records)
      : script_(remote::make_script_generator("script:" + script)), records_(std::move(records)) {}

  std::string name() const override { return "recording"; }
  std::string hash() const override { return "0"; }
  std::int64_t vocabulary() const override { return records_->vocabulary; }
  std::int64_t most_pixels() const override { return records_->most_pixels; }
  bool sees() const override { return records_->sees; }
  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override {
    return keep(request, options, false);
  }
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema&,
                              const models::SamplingOptions& options) const override {
    return keep(request, options, true);
  }
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override {
    models::SamplingOptions options;
    options.temperature = 0;  // nothing is drawn
    record({request, options, false});
    models::Choice choice = script_->choose(request, candidates, stop_token);
    choice.prompt_tokens = records_->cost.prompt_tokens;
    choice.cached_tokens = records_->cost.cached_tokens;
    choice.image_tokens = records_->cost.image_tokens;
    models::Reply reply;
    reply.text = candidates[choice.best];
    if (records_->on_reply) records_->on_reply(request, reply);
    throw_if_stopped(stop_token);
    return choice;
  }
  bool can_choose() const override { return records_->can_choose; }

 private:
  models::Reply keep(const models::Request& request, const models::SamplingOptions& options,
                     bool json) const {
    record({request, options, json});
    models::Reply reply = script_->generate(request, options);
    reply.prompt_tokens = records_->cost.prompt_tokens;
    reply.cached_tokens = records_->cost.cached_tokens;
    reply.image_tokens = records_->cost.image_tokens;
    if (reply.finish != models::Finish::cancelled) reply.finish = records_->cost.finish;
    if (records_->on_reply) records_->on_reply(request, reply);
    return reply;
  }

  void record(Asked asked) const {
    const std::lock_guard lock(mutex_);
    records_->asked.push_back(std::move(asked));
  }

  std::unique_ptr<models::Generator> script_;
  std::shared_ptr<Records> records_;
  mutable std::mutex mutex_;  // guards what was asked
};

}  // namespace fineprint::testing
