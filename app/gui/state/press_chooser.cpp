#include "app/gui/state/press_chooser.hpp"

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/rig_link.hpp"

namespace tactelier::gui {
namespace {

struct Choice {
  rig::messages::FurtherOrder order;
  std::optional<AdaptiveNews> news;
};

}  // namespace

PressChooser::PressChooser(Jobs& jobs, RigLink& rig, QObject* parent)
    : QObject(parent), jobs_(jobs), rig_(rig) {
  connect(&rig_, &RigLink::wanting, this, &PressChooser::want);
  connect(&rig_, &RigLink::runEnded, this, &PressChooser::end);
}

void PressChooser::begin(std::shared_ptr<AdaptiveRecording> recording,
                         const std::filesystem::path& file) {
  end();
  recording_ = std::move(recording);
  file_ = file;
  news_.reset();
}

void PressChooser::end() {
  if (job_ != 0) jobs_.cancel(std::exchange(job_, 0));
  recording_.reset();
}

void PressChooser::want(double end_s) {
  if (recording_ == nullptr) return;
  auto id = std::make_shared<int>(0);
  *id = jobs_.run<Choice>(
      tr("Choose the next presses"), Lane::kAttended, this,
      [recording = recording_, file = file_, end_s](const Job& job) -> Result<Choice> {
        Choice choice;
        recording->set_on_news([&](const AdaptiveNews& news) { choice.news = news; });
        const auto next = recording->after(file, end_s, job);
        recording->set_on_news({});
        if (!next) return fail(next.error());
        choice.order = further_order(*next);
        return choice;
      },
      [this, id](Result<Choice> choice) {
        if (job_ != *id) return;
        job_ = 0;
        if (!choice) return;  // the rig goes on by itself
        rig_.give(choice->order);
        news_ = std::move(choice->news);
        emit chosen();
      });
  job_ = *id;
}

}  // namespace tactelier::gui
