#pragma once
// A task of a rig process as a Job of ours: its progress, its questions, and Ctrl-C.

#include <functional>
#include <optional>
#include <string>

#include "devices/server/rig_client.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

using AskPerson = std::function<Result<std::optional<double>>(const std::string& text,
                                                              const std::string& answer_key)>;

/// "record: step 3 scan, press 5 of 84".
inline std::string progress_words(const rig::messages::Progress& at) {
  return at.detail.empty() ? at.what : fmt::format("{}: {}", at.what, at.detail);
}

/// `job` and `ask` outlive what follows; `ask` may be empty.
inline rig::RigClient::Follow follow_of(const Job& job, const AskPerson& ask) {
  rig::RigClient::Follow follow;
  follow.on_progress = [&job](const rig::messages::Progress& at) {
    job.progress(progress_words(at), at.done, at.total);
  };
  if (ask)
    follow.on_question = [ask](const rig::messages::Question& question) {
      return ask(question.text, question.answer_key);
    };
  follow.stopped = [&job] { return job.stopped(); };
  return follow;
}

}  // namespace tactelier
