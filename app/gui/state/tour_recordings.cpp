#include "app/gui/state/tour_recordings.hpp"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kPresses = "tour-presses.tact";
constexpr auto kImages = "tour-images.tact";
constexpr auto kTruth = "tour-presses.truth.json";

// Few of protocol p12, so that they are made within seconds.
constexpr auto kShapes = R"({
  "format": "tactelier/protocol", "version": 1, "name": "tour-shapes",
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 5},
            {"do": "images",
             "indenters": [{"id": "roller8", "shape": "lying_cylinder", "diameter_mm": 8,
                            "length_mm": 14},
                           {"id": "hexagon12", "shape": "hexagon", "across_flats_mm": 12}],
             "rz_deg": [0, 45], "force_N": [0.980665, 4.903325], "x_mm": 0.6, "y_mm": 0.9,
             "repeats": 3, "dwell_s": 3},
            {"do": "zero", "time_s": 5}]})";

}  // namespace

TourRecordings::TourRecordings(Jobs& jobs, Notifications& notifications, const QString& folder,
                               QObject* parent)
    : QObject(parent), jobs_(jobs), notifications_(notifications), folder_(folder) {}

QString TourRecordings::usualFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
         QStringLiteral("/tour");
}

QString TourRecordings::pathOf(const char* name) const {
  return folder_ + QLatin1Char('/') + QLatin1String(name);
}

QString TourRecordings::presses() const {
  return QFileInfo::exists(pathOf(kPresses)) ? pathOf(kPresses) : QString();
}

QString TourRecordings::images() const {
  return QFileInfo::exists(pathOf(kImages)) ? pathOf(kImages) : QString();
}

void TourRecordings::make() {
  if (making() || (!presses().isEmpty() && !images().isEmpty())) return;
  SynthRequest first;
  first.protocol = "quick";
  first.preset = "lab";
  first.target = pathOf(kPresses).toStdString();
  SynthRequest second;
  second.protocol = pathOf("tour-shapes.json").toStdString();
  second.preset = "lab";
  second.truth = pathOf(kTruth).toStdString();
  second.target = pathOf(kImages).toStdString();
  struct Made {};
  job_ = jobs_.run<Made>(
      tr("Recordings for the tour"), Lane::kWork, this,
      [first, second, folder = folder_](const Job& job) -> Result<Made> {
        if (!QDir().mkpath(folder))
          return fail(ErrorCode::kIo, "{}: the folder can't be made", folder.toStdString());
        if (auto written = write_text_file(second.protocol, kShapes); !written)
          return fail(written.error());
        for (const auto& request : {first, second}) {
          if (QFileInfo::exists(QString::fromStdString(request.target.string()))) continue;
          if (const auto made = synth_session(request, job); !made) return fail(made.error());
        }
        return Made{};
      },
      [this](const Result<Made>& made) {
        job_ = 0;
        if (!made)
          notifications_.failed(made.error(), tr("The tour goes on as far as it gets."),
                                tr("Make room, then begin the tour again."));
        emit changed();
      });
}

}  // namespace tactelier::gui
