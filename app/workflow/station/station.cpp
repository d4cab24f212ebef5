#include "app/workflow/station/station.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "devices/acquisition/session_document.hpp"
#include "devices/registry/device_file.hpp"

namespace tactelier {
namespace {

class Station {
 public:
  Station(const StationSettings& settings, std::string sensor, StationFolder folder,
          StationRig& rig, StationOperator& who, const Job& job)
      : settings_(settings),
        sensor_(std::move(sensor)),
        folder_(std::move(folder)),
        rig_(rig),
        who_(who),
        job_(job),
        ask_([this](const std::string& text, const std::string& key) {
          return who_.answer(text, key);
        }) {}

  Result<StationTally> run() {
    if (auto done = finish_earlier(); !done) return fail(done.error());
    std::string scanned;  // instead of a confirmation: the next one
    while (true) {
      if (job_.stopped()) return Job::cancelled();
      auto typed = scanned.empty()
                       ? who_.next_line({StationStep::kScan, {}, "scan the serial number", {}})
                       : std::optional(std::exchange(scanned, {}));
      if (!typed) return fail(typed.error());
      if (!*typed || **typed == kStationEnd) return tally_;
      const auto serial = expected_serial(**typed);
      if (!serial) {
        who_.tell(serial.error().message);
        continue;
      }
      auto instead = clamp_and_measure(*serial);
      if (!instead) return fail(instead.error());
      scanned = std::move(*instead);
    }
  }

 private:
  Result<void> finish_earlier() {
    for (const auto& id : folder_.recordings()) {
      if (job_.stopped()) return Job::cancelled();
      std::error_code unknown;
      const bool was_there = std::filesystem::exists(folder_.label(id), unknown);
      const auto label = judge_recording(folder_, id, settings_.limits, job_);
      if (!label) return fail(label.error());
      if (!was_there) count(*label);
    }
    return {};
  }

  /// The serial number that was meant, or why it can't be.
  Result<std::string> expected_serial(const std::string& typed) const {
    auto serial = serial_number(typed);
    if (!serial) return serial;
    if (!settings_.serials.empty() && !settings_.serials.contains(*serial))
      return fail(ErrorCode::kInvalidInput, "{} is not on the list; scan again, or put it aside",
                  *serial);
    std::error_code unknown;
    if (!std::filesystem::exists(settings_.limits.catalogue, unknown)) return serial;
    const auto catalogue = Catalogue::read(settings_.limits.catalogue);
    if (!catalogue) return fail(catalogue.error());
    const auto known = catalogue->sensors_of(*serial);
    if (!known) return fail(known.error());
    const bool as_this = std::ranges::find(*known, sensor_) != known->end();
    if (!known->empty() && !as_this)
      return fail(ErrorCode::kInvalidInput,
                  "{} is catalogued as '{}'; this station measures '{}'; put it aside", *serial,
                  known->front(), sensor_);
    if (settings_.known_only && !as_this)
      return fail(ErrorCode::kInvalidInput,
                  "{} is not in the catalogue; scan again, or put it aside", *serial);
    return serial;
  }

  /// Returns what was scanned instead of a confirmation; "" when the sensor is done with.
  Result<std::string> clamp_and_measure(const std::string& serial) {
    if (!has_room_) {
      const auto instead = confirmed({StationStep::kHandsOff, serial, "the tip goes up first", {}});
      if (!instead || !instead->empty()) return instead;
      if (auto made = make_room(StationStep::kTipUp, serial); !made) return fail(made.error());
    }
    const auto instead = confirmed(clamping(serial));
    if (!instead || !instead->empty()) return instead;
    if (auto done = measure(serial); !done) return fail(done.error());
    return std::string();
  }

  StationPrompt clamping(const std::string& serial) const {
    StationPrompt prompt{StationStep::kClamp, serial, "clamp it", {}};
    if (folder_.cut_off(serial)) {
      prompt.instruction = "clamp it as it was";
      prompt.remark = "it was cut off and goes on";
    } else if (const auto before = folder_.labelled(serial)) {
      if (const auto label = read_label(folder_.label(*before)))
        prompt.remark = fmt::format("it was measured {}: {}; this is once more", label->recorded,
                                    verdict_word(*label));
    }
    return prompt;
  }

  /// "" when confirmed, by an empty line or by the same serial number again.
  Result<std::string> confirmed(const StationPrompt& prompt) {
    const auto typed = who_.next_line(prompt);
    if (!typed) return fail(typed.error());
    if (!*typed) return std::string(kStationEnd);
    const auto line = serial_number(**typed);
    if (!line)
      return (*typed)->find_first_not_of(" \t\r") == std::string::npos ? std::string()
                                                                       : std::string(**typed);
    return *line == prompt.serial ? std::string() : *line;
  }

  Result<void> make_room(StationStep step, const std::string& serial) {
    who_.begins(step, serial);
    auto made = rig_.make_room(ask_, job_);
    has_room_ = made.has_value();
    if (made) return made;
    return fail(explained(made.error()));
  }

  Error explained(const Error& error) {
    if (const auto why = rig_.locked())
      return {error.code,
              fmt::format(
                  "{}. The rig is locked: call whoever looks after it. Once the cause is "
                  "gone, 'tactelier rig acknowledge' unlocks it; start the station again and scan "
                  "the same sensor: what was recorded goes on",
                  error.message)};
    return error;
  }

