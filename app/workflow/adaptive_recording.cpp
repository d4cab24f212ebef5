#include "app/workflow/adaptive_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/refresh_model.hpp"
#include "app/workflow/same_arrays.hpp"
#include "fitting/adaptive/press_steps.hpp"
#include "fitting/plan/planned_work.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kPin = R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0})";
constexpr double kShareOfLimit = 0.7;  // of the force limit that a press may reach
constexpr double kPlateShareOfLimit = 0.6;
constexpr double kDepthShare = 0.75;            // of the depth limit
constexpr double kThoughtSpeed_m_per_s = 1e-3;  // of presses that are recorded
constexpr double kRefreshMinutes = 20;

Result<adaptive::AdaptiveSettings> settings_for(const RigFile& rig, const AdaptiveWish& wish) {
  adaptive::AdaptiveSettings settings;
  if (!wish.targets.empty()) {
    auto targets = adaptive::parse_targets(wish.targets);
    if (!targets) return fail(targets.error());
    settings.targets = std::move(*targets);
  }
  if (!wish.refresh.empty()) {
    settings.most_s = 60 * kRefreshMinutes;
    if (wish.targets.empty()) settings.targets.clear();  // as well as the model knows the others
  }
  if (wish.minutes) {
    if (!(*wish.minutes >= 2 && *wish.minutes <= 24 * 60))
      return fail(ErrorCode::kUsage, "--minutes {:g}: between 2 and 1440 expected", *wish.minutes);
    settings.most_s = 60 * *wish.minutes;
  }
  settings.seed = wish.seed;
  const auto setup = setup_for(rig, bench_setup());
  const double limit_N = setup.limits.max_force_N.value_or(25);
  settings.most_force_N = std::min(settings.most_force_N, kShareOfLimit * limit_N);
  settings.plate_force_N = std::min(settings.plate_force_N, kPlateShareOfLimit * limit_N);
  if (setup.limits.max_depth_m)
    settings.most_depth_m =
        std::min(settings.most_depth_m, kDepthShare * *setup.limits.max_depth_m);
  settings.most_speed_m_per_s = setup.stage.z_speed_m_per_s;
  settings.speed_m_per_s = std::min(settings.speed_m_per_s, setup.stage.z_speed_m_per_s);
  settings.travel_m_per_s = setup.stage.xy_speed_m_per_s / 2;
  settings.rest_s = setup.free_air_before_s + setup.free_air_after_s +
                    2 * setup.stage.safe_height_m / setup.stage.z_speed_m_per_s + 1;
  return settings;
}

/// A step that conditions by what is pressed behind it, which here nobody knows yet.
const Step* open_conditioning(const std::vector<Step>& steps) {
  for (const auto& step : steps) {
    if (const auto* repeat = std::get_if<steps::Repeat>(&step.what))
      if (const auto* found = open_conditioning(repeat->steps)) return found;
    const auto* condition = std::get_if<steps::Condition>(&step.what);
    if (condition != nullptr && !(condition->sites && (condition->depth_m || condition->force_N)))
      return &step;
  }
  return nullptr;
}

/// Who looks for changes of a sensor needs that sensor's model.
Result<SensorModel> model_of(const std::filesystem::path& file, const SensorDescription& sensor) {
  auto model = read_model(file);
  if (!model) return fail(model.error());
  if (!same_arrays(model->sensor, sensor))
    return fail(ErrorCode::kUsage, "{} is of a sensor of another layout", file.string());
  return model;
}

}  // namespace

std::optional<AdaptiveWish> wish_in(const Protocol& protocol) {
  const auto document = nlohmann::json::parse(protocol.document);
  if (!document.contains("targets")) return std::nullopt;
  AdaptiveWish wish;
  wish.targets = document["targets"].get<std::string>();
  if (document.contains("refresh")) wish.refresh = document["refresh"].get<std::string>();
  if (document.contains("target_minutes")) wish.minutes = document["target_minutes"].get<double>();
  return wish;
}

Result<AdaptiveRecording> AdaptiveRecording::create(
    const SensorDescription& sensor, const RigFile& rig, const AdaptiveWish& wish,
    std::function<void(const AdaptiveNews&)> on_news) {
  const auto settings = settings_for(rig, wish);
  if (!settings) return fail(settings.error());
  const auto tip = rig.indenter ? *rig.indenter : mounted_indenter(kPin, "pin").value();
  const auto quality = rig_quality(rig, sensor);
  const auto setup = setup_for(rig, bench_setup());
  std::optional<SensorModel> earlier;
  std::optional<Session> session;
  if (!wish.refresh.empty()) {
    auto model = model_of(wish.refresh, sensor);
    if (!model) return fail(model.error());
    auto made = adaptive::RefreshSession::create(
        *model, std::filesystem::absolute(wish.refresh).string(), tip, quality, *settings, {});
    if (!made) return fail(made.error());
    session.emplace(std::move(*made));
    earlier = std::move(*model);
  } else {
    auto made = adaptive::AdaptiveSession::create(sensor, tip, quality, *settings);
    if (!made) return fail(made.error());
    session.emplace(std::move(*made));
  }
  AdaptiveRecording recording(sensor, setup, std::move(*session), std::move(on_news));
  recording.earlier_ = std::move(earlier);
  recording.stages_ = adaptive::stages_for(settings->targets);
  if (auto counted = recording.count_presses(); !counted) return fail(counted.error());
  return recording;
}

