#include "app/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

#include "app/cli/apply_grammar.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/filing_grammar.hpp"
#include "app/cli/fleet/fleet_grammar.hpp"
#include "app/cli/forward_grammar.hpp"
#include "app/cli/rig_grammar.hpp"
#include "app/workflow/exit_status.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Collects the grammar; each add_* method describes one command and what it runs.
class Grammar {
 public:
  explicit Grammar(std::stop_token stop) : stop_(std::move(stop)) {
    app_.description(
        "Calibrates tactile arrays: recordings from an indentation rig become sensor\n"
        "models with uncertainty, and the files that simulators read.");
    app_.set_version_flag("--version", "tactelier " TACTELIER_VERSION);
    app_.require_subcommand(1);
    app_.footer(
        "tactelier COMMAND --help tells the rest. A SESSION is a .tact file or a session\n"
        "folder. Exit status: 0 done, 2 wrong usage, 3 bad or damaged input, 4 a device\n"
        "failed, 5 a required result is missing, 130 interrupted.");
    const auto add = [this](CLI::App* command, std::string name, Command body) {
      runs(command, std::move(name), std::move(body));
    };
    add_sensors();
    add_import();
    add_unpack();
    add_info();
    add_repack();
    add_edit();
    add_fit();
    add_show();
    add_codes();
    add_diff();
    add_check();
    add_refresh();
    apply_.add_to(app_, add);
    add_export();
    add_verify_export();
    filing_.add_to(app_, add);
    add_synth();
    forward_.add_to(app_, add);
    fleet_.add_to(app_, add);
    rig_.add_to(app_, add);
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      // Help and version end with 0; everything else is wrong usage, whatever CLI11 calls it.
      return app_.exit(error) == 0 ? kExitDone : kExitUsage;
    }
    return action_();
  }

 private:
  using Command = std::function<int(Console&)>;

  /// Adds the flags that every command has, and remembers what it runs. A file that it would write
  /// (--output) is replaced with --force alone, with --overwrite where --force is a load; a
  /// recording of a rig never is.
  void runs(CLI::App* command, std::string name, Command body) {
    command->add_flag("--json", console_.json, "Print one JSON object instead of text");
    command->add_flag("-q,--quiet", console_.quiet, "One line of result or none, and errors");
    command->add_flag("-v,--verbose", console_.verbose, "Every warning");
    auto* output = command->get_option_no_throw("--output");
    if (output == nullptr) output = command->get_option_no_throw("--record");
    if (name == "record" || name == "plate") output = nullptr;
    const std::string flag = name == "simulate" ? "--overwrite" : "--force";
    if (output != nullptr) command->add_flag(flag, force_, "Replace an existing file");
    command->callback([this, output, flag, name = std::move(name), body = std::move(body)] {
      action_ = [this, output, flag, name, body] {
        Console console(name, console_, stop_);
        if (auto free = may_write(output, flag); !free) return console.fail(free.error());
        return body(console);
      };
    });
  }

  Result<void> may_write(const CLI::Option* output, std::string_view flag) const {
    std::error_code unknown;
    if (force_ || output == nullptr || output->count() == 0) return {};
    for (const auto& file : output->results()) {
      if (file.ends_with(".npz")) continue;  // a batch looks into it: done work is no obstacle
      if (std::filesystem::exists(std::filesystem::symlink_status(file, unknown)))
        return tactelier::fail(ErrorCode::kUsage, "'{}' is there already; {} replaces it", file,
                               flag);
    }
    return {};
  }

  void add_sensors() {
    auto* sensors = app_.add_subcommand("sensors", "Descriptions of tactile arrays");
    sensors->require_subcommand(1);
    auto* list =
        sensors->add_subcommand("list", "Name the descriptions that come with the program");
    runs(list, "sensors", [](Console& console) { return run_sensors_list(console); });
    auto* show = sensors->add_subcommand("show", "Print one description");
    show->add_option("NAME", text_, "Name or file")->required();
    runs(show, "sensors", [this](Console& console) { return run_sensors_show(console, text_); });
    auto* check = sensors->add_subcommand("check", "Say whether a description file makes sense");
    check->add_option("FILE", text_, "Description file")->required();
    runs(check, "sensors", [this](Console& console) { return run_sensors_check(console, text_); });
  }

  void add_import() {
    auto* import = app_.add_subcommand("import", "Session folder or tables to a .tact file");
    auto& request = import_.request;
    import
        ->add_option("SOURCE", request.source,
                     "Session folder; with --map or --guess a table (text, .npy, .npz, .mat, .h5, "
                     ".xlsx, .ods) or a folder of them")
        ->required();
    import->add_option("-o,--output", request.target, "The .tact file to write");
    import->add_option("--map", request.map, "Map of the tables: which column is what");
    import->add_flag("--each", import_.each,
                     "Every table of the folder is a recording of its own: -o is a folder");
    import->add_flag("--sort", request.options.sort, "Order the samples by time");
    add_guess(import);
    import->footer(
        "Examples:\n  tactelier import monday/ -o monday.tact\n"
        "  tactelier import oil.csv --map map.json -o oil.tact\n"
        "  tactelier import oil.csv --guess\n"
        "  tactelier import oil.csv --guess --import --indenter 'cylinder 5' -o oil.tact\n"
        "  tactelier import week/ --each --guess --import --indenter 'cylinder 5'");
    runs(import, "import", [this](Console& console) {
      import_.request.options.overwrite = force_;
      return run_import(console, import_);
    });
  }

  void add_guess(CLI::App* import) {
    auto& answers = import_.answers;
    auto* guess =
        import->add_flag("--guess", import_.guess, "Look at a table and write its map beside it");
    const auto add = [&](CLI::Option* option) { option->needs(guess)->group("With --guess"); };
    add(import->add_flag("--import", import_.then_import, "Go on and import with that map"));
    add(import->add_option("--sensor", answers.sensor, "Name of a shipped description"));
    add(import->add_option("--layout", answers.layout, "ROWSxCOLUMNS of tactels"));
    add(import->add_option("--pitch", answers.pitch, "Distance of tactels in mm, X or XxY"));
    add(import->add_option("--indenter", answers.indenter, "'cylinder 5', 'sphere 6', 'plate'"));
    add(import->add_option(
        "--weights", answers.weights,
        "What lay on it in g: 0,100,200,0; of tables named after their loads the "
        "unit: kg"));
    add(import->add_option("--columns", answers.columns,
                           "Names of the columns, where the table has none: t_s,load,s1; else what "
                           "some are: 'adc3=force [mN],pred_*=ignore'"));
    add(import->add_option("--load-cell", answers.load_cell,
                           "A force in counts at two known loads: '8322237=0,8341540=50 g'"));
    add(import->add_option("--load", answers.load,
                           "What presses in all rows, where no column says it: '20 N', '2 kg'"));
    add(import->add_option("--rate", answers.rate, "Rows per second, where no column is a time"));
    add(import->add_option("--rest", answers.rest, "What unloaded tactels read: 512, or 512,508"));
    add(import->add_option("--certificate", answers.gain_u_percent,
                           "Standard uncertainty of the force's gain in percent"));
  }

  void add_unpack() {
    auto* unpack = app_.add_subcommand(
        "unpack", "A .tact file to a folder of plain files, to arrays or messages");
    unpack->add_option("SESSION", session_, ".tact file")->required();
    auto* folder = unpack->add_option("FOLDER", text_, "New folder");
    unpack
        ->add_option("-o,--output", output_,
                     "One file in SI instead: arrays as .h5 (HDF5) or .mat (MATLAB), messages as "
                     ".mcap (Foxglove, ROS tools)")
        ->excludes(folder);
    unpack->footer(
        "A folder holds every digit as recorded and can be imported again. Arrays are for\n"
        "h5py.File('monday.h5')['force/values'], scipy.io.loadmat('monday.mat')['force'];\n"
        "docs/open-data.md tells the rest.");
    runs(unpack, "unpack", [this](Console& console) {
      if (!output_.empty()) return run_unpack_table(console, session_, output_);
      if (!text_.empty()) return run_unpack(console, session_, text_);
      return console.fail(
          {ErrorCode::kUsage, "give a FOLDER, or -o FILE.h5, FILE.mat or FILE.mcap"});
    });
  }

  void add_info() {
    auto* info = app_.add_subcommand("info", "What a session holds; checks that it is whole");
    info->add_option("SESSION", sessions_, "Sessions")->required();
    runs(info, "info", [this](Console& console) { return run_info(console, sessions_); });
  }

  void add_repack() {
    auto* repack = app_.add_subcommand(
        "repack", "Make .tact files smaller and faster to read, values as they are");
    repack->add_option("FILE", sessions_, ".tact files")->required();
    repack->footer(
        "Recordings of this program are put together when they are closed; files of earlier\n"
        "versions, and ones that had no room then, are by this command. Values, events, edits and\n"
        "content hash stay, so models fitted before still name the file. It takes as much free\n"
        "room as the file has for a while, and can be stopped at any time.");
    runs(repack, "repack", [this](Console& console) { return run_repack(console, sessions_); });
  }

  void add_edit() {
    auto* edit =
        app_.add_subcommand("edit", "Later decisions; the recording itself stays as it was");
    edit->add_option("SESSION", edit_.session, ".tact file")->required();
    edit->add_option("--exclude", edit_.exclude, "Leave presses out of fits: 7, 2-41 or 1-3,7")
        ->type_name("PRESSES");
    edit->add_option("--include", edit_.include, "Take presses in again")->type_name("PRESSES");
    edit->add_option(
            "--contact", edit_.contact,
            "Time of first touch of a press, host seconds; 'found': where the data have it")
        ->type_name("PRESS=SECONDS");
    edit->add_option("--note", edit_.notes, "A remark")->type_name("TEXT");
    runs(edit, "edit", [this](Console& console) { return run_edit(console, edit_); });
  }

  void add_fit() {
    auto* fit = app_.add_subcommand("fit", "Sessions to a sensor model");
    fit->add_option("SESSION", fit_sessions_, "Sessions of one sensor, in any order")->required();
    fit->add_option("-o,--output", output_, "Model file to write (.json)")->required();
    std::string stages_help = "Stages to run, of:";
    for (const auto& stage : stages()) stages_help += " " + std::string(stage.id);
    fit->add_option("--stages", fit_.stages, stages_help)->delimiter(',')->type_name("STAGE,...");
    fit->add_option("--sensor", fit_.sensor, "Sensor description instead of the sessions' own")
        ->type_name("NAME|FILE");
    fit->add_option("--exclude", fit_.excluded, "Leave presses out: FILE:7, FILE:2-41, FILE:1-3,7")
        ->type_name("FILE:PRESS");
    fit->add_option("--holdout", fit_.options.holdout,
                    "Fraction of presses kept out, as a test; image presses, "
                    "which no fit uses, are predicted")
        ->check(CLI::Range(0.0, 0.5));
    fit->add_option("--seed", fit_.options.seed, "Of the bootstrap");
    fit->add_option("--threads", fit_.options.threads, "0: as many as the machine has")
        ->check(CLI::Range(0, 1024));
    fit->add_option("--require", fit_.required, "Exit with 5 unless these are identified")
        ->delimiter(',')
        ->type_name("STAGE,...");
    fit->footer(
        "Example:\n  tactelier fit monday.tact tuesday.tact -o wts.json --require response");
    runs(fit, "fit", [this](Console& console) {
      fit_.sessions.assign(fit_sessions_.begin(), fit_sessions_.end());
      return run_fit(console, fit_, output_);
    });
  }

  void add_show() {
    auto* show = app_.add_subcommand("show", "The parameters of a model as a table");
    show->add_option("MODEL", show_.model, "Model file")->required();
    show->add_flag("--tactels", show_.tactels, "One row per tactel, too");
    show->add_flag("--presses", show_.presses, "One row per press, too");
    runs(show, "show", [this](Console& console) { return run_show(console, show_); });
  }

  void add_codes() {
    auto* codes = app_.add_subcommand("codes", "What the codes of refusals and warnings mean");
    codes->add_option("CODE", text_, "One code, such as RS-06; without it all of them");
    codes->add_flag("--markdown", markdown_, "As a page, docs/codes.md");
    runs(codes, "codes", [this](Console& console) { return run_codes(console, text_, markdown_); });
  }

  void add_diff() {
    auto* diff = app_.add_subcommand("diff", "What changed between two models");
    diff->add_option("BEFORE", text_, "Model file")->required();
    diff->add_option("AFTER", session_, "Model file")->required();
    diff->footer(
        "E_n = |change| / sqrt(U_before^2 + U_after^2); a change beyond 1 is significant.");
    runs(diff, "diff", [this](Console& console) { return run_diff(console, text_, session_); });
  }

  void add_check() {
    auto* check = app_.add_subcommand("check", "Is a calibration still good?");
    check->add_option("MODEL", text_, "Model file")->required();
    check->add_option("SESSION", session_, "A short session, as protocol 'check' records it")
        ->required();
    check->add_option("--tolerance", gain_percent_, "Change of a gain that matters, in percent")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 50.0));
    check->footer(
        "Says valid, re-zero, rescale, recalibrate (with the tactels) or wrong sensor;\n"
        "exit status 5 unless valid.");
    runs(check, "check", [this](Console& console) {
      CheckSettings settings;
      settings.gain_tolerance = gain_percent_ / 100;
      return run_check(console, text_, session_, settings);
    });
  }

  void add_refresh() {
    auto* refresh = app_.add_subcommand("refresh", "A model with the gains that have moved since");
    refresh->add_option("MODEL", text_, "Model file")->required();
    refresh
        ->add_option("SESSION", session_,
                     "A recording of some presses anywhere on the array, as record --refresh makes")
        ->required();
    refresh->add_option("-o,--output", output_, "Model file to write (.json)")->required();
    refresh->add_option("--tolerance", gain_percent_, "Change of a gain that matters, in percent")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 50.0));
    refresh->footer(
        "Gains that have not moved clearly stay as they are, digit for digit; all else of the "
        "model\n"
        "stays, too. Example:\n"
        "  tactelier refresh wts.json tuesday.tact -o wts-tuesday.json");
    runs(refresh, "refresh", [this](Console& console) {
      return run_refresh(console, text_, session_, output_, gain_percent_ / 100);
    });
  }

  void add_export() {
    auto* exporting = app_.add_subcommand("export", "A model to the file that a simulator reads");
    auto* model = exporting->add_option("MODEL", export_model_, "Model file");
    auto* format =
        exporting->add_option("--to", export_.request.format, "Format; --list names them");
    exporting->add_option("-o,--output", export_.output,
                          "File to write; what belongs to it is written beside it");
    auto* list = exporting->add_flag("--list", list_, "Name the formats");
    exporting->add_flag("--loss", export_.losses_only, "Only say what the format would not hold");
    exporting
        ->add_option("--assume", export_.request.assumptions,
                     "Fill what is not identified, in SI units; the file says so")
        ->type_name("PATH=VALUE");
    exporting
        ->add_option("--randomize", export_.draws.count,
                     "N files, each of a model drawn from the fit's covariance: FILE_1, FILE_2 ...")
        ->check(CLI::Range(1, 10000))
        ->type_name("N");
    exporting
        ->add_option("--seed", export_.draws.seed, "Of the draws; the same seed, the same files")
        ->capture_default_str();
    list->excludes(model)->excludes(format);
    exporting->footer(
        "--randomize draws by the uncertainty of one fit; `catalogue randomize` by the spread "
        "between\nsensors, as models to export.\n"
        "Example:\n  tactelier export wts.json --to openrave -o wts.xml "
        "--assume friction.mu_s=0.6");
    runs(exporting, "export", [this](Console& console) {
      if (list_) return run_export_list(console);
      export_.request.model = export_model_;
      export_.replace = force_;
      if (export_model_.empty() || export_.request.format.empty() ||
          (export_.output.empty() && !export_.losses_only))
        return console.fail({ErrorCode::kUsage,
                             "give MODEL --to FORMAT -o FILE, or --loss instead of -o, or --list"});
      if (export_.draws.count > 0 && export_.losses_only)
        return console.fail({ErrorCode::kUsage,
                             "--loss is the same for every draw: without "
                             "--randomize"});
      return run_export(console, export_);
    });
  }

  void add_verify_export() {
    auto* verify = app_.add_subcommand(
        "verify-export", "Presses an exported pad in its simulator and compares with the model");
    verify->add_option("MODEL", export_model_, "Model file")->required();
    verify
        ->add_option("--to", verify_.request.format,
                     "Simulator: " + joined(verifiable_formats()) + "; with --script also " +
                         joined(scripted_formats()))
        ->required()
        ->type_name("FORMAT");
    auto* record =
        verify->add_option("--record", verify_.record,
                           "Verification record to write; its page stands beside it as .txt");
    record->type_name("FILE.json");
    verify
        ->add_option("--session", verify_.request.sessions,
                     "Recordings with image presses (protocol images): how well the pad in its "
                     "simulator predicts them, beside our own model")
        ->type_name("FILE.tact ...");
    verify
        ->add_option("--script", verify_.script,
                     "Write a Python program that presses the pad where its simulator is, instead "
                     "of pressing it here")
        ->type_name("FILE.py")
        ->excludes(record)
        ->excludes("--session");
    verify->add_option("--assume", verify_.request.assumptions, "As for export, in SI units")
        ->type_name("PATH=VALUE");
    verify->footer(
        "Presses, without noise: a plate at rest under five loads, moving and sliding, and a ball\n"
        "on every tactel; loads are 10 to 90 % of the model's range. Exit status 5 when an error "
        "is\n"
        "above 1 % (depth, force, friction) or 3 % (damping), or recorded images are predicted\n"
        "1.15 times worse than by our own model. docs/newtons.md tells the rest.\n"
        "mujoco-3.7 is pressed in npm's MuJoCo under Node: npm install @mujoco/mujoco@3.14.0 in "
        "the\ncurrent folder, or NODE_PATH.\n"
        "Examples:\n  tactelier verify-export wts.json --to mujoco --record wts.mujoco.json\n"
        "  tactelier verify-export wts.json --to mujoco --session images.tact\n"
        "  tactelier verify-export wts.json --to drake --script verify_in_drake.py");
    runs(verify, "verify-export", [this, verify](Console& console) {
      const auto* script = verify->get_option("--script");
      if (auto free = may_write(script, "--force"); !free) return console.fail(free.error());
      verify_.request.model = export_model_;
      verify_.replace = force_;
      return run_verify_export(console, verify_);
    });
  }

  void add_synth() {
    auto* synth = app_.add_subcommand("synth", "A protocol carried out on a simulated pad");
    auto* protocol = synth
                         ->add_option("--protocol", synth_.protocol,
                                      "Protocol file, or one of: " + joined(shipped_protocols()))
                         ->type_name("NAME|FILE");
    synth
        ->add_option(
            "--until", adaptive_.targets,
            "Instead of a protocol: choose each press by what is known so far, until "
            "half-widths (95 %) are reached, as in 'gain 2 %, sigma 1 %, k 2 %'; there are "
            "damping and relaxation, too")
        ->type_name("TARGETS")
        ->excludes(protocol);
    synth
        ->add_option("--minutes", adaptive_.minutes,
                     "Of rig time that --until may take (60); alone: the best that this time "
                     "allows")
        ->type_name("N")
        ->excludes(protocol);
    synth
        ->add_option("--refresh", adaptive_.refresh,
                     "Instead of a protocol: look for gains that have changed since that model "
                     "was made and press what has changed again; --until 'gain 2 %' says how "
                     "well, --minutes how long (20)")
        ->type_name("MODEL")
        ->excludes(protocol);
    auto* output = synth->add_option("-o,--output", synth_.target, "The .tact file to write");
    auto* sensor = synth->add_option("--sensor", synth_.sensor, "Draw a pad for this sensor")
                       ->type_name("NAME|FILE")
                       ->capture_default_str();
    synth->add_option("--truth", synth_.truth, "Simulate this sensor model instead")
        ->type_name("MODEL")
        ->excludes(sensor);
    synth->add_option("--rig", synth_.rig, "Rig file; the virtual bench's when left out")
        ->type_name("FILE");
    synth
        ->add_option("--preset", synth_.preset,
                     "What rig and devices do to the recording: clean (little noise), lab "
                     "(everything, as published, drawn by seed) or rough (twice that)")
        ->type_name("clean|lab|rough")
        ->capture_default_str();
    synth
        ->add_option("--steps", synth_.steps,
                     "How the stage makes a step: ticks (there at the next millisecond; usual on "
                     "clean) or ringing (begun when due, followed by a motor that rings; usual on "
                     "lab and rough)")
        ->type_name("ticks|ringing");
    synth->add_option("--seed", synth_.seed, "Of pad, rig and noise")->capture_default_str();
    synth
        ->add_option("--draw", synth_.draw,
                     "What a drawn pad has besides: relaxation (none: not even on lab and rough, "
                     "where it is usual), hardening, student, anisotropic")
        ->delimiter(',')
        ->type_name("WHAT,...");
    synth
        ->add_option("--write-truth", synth_.write_truth,
                     "Where the pad's truth goes; NAME.truth.json when left out")
        ->type_name("FILE");
    auto* dry = synth->add_flag("--dry-run", dry_run_,
                                "Print the plan and what it will and won't identify");
    dry->excludes(output);
    synth->footer(
        "Examples:\n  tactelier synth --protocol quick -o pad.tact --seed 7\n"
        "  tactelier synth --until 'gain 2 %, sigma 1 %' -o pad.tact\n"
        "  tactelier synth --protocol standard --preset lab --dry-run\n"
        "Beside NAME.tact: NAME.truth.json, a sensor model, and NAME.rig-truth.json.");
    runs(synth, "synth", [this](Console& console) {
      const bool chooses =
          !adaptive_.targets.empty() || adaptive_.minutes || !adaptive_.refresh.empty();
      if (synth_.protocol.empty() && !chooses)
        return console.fail(
            {ErrorCode::kUsage,
             "give --protocol NAME, or --until TARGETS or --refresh MODEL for presses that are "
             "chosen"});
      if (dry_run_ && chooses)
        return console.fail({ErrorCode::kUsage,
                             "--dry-run needs a protocol: presses of --until are chosen by what "
                             "is recorded"});
      if (dry_run_) return run_synth_dry(console, synth_);
      if (synth_.target.empty())
        return console.fail({ErrorCode::kUsage, "give -o NAME.tact, or --dry-run"});
      synth_.overwrite = force_;
      adaptive_.seed = synth_.seed;
      if (chooses) return run_synth_until(console, synth_, adaptive_);
      return run_synth(console, synth_);
    });
  }

  CLI::App app_{"", "tactelier"};
  std::stop_token stop_;
  ConsoleOptions console_;
  std::function<int()> action_;

  std::string text_;
  bool markdown_ = false;
  std::string session_;
  std::string output_;
  std::vector<std::string> sessions_;
  ImportArguments import_;
  bool force_ = false;
  EditArguments edit_;
  FitRequest fit_;
  std::vector<std::string> fit_sessions_;
  ShowArguments show_;
  ExportArguments export_;
  std::string export_model_;
  bool list_ = false;
  VerifyArguments verify_;
  FilingGrammar filing_;
  SynthRequest synth_;
  AdaptiveWish adaptive_;
  bool dry_run_ = false;
  double gain_percent_ = 2;
  ApplyGrammar apply_;
  FleetGrammar fleet_;
  ForwardGrammar forward_;
  RigGrammar rig_;
};

}  // namespace

int run_command_line(int argc, char** argv, std::stop_token stop) {
  return Grammar(std::move(stop)).run(argc, argv);
}

}  // namespace tactelier::cli
