#include "app/workflow/simulated_truth.hpp"

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/pad/truth.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {

pad::DrawOptions draw_options(std::string_view preset) {
  pad::DrawOptions options;
  options.relaxation = preset != "clean";
  return options;
}

Result<SimulatedTruth> simulated_truth(const std::optional<std::filesystem::path>& model_file,
                                       const std::string& sensor_name, std::uint64_t seed,
                                       const pad::DrawOptions& draw) {
  SimulatedTruth truth;
  if (model_file) {
    const auto model = read_model(*model_file);
    if (!model) return fail(model.error());
    auto from_model = pad::truth_from_model(*model);
    if (!from_model) return fail(from_model.error(), model_file->string());
    truth.pad = std::move(from_model->truth);
    truth.serial = model->serial;
    truth.warnings = std::move(from_model->warnings);
    return truth;
  }
  const auto sensor = load_sensor(sensor_name);
  if (!sensor) return fail(sensor.error());
  auto drawn = pad::draw_truth(*sensor, seed, draw);
  if (!drawn) return fail(drawn.error());
  truth.pad = std::move(*drawn);
  return truth;
}

std::filesystem::path path_beside(const std::filesystem::path& file, std::string_view ending) {
  auto path = file;
  path.replace_extension();
  path += ending;
  return path;
}

Result<void> write_truths(const synth::SynthSetup& setup, const pad::RigDraws& draws,
                          const std::filesystem::path& truth,
                          const std::filesystem::path& rig_truth) {
  auto model = pad::model_from_truth(synth::truth_with_faults(setup.truth, draws),
                                     setup.effects.reading);
  if (!model) return fail(model.error());
  model->serial = setup.serial;
  if (auto written = write_model(*model, truth); !written) return written;
  return write_text_file(rig_truth, synth::rig_truth_text(setup, draws));
}

}  // namespace tactelier
