#include "app/cli/forward_grammar.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/fleet/slurm_grammar.hpp"
#include "app/workflow/compare_limits.hpp"
#include "libcalib/forward/forward_method.hpp"

namespace tactelier::cli {

void ForwardGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  add_simulate(app, runs);
  add_compare(app, runs);
}

void ForwardGrammar::add_pose(CLI::App& simulate) {
  auto& pose = simulate_.pose;
  simulate.add_option("--x", pose.x_mm, "Place of the tip, sensor frame, in mm")
      ->capture_default_str();
  simulate.add_option("--y", pose.y_mm, "The same along y")->capture_default_str();
  simulate.add_option("--rz", pose.rz_deg, "Turn about z, in degrees")->capture_default_str();
  simulate.add_option("--tilt-x", pose.tilt_x_deg, "Tilt about x, in degrees")
      ->check(CLI::Range(-45.0, 45.0))
      ->capture_default_str();
  simulate.add_option("--tilt-y", pose.tilt_y_deg, "Tilt about y, in degrees")
      ->check(CLI::Range(-45.0, 45.0))
      ->capture_default_str();
}

void ForwardGrammar::add_simulate(CLI::App& app, const RunsCommand& runs) {
  auto* simulate = app.add_subcommand("simulate", "The image that a model predicts of one press");
  simulate->add_option("--model", simulate_.model, "Model file")->required();
  simulate
      ->add_option("--indenter", simulate_.indenter,
                   "What presses: an 'indenter' object as in a session, or a file with one")
      ->type_name("JSON|FILE");
  add_pose(*simulate);
  auto* load = simulate->add_option_group("Load", "One of, unless a table says it");
  load->add_option("--force", simulate_.force_N, "Normal force in N");
  load->add_option("--mass", simulate_.mass_g, "Dead weight in g");
  load->add_option("--depth", simulate_.depth_mm, "Depth of the tip in mm");
  load->require_option(0, 1);
  simulate
      ->add_option("--batch", simulate_.batch,
                   "Table of presses, one row each, with the columns x_mm, y_mm, rz_deg, "
                   "tilt_x_deg, tilt_y_deg, one of force_N, mass_g and depth_mm, and indenter; or "
                   "ranges to draw presses from, and how many")
      ->type_name("TABLE.csv|RANGES.json");
  simulate->add_option("--shard", simulate_.shard, "Part I of N of the table")
      ->needs("--batch")
      ->type_name("I/N");
  simulate
      ->add_option("--approach", simulate_.approach_mm_per_s,
                   "Speed of the tip into the pad in mm/s, of soft-contact and hydroelastic")
      ->excludes("--batch")
      ->capture_default_str();
  simulate->add_option("--method", simulate_.method, forward_method_words())
      ->type_name("METHOD")
      ->capture_default_str();
  add_shards(*simulate);
  add_free(*simulate);
  auto* counts = simulate->add_flag("--counts", simulate_.counts,
                                    "What the device would report instead of newtons");
  simulate->add_flag("--noise", simulate_.noise, "One reading with its noise, in device steps")
      ->needs(counts);
  simulate->add_option("--seed", simulate_.seed, "Of the noise")->capture_default_str();
  for (auto* option : {add_contours(*simulate, simulate_.contour_percents),
                       add_fingertip(*simulate, simulate_.fingertip)})
    option->excludes("--batch")->excludes("--free");
  simulate
      ->add_option("-o,--output", simulate_.output,
                   "Image to write (.csv, .json, .png), of a batch .npz")
      ->required();
  simulate->footer(
      "CSV: rows x columns, row 0 first; PNG: one pixel per tactel, row 0 at the bottom, white is\n"
      "full scale (counts) or the largest force. A file that is there is replaced with\n"
      "--overwrite.\n"
      "A batch writes arrays for numpy.load() and beside them a CSV of poses; a shard carries its\n"
      "number in its name. What is done already is left, so an interrupted job array is run "
      "again.\n"
      "Examples:\n  tactelier simulate --model wts.json --force 5 --rz 30 -o hexagon.csv \\\n"
      "    --indenter '{\"shape\": \"hexagon\", \"across_flats_mm\": 12}'\n"
      "  tactelier simulate --model wts.json --free --mass 1000 --height 40 --slope-x 10 \\\n"
      "    --indenter '{\"shape\": \"box\", \"x_mm\": 40, \"y_mm\": 40}' --course cube.csv -o "
      "end.csv\n"
      "  tactelier simulate --model wts.json --batch poses.csv --shard 3/10 -o images.npz\n"
      "  tactelier simulate --model wts.json --batch poses.csv --shards 10 --slurm -o images.npz\n"
      "  tactelier simulate --model wts.json --batch poses.csv --shards 10 --join -o images.npz");
  runs(simulate, "simulate", [this, simulate](Console& console) {
    simulate_.overwrite = simulate->count("--overwrite") > 0;
    simulate_.method_given = simulate->count("--method") > 0;
    if (simulate_.object.free) return run_free_object(console, simulate_);
    return run_simulate(console, simulate_);
  });
}

CLI::Option* ForwardGrammar::add_contours(CLI::App& command, std::vector<double>& percents) {
  return command
      .add_option("--contours", percents,
                  "Lines of equal reading at these percents of the image's largest; --json tells "
                  "their points")
      ->delimiter(',')
      ->check(CLI::Range(0.1, 100.0))
      ->allow_extra_args(false)
      ->type_name("PERCENT,...");
}

CLI::Option* ForwardGrammar::add_fingertip(CLI::App& command, std::string& mesh) {
  return command
      .add_option("--fingertip", mesh,
                  "Surface that a bent array lies on, in mm of the sensor frame: where on it the "
                  "centre of force is, by distances along it and, as published, by chords")
      ->type_name("MESH.stl|.obj");
}

