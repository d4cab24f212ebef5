#include "fitting/views/preparation.hpp"

#include "fitting/recording/sample_cache.hpp"
#include "fitting/time/time.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {

Result<SessionClocks> session_clocks(const FitSession& session, const Job& job) {
  FitContext context;
  context.sessions.push_back(session);
  context.model = empty_model(session.session->metadata().sensor);
  context.job = job;
  if (const auto done = run_time(context); !done) return fail(done.error());
  return context.clocks.front();
}

Result<void> find_contacts(FitContext& context) {
  const std::string last = "contact";
  const auto chain = stage_chain({&last, 1});
  if (!chain) return fail(chain.error());
  for (const auto* stage : *chain)
    if (stage->id != "time")
      if (const auto done = stage->run(context); !done) return fail(done.error());
  return {};
}

FitContext plain_context(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                         const SensorModel& model, const Job& job) {
  FitContext context;
  context.sessions = std::move(sessions);
  context.clocks = std::move(clocks);
  context.job = job;
  context.samples = std::make_shared<SampleCache>();
  context.model = model;
  turn_counts(context.model);
  return context;
}

Result<FitContext> looking_context(std::vector<FitSession> sessions,
                                   std::vector<SessionClocks> clocks, const SensorModel& model,
                                   const Job& job) {
  auto context = plain_context(std::move(sessions), std::move(clocks), model, job);
  if (context.sessions.empty()) return fail(ErrorCode::kUnidentifiable, "No recording is chosen.");
  if (const auto done = find_contacts(context); !done) return fail(done.error());
  return context;
}

}  // namespace tactelier