AdaptiveRecording::AdaptiveRecording(SensorDescription sensor, PlanSetup setup, Session session,
                                     std::function<void(const AdaptiveNews&)> on_news)
    : sensor_(std::move(sensor)),
      setup_(std::move(setup)),
      session_(std::move(session)),
      so_far_(std::visit([](const auto& one) { return one.opening(); }, session_)),
      on_news_(std::move(on_news)) {}

Protocol AdaptiveRecording::opening() const {
  return std::visit([](const auto& session) { return session.opening(); }, session_);
}

nlohmann::json AdaptiveRecording::steps_in_need() const {
  return std::visit([](const auto& session) { return session.steps_in_need(); }, session_);
}

Result<void> AdaptiveRecording::begin_with(const Protocol& protocol) {
  if (const auto* step = open_conditioning(protocol.steps))
    return fail(
        ErrorCode::kInvalidInput,
        "CONDITION-OPEN {}: {}: presses that are chosen as the recording goes are not known "
        "yet: state sites and depth_mm (or force_N)",
        protocol.name, step->describe());
  so_far_ = protocol;
  return count_presses();
}

Result<void> AdaptiveRecording::go_on_with(const Protocol& protocol) {
  pressed_ = true;
  return begin_with(protocol);
}

/// Presses as the plan has them: the fit numbers them alike.
Result<void> AdaptiveRecording::count_presses() {
  const auto plan = plan_protocol(so_far_, sensor_, setup_);
  if (!plan) return fail(plan.error());
  std::vector<adaptive::PressThought> ordered;
  for (const auto& press : planned_work(*plan, setup_.expected, sensor_).presses)
    ordered.push_back({press.x_m, press.y_m, press.tactel, press.until_N.value_or(press.force_N),
                       press.depth_m,
                       press.loadings.empty() ? 0 : press.loadings.front().speed_m_per_s,
                       press.kind == PressKind::kRamp});
  std::visit([&](auto& session) { session.set_ordered(ordered); }, session_);
  return {};
}

Result<std::optional<adaptive::NextSteps>> AdaptiveRecording::next_of(
    adaptive::AdaptiveSession& session, const std::filesystem::path& file, double end_s,
    bool recorded, const Job& job) {
  std::optional<FitReport> fitted;
  if (recorded) {
    FitRequest request;
    request.sessions = {file};
    request.stages = stages_;
    auto report = fit_sessions(request, job);
    if (report)
      fitted = std::move(*report);
    else if (report.error().code == ErrorCode::kCancelled)
      return fail(report.error());
    // Else too little is recorded for a fit so far.
  }
  return session.next(fitted ? &fitted->model : nullptr, end_s);
}

Result<std::optional<adaptive::NextSteps>> AdaptiveRecording::next_of(
    adaptive::RefreshSession& session, const std::filesystem::path& file, double end_s,
    bool recorded, const Job& job) {
  std::optional<adaptive::RefreshSeen> seen;
  if (recorded) {
    auto refreshed = refresh_model(*earlier_, file, {}, job);
    if (refreshed)
      seen = {refreshed->presses.size(),
              adaptive::recorded_presses(refreshed->presses, sensor_, kThoughtSpeed_m_per_s),
              std::move(refreshed->changes)};
    else if (refreshed.error().code != ErrorCode::kUnidentifiable)
      return fail(refreshed.error());
  }
  return session.next(seen ? &*seen : nullptr, end_s);
}

Result<std::optional<adaptive::NextSteps>> AdaptiveRecording::after(
    const std::filesystem::path& file, double end_s, const Job& job) {
  const bool recorded = std::exchange(pressed_, true);
  Job quiet;
  quiet.stop = job.stop;
  auto next = std::visit(
      [&](auto& session) { return next_of(session, file, end_s, recorded, quiet); }, session_);
  if (!next) return fail(next.error());
  if (*next) {
    auto longer = with_steps(so_far_, (*next)->steps_json, "chosen steps");
    if (!longer) return fail(longer.error());
    so_far_ = std::move(*longer);
    if (auto counted = count_presses(); !counted) return fail(counted.error());
  }
  if (on_news_)
    on_news_({end_s, std::visit([](const auto& session) { return session.state(); }, session_),
              *next ? (*next)->presses : std::vector<adaptive::ChosenPress>{}});
  return next;
}

