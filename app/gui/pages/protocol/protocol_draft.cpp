#include "app/gui/pages/protocol/protocol_draft.hpp"

#include <QUndoCommand>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/message.hpp"
#include "libcalib/readable_json.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

constexpr int kLater_ms = 150;  // after the last key
constexpr std::size_t kMaxBytes = 1U << 22U;
constexpr auto kUsualSensor = "weiss-wts0614";

Result<std::string> textOf(const QString& name_or_file) {
  const auto name = name_or_file.toStdString();
  if (const auto shipped = resource("protocols/" + name + ".json")) return std::string(*shipped);
  return read_text_file(name, kMaxBytes);
}

/// Free air and plate: once is enough.
bool setsUp(const ProtocolDraft::Json& step) {
  return step["do"] == "zero" || step["do"] == "plate";
}

}  // namespace

class ChangeProtocol : public QUndoCommand {
 public:
  ChangeProtocol(ProtocolDraft& draft, ProtocolDraft::Json after, const QString& what)
      : QUndoCommand(what), draft_(draft), before_(draft.document()), after_(std::move(after)) {}
  void undo() override { draft_.put(before_); }
  void redo() override { draft_.put(after_); }

 private:
  ProtocolDraft& draft_;
  ProtocolDraft::Json before_, after_;
};

ProtocolDraft::ProtocolDraft(AppState& state, const RigLink& rig, QObject* parent)
    : QObject(parent), state_(state), link_(rig), document_(Json::object()) {
  later_.setSingleShot(true);
  later_.setInterval(kLater_ms);
  connect(&later_, &QTimer::timeout, this, &ProtocolDraft::replan);
  connect(&link_, &RigLink::linkChanged, this, &ProtocolDraft::followRig);
  followRig();
}

bool ProtocolDraft::isFile() const {
  return !source_.isEmpty() && !resource("protocols/" + source_.toStdString() + ".json");
}

QString ProtocolDraft::name() const { return text(document_.value("name", "")); }

QString ProtocolDraft::description() const { return text(document_.value("description", "")); }

Result<void> ProtocolDraft::open(const QString& name_or_file) {
  const auto written = textOf(name_or_file);
  if (!written) return fail(written.error());
  if (const auto sound = parse_protocol(*written, name_or_file.toStdString()); !sound)
    return fail(sound.error());
  source_ = name_or_file;
  undo_.clear();
  put(Json::parse(*written));
  return {};
}

Result<void> ProtocolDraft::save(const QString& file) {
  auto named = document_;
  const auto name = QFileInfo(file).completeBaseName();
  if (!isFile() || source_ != file) named["name"] = name.toStdString();
  const auto written = readable_json(named);
  if (const auto sound = parse_protocol(written, file.toStdString()); !sound)
    return fail(sound.error());
  if (auto kept = write_text_file(file.toStdString(), written); !kept) return kept;
  source_ = file;
  document_ = std::move(named);
  undo_.setClean();
  emit changedSteps();
  return {};
}

void ProtocolDraft::put(Json document) {
  document_ = std::move(document);
  stale_ = true;
  if (shown_) later_.start();  // first: what is shown is pending from here on
  emit changedSteps();
}

void ProtocolDraft::change(Json document, const QString& what) {
  if (document == document_) return;
  undo_.push(new ChangeProtocol(*this, std::move(document), what));
}

void ProtocolDraft::setStep(int row, Json step, const QString& what) {
  auto after = document_;
  after["steps"][static_cast<std::size_t>(row)] = std::move(step);
  change(std::move(after), what);
}

void ProtocolDraft::insertStep(int row, Json step, const QString& what) {
  auto after = document_;
  auto& steps = after["steps"];
  steps.insert(steps.begin() + row, std::move(step));
  change(std::move(after), what);
}

void ProtocolDraft::removeStep(int row) {
  auto after = document_;
  after["steps"].erase(static_cast<std::size_t>(row));
  change(std::move(after), tr("remove step %1").arg(row + 1));
}

void ProtocolDraft::moveStep(int row, int to) {
  auto after = document_;
  auto& steps = after["steps"];
  auto moved = steps[static_cast<std::size_t>(row)];
  steps.erase(static_cast<std::size_t>(row));
  steps.insert(steps.begin() + to, std::move(moved));
  change(std::move(after), tr("move step %1").arg(row + 1));
}

Result<void> ProtocolDraft::append(const QString& protocol) {
  const auto written = textOf(protocol.toLower());
  if (!written) return fail(written.error());
  auto after = document_;
  auto& steps = after["steps"];
  // What closes the protocol goes on doing so.
  const bool closes = !steps.empty() && steps.back()["do"] == "zero" && steps.size() > 1;
  auto at = static_cast<std::ptrdiff_t>(steps.size()) - (closes ? 1 : 0);
  const auto added = Json::parse(*written);
  for (const auto& step : added["steps"]) {
    const bool there = std::any_of(steps.begin(), steps.end(),
                                   [&](const Json& own) { return own["do"] == step["do"]; });
    if (setsUp(step) && there) continue;
    steps.insert(steps.begin() + at++, step);
  }
  change(std::move(after), tr("add %1").arg(protocol));
  return {};
}

void ProtocolDraft::followRig() {
  rig_path_.reset();
  if (link_.connected()) {
    sensor_ = link_.facts().sensor;
    rig_path_ = link_.facts().place.rig;
    rig_file_ = link_.facts().rig;
  } else {
    sensor_ = load_sensor(kUsualSensor).value();
    rig_file_ = virtual_bench_rig();
  }
  stale_ = true;
  emit rigChanged();
  if (shown_) later_.start();
}

void ProtocolDraft::setShown(bool shown) {
  shown_ = shown;
  if (shown_ && stale_) later_.start();
}

void ProtocolDraft::replan() {
  later_.stop();
  stale_ = false;
  if (job_ != 0) state_.jobs().cancel(job_);
  job_ = 0;
  if (document_.empty()) return;
  RecordingPlanRequest request;
  request.written = document_.dump();
  request.on_rig = sensor_;
  request.rig = rig_path_;
  request.additions = false;
  using Shared = std::shared_ptr<const PlannedRecording>;
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<Shared>(
      tr("Dry run"), Lane::kQuiet, this,
      [request](const Job& job) -> Result<Shared> {
        auto planned = plan_recording(request, job);
        if (!planned) return fail(planned.error());
        return std::make_shared<const PlannedRecording>(std::move(*planned));
      },
      [this, id](Result<Shared> planned) {
        if (job_ != *id) return;  // a newer one is on its way
        job_ = 0;
        trouble_ = planned ? QString() : text(planned.error().message);
        planned_ = planned ? std::move(*planned) : nullptr;
        emit replanned();
      });
  job_ = *id;
  emit replanned();
}

}  // namespace tactelier::gui
