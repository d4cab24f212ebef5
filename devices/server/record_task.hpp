#pragma once
// One recording, from the order to its result: the rig made ready, the file begun or gone on with,
// the plan followed from tip to tip, the pad's place checked at the end.
//
// Made for one task, in the thread that moves the rig; there is no mutex.

#include <filesystem>
#include <set>
#include <string>

#include "devices/acquisition/live_rig.hpp"
#include "devices/acquisition/resume_point.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/motion/runner.hpp"
#include "devices/server/further_steps.hpp"
#include "devices/server/rig_file_store.hpp"
#include "devices/server/set_up.hpp"
#include "devices/server/task_slot.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {

/// What a recording works with; all outlive it.
struct RecordParts {
  LiveRig& live;
  const RigFileStore& file;
  SetUp& set_up;
  OperatorInterface& operator_at_rig;
  RunControl& control;
  FurtherSteps& further;
  std::set<std::string>& told;  // of what this process has warned of in plans
};

class RecordTask {
 public:
  RecordTask(const RecordParts& parts, RunningTask& task)
      : live_(parts.live),
        file_(parts.file),
        set_up_(parts.set_up),
        operator_(parts.operator_at_rig),
        control_(parts.control),
        further_(parts.further),
        told_(parts.told),
        task_(task),
        order_(messages::record_order_in(task.request)),
        begun_ns_(parts.live.clock().now_ns()),
        begun_real_ns_(devices::steady_host_clock().now_ns()) {}

  /// However it ends, the file is closed in order.
  Result<messages::Recorded> run();

 private:
  /// Real time: `world_s` of the devices' at the pace that they have kept since the task began.
  double real_s(double world_s) const;
  /// The set-up's own news, with the time that is left of everything.
  void tell_set_up(messages::Progress progress);
  /// What the time that is left is reckoned with, until it is followed.
  void expect(const Plan& plan, const ResumePoint& from);
  /// Of the registration at the end.
  double check_s() const;
  Result<messages::Recorded> record();
  void compact_file();
  Result<RunReport> record_anew();
  /// The rig may have been touched, moved or switched off since: everything is found again.
  Result<RunReport> record_on();
  Result<ResumePoint> resume_from(const Session& before, const Plan& plan) const;
  Result<Protocol> protocol_before(const Session& before) const;
  Result<void> begin_file(const RigFile& rig, const Plan& plan, const Protocol& protocol);
  Result<void> go_on_with_file(const Session& before, const ResumePoint& point);
  Result<RunReport> follow_plan(Protocol protocol, Plan plan, ResumePoint from);
  /// Which steps come behind those that have begun? Of a growing recording.
  void ask_for_steps(const Plan& plan, std::size_t from_segment);
  /// Behind the plan's end, the tip up: the protocol with what somebody says comes next, or false.
  Result<bool> grow(Protocol& protocol, Plan& plan);
  /// Nothing: the recording is to end.
  Result<std::optional<messages::FurtherOrder>> wait_for_steps();
  /// To the end, or to where another tip is put on.
  Result<RunReport> follow_part(Protocol& protocol, Plan& plan, const ResumePoint& from);
  /// Of the rig as it is known now; within its reach.
  Result<Plan> reachable_plan(const Protocol& protocol, const RigFile& rig) const;
  Result<Plan> plan_of(const Protocol& protocol, const RigFile& rig) const;
  /// The rig as this recording's file describes it: with a spring in the plate's place, if one is
  /// there.
  Result<RigFile> described_rig() const;
  /// Registers again; fails when the pad lies elsewhere than it did.
  Result<void> still_there(const StageToSensor& begun);
  Result<void> check_shift(const StageToSensor& before) const;
  Result<void> check_at_end();

  LiveRig& live_;
  const RigFileStore& file_;
  SetUp& set_up_;
  OperatorInterface& operator_;
  RunControl& control_;
  FurtherSteps& further_;
  std::set<std::string>& told_;
  RunningTask& task_;
  const messages::RecordOrder order_;
  const std::int64_t begun_ns_, begun_real_ns_;
  std::function<void(const messages::News&)> tell_;
  bool grows_ = false, fell_back_ = false, ended_early_ = false;
  double plan_s_ = 0;  // what follows the set-up
  bool checks_at_end_ = false;
  std::optional<double> registration_s_;  // how long one took
  std::string set_up_stage_;              // "surface", "register"
  double stage_begun_s_ = 0;
};

}  // namespace tactelier::rig