std::string wish_words(const AdaptiveWish& wish) {
  if (!wish.refresh.empty())
    return fmt::format("that look for gains changed since {}, {:.3g} min at most",
                       wish.refresh.filename().string(), wish.minutes.value_or(kRefreshMinutes));
  return fmt::format("that are chosen until {}, {:.3g} min at most",
                     wish.targets.empty() ? to_string(adaptive::usual_targets()) : wish.targets,
                     wish.minutes.value_or(60));
}

rig::messages::FurtherOrder further_order(const std::optional<adaptive::NextSteps>& next) {
  rig::messages::FurtherOrder order;
  order.last = true;
  if (next) order = {nlohmann::json::parse(next->steps_json), next->why, next->last};
  return order;
}

Result<AdaptiveForesight> foresee_adaptive(const SensorDescription& sensor, const RigFile& rig,
                                           const AdaptiveWish& wish) {
  AdaptiveForesight foresight;
  auto recording = AdaptiveRecording::create(sensor, rig, wish, [&](const AdaptiveNews& news) {
    foresight.first = news.next;
    foresight.reached = news.state.foreseen;
    if (news.state.left_s)
      foresight.all_s = {(*news.state.left_s)[0] + news.end_s,
                         (*news.state.left_s)[1] + news.end_s};
  });
  if (!recording) return fail(recording.error());
  foresight.opening = recording->opening();
  auto begins = plan_protocol(foresight.opening, sensor, setup_for(rig, bench_setup()));
  if (!begins) return fail(begins.error());
  foresight.begins = std::move(*begins);
  const auto next = recording->after({}, foresight.begins.duration_s, {});
  if (!next) return fail(next.error());
  return foresight;
}

std::vector<std::string> standing_lines(const adaptive::AdaptiveState& state) {
  std::vector<std::string> lines;
  if (state.refreshing) {
    for (const auto& standing : state.targets)
      lines.push_back(
          fmt::format("{} of {} gains looked at closely enough", standing.reached, standing.of));
    if (!state.changed.empty() && !state.done)
      lines.push_back(fmt::format("changed so far: {}", fmt::join(state.changed, ", ")));
    return lines;
  }
  for (const auto& standing : state.targets) {
    const auto name = adaptive::name_of(standing.target.kind);
    const double wanted = 100 * standing.target.relative;
    auto line = standing.of > 1 ? fmt::format("{}: {} of {} within {:.3g} %", name,
                                              standing.reached, standing.of, wanted)
                                : fmt::format("{}: wanted {:.3g} %", name, wanted);
    if (standing.worst) {
      line +=
          fmt::format(", {}{:.2g} %", standing.of > 1 ? "widest " : "has ", 100 * *standing.worst);
      if (!standing.worst_where.empty()) line += fmt::format(" ({})", standing.worst_where);
    }
    if (standing.missing > 0)
      line += standing.of > 1 ? fmt::format(", {} not determined yet ({}: {})", standing.missing,
                                            standing.missing_where, standing.reason)
                              : fmt::format(", not determined yet: {}", standing.reason);
    if (standing.floor > 0.0005)
      line += fmt::format("; certificate and what repeats can't show add {:.2g} %",
                          100 * standing.floor);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string choice_words(const AdaptiveNews& news) {
  const auto& state = news.state;
  std::string words = fmt::format("{} presses, {:.0f} min", state.presses, news.end_s / 60);
  if (state.left_s)
    words += fmt::format(", {:.0f} to {:.0f} min left", std::floor((*state.left_s)[0] / 60),
                         std::ceil((*state.left_s)[1] / 60));
  for (const auto& standing : state.targets) {
    if (state.refreshing) {
      words += fmt::format("; {} of {} gains looked at", standing.reached, standing.of);
      if (!state.changed.empty())
        words += fmt::format(", changed so far: {}", fmt::join(state.changed, ", "));
      continue;
    }
    words += fmt::format("; {}", adaptive::name_of(standing.target.kind));
    if (standing.of > 1) words += fmt::format(" {} of {}", standing.reached, standing.of);
    if (standing.worst)
      words += fmt::format("{} {:.2g} % of {:.3g} %", standing.of > 1 ? ", widest" : "",
                           100 * *standing.worst, 100 * standing.target.relative);
    else if (standing.of == 1)
      words += " not yet";
  }
  std::vector<std::string> reasons;
  for (const auto& press : news.next)
    if (std::find(reasons.begin(), reasons.end(), press.why) == reasons.end() && reasons.size() < 3)
      reasons.push_back(press.why);
  if (!reasons.empty()) words += fmt::format("; next: {}", fmt::join(reasons, ", "));
  return words;
}

std::string outcome_text(const adaptive::AdaptiveState& state) {
  auto text = fmt::format("Ended: {}.\n", state.outcome);
  for (const auto& line : standing_lines(state)) text += fmt::format("  {}\n", line);
  for (const auto& why : state.why_given_up) text += fmt::format("  not reached: {}\n", why);
  return text;
}

}  // namespace tactelier
