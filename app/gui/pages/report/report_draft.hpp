#pragma once
// The report of the open model, made on a worker whenever the page shows and the model or the
// recordings at hand are others than before.

#include <QObject>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/gui/state/app_state.hpp"
#include "app/workflow/report/make_report.hpp"

namespace tactelier::gui {

struct DraftedReport {
  MadeReport made;
  Result<ReportPages> pages;  // refused where this program has no PDF
};

class ReportDraft : public QObject {
  Q_OBJECT
 public:
  explicit ReportDraft(AppState& state, QObject* parent = nullptr);

  /// nullptr without a model and until the first one is made.
  const std::shared_ptr<const DraftedReport>& report() const { return report_; }
  bool pending() const { return job_ != 0; }
  /// Why there is none.
  const QString& problem() const { return problem_; }
  PaperSize paper() const { return paper_; }
  void setPaper(PaperSize paper);
  /// A page that nobody sees costs nothing.
  void setShown(bool shown);

  /// Open recordings of the model's sensor.
  std::vector<std::filesystem::path> sessions() const;
  /// Other models of the sensor and verification records, in the order added. They stay until the
  /// open model is another sensor's.
  const std::vector<std::filesystem::path>& beside() const { return beside_; }
  void addBeside(const QStringList& files);
  void removeBeside(const std::filesystem::path& file);
  /// The command line that writes the same bytes; "" as long as the model has no file.
  QString command(const QString& file) const;

 signals:
  void changed();

 private:
  void follow();
  void refresh();
  std::vector<std::filesystem::path> files() const;

  AppState& state_;
  ModelPtr model_;
  QString model_file_;
  std::vector<std::filesystem::path> used_;
  std::vector<std::filesystem::path> beside_;
  PaperSize paper_ = PaperSize::kA4;
  bool shown_ = false;
  bool stale_ = true;
  std::shared_ptr<const DraftedReport> report_;
  QString problem_;
  int job_ = 0;
};

}  // namespace tactelier::gui
