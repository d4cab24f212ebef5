#pragma once
// One overload per step: what it makes the stage do, and how a table names it. Only the planner
// includes this.

#include "libcalib/protocol/plan_builder.hpp"

namespace tactelier {

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Zero& zero);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::WarmUp& warm_up);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Spring& spring);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Plate& plate);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Shear& shear);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Ground& ground);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Condition& condition);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Scan& scan);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Staircase& stairs);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Hold& hold);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Cycles& cycles);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Speeds& speeds);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Chirp& chirp);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Raster& raster);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Area& area);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Weights& weights);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Slide& slide);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Preslide& preslide);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Images& images);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Reference& reference);
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Prompt& prompt);

/// "all tactels, 1 pass at 0.5 mm/s", for tables.
std::string describe_step(const steps::Zero& s);
std::string describe_step(const steps::WarmUp& s);
std::string describe_step(const steps::Spring& s);
std::string describe_step(const steps::Plate& s);
std::string describe_step(const steps::Shear& s);
std::string describe_step(const steps::Ground& s);
std::string describe_step(const steps::Condition& s);
std::string describe_step(const steps::Scan& s);
std::string describe_step(const steps::Staircase& s);
std::string describe_step(const steps::Hold& s);
std::string describe_step(const steps::Cycles& s);
std::string describe_step(const steps::Speeds& s);
std::string describe_step(const steps::Chirp& s);
std::string describe_step(const steps::Raster& s);
std::string describe_step(const steps::Area& s);
std::string describe_step(const steps::Weights& s);
std::string describe_step(const steps::Slide& s);
std::string describe_step(const steps::Preslide& s);
std::string describe_step(const steps::Images& s);
std::string describe_step(const steps::Reference& s);
std::string describe_step(const steps::Prompt& s);
std::string describe_step(const steps::Repeat& s);

/// A weight on one end of the array, the tip presses the other (plan_preload.cpp).
Result<void> press_beside(PlanBuilder& plan, const Step& step, const steps::Weights& weights);

/// Speed at which 20 ms of delay cost at most 5 % of a force at the stiff end of what is expected.
double gentle_speed_m_per_s(const PlanBuilder& plan, double force_N);
Result<void> need_indenter(const PlanBuilder& plan);

}  // namespace tactelier