void ForwardGrammar::add_free(CLI::App& simulate) {
  auto& object = simulate_.object;
  auto* group = simulate.add_option_group(
      "Free object", "A solid of even density that falls, settles, sticks or slides in time");
  auto* free = group->add_flag("--free", object.free,
                               "Lay the shape on the sensor as a body of --mass; the image is that "
                               "of the end. Method soft-contact; tilts are those it begins with");
  for (const auto* other : {"--batch", "--approach", "--force", "--depth"})
    free->excludes(simulate.get_option(other));
  const auto option = [&](const char* name, double& value, const char* what) {
    return group->add_option(name, value, what)->needs(free)->capture_default_str();
  };
  option("--height", object.height_mm, "How tall a flat-ended shape or wedge is, in mm");
  option("--drop", object.drop_mm, "Begin so far above the surface, in mm");
  option("--slope-x", object.slope_x_deg, "Turn of the sensor about x, in degrees")
      ->check(CLI::Range(-180.0, 180.0));
  option("--slope-y", object.slope_y_deg, "The same about y")->check(CLI::Range(-180.0, 180.0));
  option("--gravity", object.gravity_m_s2, "In m/s^2")->check(CLI::NonNegativeNumber);
  option("--duration", object.duration_s, "Simulated time in s")->check(CLI::PositiveNumber);
  option("--step", object.step_ms, "Time step in ms")->check(CLI::PositiveNumber);
  group
      ->add_option("--course", object.course,
                   "Table of place, turns, speed, load and friction over time, 2000 rows at most")
      ->needs(free)
      ->type_name("FILE.csv");
}

void ForwardGrammar::add_shards(CLI::App& simulate) {
  simulate.add_option("--threads", simulate_.threads, "Of a batch; 0: as many as the machine has")
      ->needs("--batch")
      ->check(CLI::Range(0, 1024));
  auto* shards =
      simulate
          .add_option("--shards", simulate_.shards, "Parts of the table, with --slurm or --join")
          ->needs("--batch")
          ->excludes("--shard")
          ->check(CLI::Range(1, 100000));
  auto* slurm = simulate
                    .add_flag("--slurm", simulate_.slurm,
                              "Submit the parts that are not there to a cluster: a job array")
                    ->needs(shards);
  simulate
      .add_flag("--join", simulate_.join,
                "All parts, once they are there, as the one file that the table makes alone")
      ->needs(shards)
      ->excludes(slurm);
  add_slurm_options(simulate, simulate_.settings);
  simulate.add_flag("--dry-run", simulate_.dry_run, "Write the array's script, do not submit it")
      ->needs(slurm);
}

void ForwardGrammar::add_compare(CLI::App& app, const RunsCommand& runs) {
  auto* compare = app.add_subcommand(
      "compare", "Predicted against recorded images, beside what the sensor repeats of itself");
  compare->add_option("SESSION", compare_.sessions, "Sessions with image presses");
  compare->add_option("--model", compare_.model, "Model file");
  compare
      ->add_option("--method", compare_.methods,
                   "One or more, side by side. " + forward_method_words())
      ->delimiter(',')
      ->type_name("METHOD,...")
      ->capture_default_str();
  compare
      ->add_option("--images", compare_.images,
                   "With sessions: folder for both images of each press. Without: two images to "
                   "compare, predicted and measured")
      ->expected(1, 2)
      ->type_name("DIR | A B");
  compare->add_flag("--registered", compare_.registered,
                    "Beside each method the same with every indenter moved and turned to where its "
                    "prediction fits best; --json tells how far");
  compare->add_option("--pitch", compare_.pitch_mm, "Of two images, in mm")
      ->check(CLI::PositiveNumber);
  compare->add_option("--full-scale", compare_.full_scale, "Of two images, in their unit")
      ->check(CLI::PositiveNumber);
  compare
      ->add_option("--map", compare_.map,
                   "How the first of two images, another simulator's, lies on the sensor: unit, "
                   "orientation, place, which tactel is which")
      ->type_name("MAP.json");
  compare
      ->add_option("--require-record", compare_.required_record,
                   "Exit with 5 unless a verification record of this name, beside the model or "
                   "here, is about this model and passed")
      ->type_name("NAME");
  compare
      ->add_option("--fail-above", compare_.fail_above,
                   "Exit with 5 when a median is above this, or missing. Of " + error_metrics())
      ->allow_extra_args(false)
      ->type_name("METRIC=VALUE");
  add_contours(*compare, compare_.contour_percents);
  add_fingertip(*compare, compare_.fingertip);
  compare->add_option("--seed", compare_.seed, "Of bootstrap and predictive intervals")
      ->capture_default_str();
  compare->footer(
      "Prints each method's prediction error with what it is a fraction of, the metrics of each\n"
      "image, then median, 95 % interval of the median, the value that 95 % of the images are\n"
      "better than, and the floor: the same between repeats of a press; medians by indenter, load\n"
      "and tilt where the images differ in them.\n"
      "Lengths in --fail-above are in m, angles in rad, times in s.\n"
      "Examples:\n  tactelier compare --model wts.json shapes.tact --fail-above rel_l1=5\n"
      "  tactelier compare --images simulated.csv measured.csv --model wts.json\n"
      "  tactelier compare --images mujoco.csv measured.csv --map mujoco.map.json \\\n"
      "    --model wts.json --require-record Weiss_WTS_0614_42.mujoco");
  runs(compare, "compare", [this](Console& console) { return run_compare(console, compare_); });
}

}  // namespace tactelier::cli