  Result<void> measure(const std::string& serial) {
    who_.begins(StationStep::kMeasure, serial);
    const auto recorded = recorded_whole(serial);
    if (!recorded) {
      const auto& error = recorded.error();
      if (error.code == ErrorCode::kCancelled || rig_.locked()) return fail(explained(error));
      who_.not_measured(serial, error.message);
      return make_room(StationStep::kRelease, serial);
    }
    if (auto made = make_room(StationStep::kRelease, serial); !made) return made;
    who_.begins(StationStep::kJudge, serial);
    who_.tell(fmt::format("{}: take it out", serial));
    const auto label = judge_recording(folder_, *recorded, settings_.limits, job_);
    if (!label) return fail(label.error());
    count(*label);
    return {};
  }

  RecordRequest request_for(const std::string& id) const {
    RecordRequest request;
    request.place = settings_.place;
    request.protocol = settings_.protocol;
    request.target = folder_.begun(id);
    request.sensor_serial = StationFolder::serial_of(id);
    request.operator_name = settings_.operator_name;
    request.notes = settings_.notes;
    return request;
  }

  /// The id of a recording that is whole, gone on with where it was cut off.
  Result<std::string> recorded_whole(const std::string& serial) {
    has_room_ = false;
    if (const auto before = folder_.cut_off(serial)) {
      auto gone_on = gone_on_with(*before);
      if (gone_on || gone_on.error().code == ErrorCode::kCancelled || rig_.locked()) return gone_on;
      who_.tell(fmt::format("{}: begun anew, for what was cut off can't go on: {}", serial,
                            gone_on.error().message));
      if (auto aside = folder_.set_aside(*before); !aside) return fail(aside.error());
    }
    const auto id = StationFolder::new_id(serial, rig::utc_now());
    return recorded(id, request_for(id));
  }

  Result<std::string> gone_on_with(const std::string& id) {
    auto request = request_for(id);
    request.protocol.clear();
    request.resume = true;
    if (!rig_.complete(request)) return recorded(id, request);
    if (auto taken = folder_.take_as_whole(id); !taken) return fail(taken.error());
    return id;
  }

  Result<std::string> recorded(const std::string& id, const RecordRequest& request) {
    const auto report = rig_.record(request, ask_, job_);
    if (!report) return fail(report.error());
    if (!report->complete) return Job::cancelled();
    if (auto taken = folder_.take_as_whole(id); !taken) return fail(taken.error());
    return id;
  }

  void count(const StationLabel& label) {
    ++tally_[std::string(verdict_word(label))];
    who_.judged(label);
  }

  const StationSettings& settings_;
  std::string sensor_;
  StationFolder folder_;
  StationRig& rig_;
  StationOperator& who_;
  const Job& job_;
  AskPerson ask_;
  bool has_room_ = false;  // the tip is up at its switches
  StationTally tally_;
};

class RigProcessOfStation : public StationRig {
 public:
  RigProcessOfStation(RigPlace place, bool start) : place_(std::move(place)), start_(start) {}

  Result<void> make_room(const AskPerson& ask, const Job& job) override {
    if (auto there = is_there(); !there) return there;
    Warnings ignored;
    const auto homed = run_set_up(place_, rig::messages::TaskKind::kHome, ask, ignored, job);
    if (!homed) return fail(homed.error());
    return {};
  }
  Result<RecordReport> record(const RecordRequest& request, const AskPerson& ask,
                              const Job& job) override {
    if (auto there = is_there(); !there) return fail(there.error());
    return record_session(request, ask, job);
  }
  bool complete(const RecordRequest& request) override {
    const auto preview = preview_recording(request);
    return preview && preview->from && preview->from->segment >= preview->plan.segments.size();
  }
  std::optional<std::string> locked() override {
    auto client = running_rig(place_.devices);
    if (!client) return std::nullopt;
    const auto status = client->status();
    if (!status || !status->trip) return std::nullopt;
    return status->trip->text;
  }

 private:
  Result<void> is_there() const {
    if (start_ || running_rig(place_.devices)) return {};
    return fail(ErrorCode::kDeviceFault,
                "the rig process has ended; look at the rig, connect again, start the station "
                "again: what was recorded goes on");
  }

  RigPlace place_;
  bool start_;
};

}  // namespace

std::string prompt_text(const StationPrompt& prompt) {
  if (prompt.step == StationStep::kScan) return "Scan the serial number (or type end): ";
  return fmt::format("{}: {}{}. Hands off, then Enter: ", prompt.serial, prompt.instruction,
                     prompt.remark.empty() ? "" : " (" + prompt.remark + ")");
}

Result<std::string> check_station(const StationSettings& settings) {
  RecordRequest request;
  request.place = settings.place;
  request.protocol = settings.protocol;
  if (const auto preview = preview_recording(request); !preview) return fail(preview.error());
  const auto devices = devices::load_device_file(settings.place.devices);
  if (!devices) return fail(devices.error());
  const auto& described = *devices->sensor;  // else there was no preview
  const auto sensor = described.name.empty() ? described.model : described.name;
  if (settings.limits.parameters.empty()) return sensor;
  const auto catalogue = Catalogue::read(settings.limits.catalogue);
  if (!catalogue) return fail(catalogue.error());
  for (const auto& path : settings.limits.parameters)
    if (const auto limits = fleet_limits(*catalogue, sensor, path); !limits)
      return fail(limits.error(), settings.limits.catalogue.string());
  return sensor;
}

Result<StationTally> run_station(const StationSettings& settings, const std::string& sensor,
                                 StationRig& rig, StationOperator& who, const Job& job) {
  auto folder = StationFolder::open(settings.folder, settings.fit);
  if (!folder) return fail(folder.error());
  return Station(settings, sensor, std::move(*folder), rig, who, job).run();
}

std::unique_ptr<StationRig> station_rig(const RigPlace& place, bool start) {
  return std::make_unique<RigProcessOfStation>(place, start);
}

}  // namespace tactelier
