#include "devices/learn/learn.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/framed/frame_finder.hpp"
#include "devices/framed/framed_array.hpp"
#include "devices/framed/text_frames.hpp"
#include "devices/learn/frame_fields.hpp"
#include "devices/learn/shape_guess.hpp"
#include "devices/learn/text_lines.hpp"
#include "libcalib/resources.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 18U;  // more tells nothing new
constexpr double kExplained = 0.9;
constexpr double kLearnedFrom = 2.0 / 3;  // of a capture; the rest is for the trial
constexpr std::size_t kMostOfARow = 64;   // readings in one row of which nobody doubts

std::string hex(const Bytes& bytes) { return fmt::format("{:02X}", fmt::join(bytes, " ")); }

std::string_view name_of(FieldType type) {
  constexpr std::array<std::string_view, 11> kNames{"u8",  "i8",  "u16", "i16", "u24", "i24",
                                                    "u32", "i32", "u64", "f32", "f64"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view name_of(Framing kind) {
  constexpr std::array<std::string_view, 7> kNames{
      "sync_fixed", "sync_length", "terminator_fixed", "hdlc", "slip", "cobs", "text_line"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view endian(bool big) { return big ? "big" : "little"; }

json number_json(const FrameField& field) {
  return {{"offset", field.offset},
          {"type", name_of(field.type)},
          {"endian", endian(field.big_endian)}};
}

struct Trial {
  std::size_t frames = 0;
  double explained = 0;  // share of the bytes, of text of the frames, that is right
};

Trial try_on(const DeviceDescription& device, ByteView capture) {
  Trial trial;
  if (device.frame.kind == Framing::kTextLine) {
    TextFrameFinder finder(device.frame, device.sent() / device.frame.text_rows);
    finder.add(capture);
    while (finder.next()) ++trial.frames;
    const auto all = trial.frames + static_cast<std::size_t>(finder.malformed());
    if (all > 0) trial.explained = static_cast<double>(trial.frames) / static_cast<double>(all);
    return trial;
  }
  std::size_t bytes_in_frames = 0;
  FrameFinder finder(device.frame, device.check);
  finder.add(capture);
  while (const auto frame = finder.next()) {
    if (!decode_frame(device, *frame)) continue;
    ++trial.frames;
    bytes_in_frames += frame->size();
  }
  trial.explained = static_cast<double>(bytes_in_frames) / static_cast<double>(capture.size());
  return trial;
}

/// Bytes at the begin from which is learned: all where there are few.
std::size_t learned_from(ByteView capture) {
  constexpr std::size_t kFew = 1000;
  return capture.size() < kFew
             ? 0
             : static_cast<std::size_t>(kLearnedFrom * static_cast<double>(capture.size()));
}

/// A board whose description is shipped: it knows what no capture shows, such as where a frame
/// without marks begins.
std::optional<Learned> as_shipped(ByteView capture, const LearnOptions& options) {
  constexpr double kAll = 0.97;
  constexpr std::size_t kLeastFrames = 8;
  for (const auto& name : shipped_names("devices")) {
    const auto text = resource(fmt::format("devices/{}.json", name));
    auto device = text ? parse_device_description(*text, name)
                       : Result<DeviceDescription>(fail(ErrorCode::kInvalidInput, "{}", name));
    if (!device) continue;
    if (options.rows && *options.rows != device->shape.rows) continue;
    if (options.columns && *options.columns != device->shape.columns) continue;
    const auto trial = try_on(*device, capture);
    // A frame's begin and end are cut off.
    const double seen = static_cast<double>(trial.frames) / static_cast<double>(trial.frames + 2);
    if (trial.frames < kLeastFrames || trial.explained < kAll * seen) continue;
    Learned learned{std::string(*text), std::move(*device), {}, {}, trial.frames, trial.explained};
    learned.findings.push_back(
        fmt::format("as the shipped description '{}': {}", name, learned.description.source));
    if (learned.description.wrench)
      learned.findings.emplace_back("a force sensor: driver framed-wrench, in the role force");
    if (learned.description.check.check.size() == 0)
      learned.doubts.emplace_back(
          "which board it is: its frames hold no check value, and another board's of the same "
          "length would look alike");
    return learned;
  }
  return {};
}

std::optional<std::size_t> stated_cells(const LearnOptions& options) {
  if (!options.rows && !options.columns) return std::nullopt;
  return static_cast<std::size_t>(options.rows.value_or(1)) *
         static_cast<std::size_t>(options.columns.value_or(1));
}

/// Puts a description together, piece by piece, and says what each piece rests on.
class Learning {
 public:
  /// `capture`: all bytes, of which those learned from are a part.
  Learning(ByteView capture, const LearnOptions& options) : capture_(capture), options_(options) {
    document_ = {{"format", "tactelier/device"},
                 {"version", 1},
                 {"name", options.name},
                 {"source", fmt::format("worked out by 'tactelier devices learn' from {} bytes in "
                                        "{:.3g} s; compare with the board's own documentation",
                                        capture.size(), options.duration_s)}};
    if (options.baud) document_["port"] = {{"baud", *options.baud}};
    if (!options.start.empty()) document_["dialogue"] = {{"start", options.start}};
  }

  Result<Learned> from_text(const TextLines& lines) {
    json frame{{"kind", "text_line"}, {"rows", lines.rows}};
    if (lines.empty_line_ends) frame["empty_line_ends"] = true;
    if (!lines.begin.empty()) frame["begin"] = lines.begin;
    if (!lines.prefix.empty()) frame["prefix"] = lines.prefix;
    if (lines.first_row > 0) frame["first_row"] = lines.first_row;
    if (lines.skip > 0) frame["skip"] = lines.skip;
    if (lines.words) frame["words"] = true;
    if (lines.base != 10) frame["base"] = lines.base;
    if (lines.digits > 0) frame["digits"] = lines.digits;
    document_["frame"] = std::move(frame);
    find(fmt::format("frames: {} line{} of {} number{}{}{}, {}{:.3g} a second", lines.rows,
                     lines.rows > 1 ? "s" : "", lines.numbers - lines.skip,
                     lines.numbers - lines.skip > 1 ? "s" : "",
                     lines.base == 16 ? " of base 16" : "", lines.words ? " among words" : "",
                     lines.empty_line_ends  ? "an empty line between, "
                     : !lines.begin.empty() ? fmt::format("'{}' before each, ", lines.begin)
                     : lines.rows > 1       ? "each line with its number, "
                                            : "",
                     static_cast<double>(lines.frames.size()) / options_.duration_s));
    if (lines.skip > 0)
      find(fmt::format("readings: the first {} numbers of each line only count up, left out",
                       lines.skip));
    ShapeGuess given;
    if (lines.rows > 1)
      given = {static_cast<int>(lines.rows), static_cast<int>(lines.numbers), true};
    shape(lines.frames, lines.rows > 1 ? std::optional(given) : std::nullopt);
    document_["cells"] = shape_json();
    return check_shape(lines.rows * (lines.numbers - lines.skip)).and_then([&] {
      return finish();
    });
  }

  Result<Learned> from_frames(const FrameSplit& split) {
    learned_.doubts = split.doubts;
    json frame{{"kind", name_of(split.kind)}, {"length", split.length}};
    if (!split.sync.empty()) frame["sync"] = hex(split.sync);
    if (split.kind == Framing::kTerminatorFixed) frame["locks_after"] = 3;
    std::size_t header = split.kind == Framing::kTerminatorFixed ? 0 : split.sync.size();
    if (split.kind == Framing::kSyncLength) {
      frame["length_field"] = {{"offset", split.length_offset},
                               {"type", name_of(split.length_type)},
                               {"endian", endian(split.length_big_endian)},
                               {"adds", split.length_adds}};
      header = static_cast<std::size_t>(split.length_offset) + size_of(split.length_type);
    }
    document_["frame"] = std::move(frame);
    const double rate_hz = static_cast<double>(split.frames.size()) / options_.duration_s;
    find(fmt::format("frames: {}{}{} bytes, {:.3g} a second", name_of(split.kind),
                     split.sync.empty() ? " " : fmt::format(", marks {}, ", hex(split.sync)),
                     split.length, rate_hz));
    const auto end = check(split);
    const auto begin = header < end ? counters(split, header, end, 1 / rate_hz) : end;
    if (begin >= end)
      return fail(
          ErrorCode::kProtocol,
          "frames of {} bytes that never change: no readings in them; press the array while "
          "it is listened to",
          split.length);
    const auto count = cells(split, begin, end);
    if (const auto odd = no_array(count); !odd.empty())
      return fail(ErrorCode::kProtocol, "{}", odd);
    return check_shape(count).and_then([&] { return finish(); });
  }

 private:
  void find(std::string text) { learned_.findings.push_back(std::move(text)); }
  void doubt(std::string text) { learned_.doubts.push_back(std::move(text)); }

  /// Where the readings end.
  std::size_t check(const FrameSplit& split) {
    const auto marks = split.kind == Framing::kTerminatorFixed ? split.sync.size() : 0;
    const auto end = split.length - split.trailing_marks - marks;
    const auto found = find_check(split);
    if (!found) {
      find("check: none found");
      return end;
    }
    document_["check"] = {{"kind", found->kind},
                          {"at", found->at},
                          {"from", found->from},
                          {"endian", endian(found->big_endian)}};
    find(fmt::format("check: {} over all from byte {}, {} bytes before the end", found->kind,
                     found->from, -found->at));
    return end - found->size;
  }

  /// Where the readings begin.
  std::size_t counters(const FrameSplit& split, std::size_t begin, std::size_t end,
                       double frame_period_s) {
    const auto number = find_sequence(split, begin, end);
    for (const bool clock : {false, true}) {
      const auto found = clock ? find_clock(split, begin, end, number, frame_period_s) : number;
      if (!found) continue;
      const char* key = clock ? "time" : "sequence";
      document_[key] = number_json(found->field);
      if (clock) document_[key]["unit_s"] = found->unit_s;
      const auto unit = clock ? fmt::format(", counts of {:.6g} ms", 1e3 * found->unit_s) : "";
      const auto order = size_of(found->field.type) == 1
                             ? ""
                             : fmt::format(" {}", endian(found->field.big_endian));
      find(fmt::format("{}: {}{} at byte {}{}", clock ? "clock" : "frame number",
                       name_of(found->field.type), order, found->field.offset, unit));
      if (!found->width_sure)
        doubt("frame number: it did not pass 255 while it was listened to; is it one byte wide?");
      counters_.push_back(found->field);
    }
    std::sort(counters_.begin(), counters_.end(),
              [](const FrameField& a, const FrameField& b) { return a.offset < b.offset; });
    for (const auto& field : counters_) {
      const auto offset = static_cast<std::size_t>(field.offset);
      if (offset > begin + 1) break;  // behind readings: not a header
      if (offset > begin) doubt(fmt::format("byte {}: unknown", begin));
      begin = offset + size_of(field.type);
    }
    return begin;
  }

  /// How many readings there are.
  std::size_t cells(const FrameSplit& split, std::size_t begin, std::size_t end) {
    const auto found = find_cells(split, begin, end);
    if (!found.sure)
      doubt(found.offset > begin
                ? fmt::format("byte {}: unknown, taken for no reading", begin)
                : std::string("type of the readings: they did not change; press the array while "
                              "it is listened to"));
    find(fmt::format("readings: {} of type {}{} from byte {}", found.count, name_of(found.type),
                     size_of(found.type) == 1 ? "" : fmt::format(" {}", endian(found.big_endian)),
                     found.offset));
    std::vector<std::vector<double>> readings;
    for (const auto& frame : split.frames) {
      DeviceDescription plain;
      plain.shape = {1, static_cast<int>(found.count), 1, 0};
      plain.cells.offset = static_cast<int>(found.offset);
      plain.cells.type = found.type;
      plain.cells.big_endian = found.big_endian;
      plain.stride = plain.tactel_stride = size_of(found.type);
      for (std::size_t i = 0; i < found.count; ++i) plain.from.push_back(i);
      if (auto decoded = decode_frame(plain, frame)) readings.push_back(std::move(decoded->counts));
    }
    shape(readings, std::nullopt);
    document_["cells"] = shape_json();
    document_["cells"]["offset"] = found.offset;
    document_["cells"]["type"] = name_of(found.type);
    document_["cells"]["endian"] = endian(found.big_endian);
    return found.count;
  }

  void shape(const std::vector<std::vector<double>>& readings,
             const std::optional<ShapeGuess>& known) {
    const auto count = static_cast<int>(readings.empty() ? 1 : readings.front().size());
    shape_ = known ? *known : readings.empty() ? ShapeGuess{} : guess_shape(readings);
    if (options_.rows && options_.columns) {
      shape_ = {*options_.rows, *options_.columns, true};
    } else if (options_.rows || options_.columns) {
      const int one = options_.rows.value_or(options_.columns.value_or(1));
      shape_ =
          options_.rows ? ShapeGuess{one, count / one, true} : ShapeGuess{count / one, one, true};
    }
    find(fmt::format("shape: {} x {}", shape_.rows, shape_.columns));
    if (!shape_.sure)
      doubt(
          "rows and columns: nothing was pressed that shows them; press here and there while it "
          "is listened to, or give --rows and --columns");
  }

  /// Many readings that fill no rows hold a byte that is none of them.
  std::string no_array(std::size_t count) const {
    if (options_.rows || options_.columns || count < kMostOfARow) return {};
    for (std::size_t rows = 2; rows * rows <= count; ++rows)
      if (count % rows == 0) return {};
    return fmt::format(
        "{} readings a frame make no rows and columns: a byte among them is a mark or a check of "
        "no known kind. Write the description by hand from the board's documentation, or give "
        "--columns {} if they stand in one row",
        count, count);
  }

  json shape_json() const { return {{"rows", shape_.rows}, {"columns", shape_.columns}}; }

  Result<void> check_shape(std::size_t count) const {
    if (shape_.rows * shape_.columns == static_cast<int>(count)) return {};
    return fail(ErrorCode::kUsage, "a frame holds {} readings, not {} x {}", count, shape_.rows,
                shape_.columns);
  }

  /// Reads the capture with what was learned: the test of it all.
  Result<Learned> finish() {
    learned_.document = document_.dump(2) + "\n";
    auto description = parse_device_description(learned_.document, "learned");
    if (!description)
      return fail(ErrorCode::kProtocol,
                  "no description fits these bytes ({}); is the baud rate "
                  "right?",
                  description.error().message);
    learned_.description = std::move(*description);
    const auto whole = try_on(learned_.description, capture_);
    learned_.frames = whole.frames;
    learned_.explained = whole.explained;
    // Marks that are data, a length by chance: what was not listened to for them tells.
    const auto rest = try_on(learned_.description, capture_.subspan(learned_from(capture_)));
    if (rest.explained < kExplained)
      return fail(ErrorCode::kProtocol,
                  "no description fits all these bytes: what the first two thirds showed ({}) "
                  "finds {:.0f} % of the rest in frames; is the baud rate right, does the board "
                  "send frames of several kinds? Listen longer (--seconds)",
                  learned_.findings.empty() ? "" : learned_.findings.front(), 100 * rest.explained);
    return std::move(learned_);
  }

  ByteView capture_;
  const LearnOptions& options_;
  json document_;
  Learned learned_;
  ShapeGuess shape_;
  std::vector<FrameField> counters_;
};

}  // namespace

Result<Learned> learn_frames(ByteView capture, const LearnOptions& options) {
  if (capture.empty())
    return fail(ErrorCode::kTimeout,
                "no bytes within {:.3g} s; does the board wait for a start command (--send)?",
                options.duration_s);
  auto shortened = options;
  if (capture.size() > kMaxBytes) {
    shortened.duration_s *= static_cast<double>(kMaxBytes) / static_cast<double>(capture.size());
    capture = capture.first(kMaxBytes);
  }
  if (auto known = as_shipped(capture, shortened)) return std::move(*known);
  auto shown = capture.first(learned_from(capture) > 0 ? learned_from(capture) : capture.size());
  auto of_shown = shortened;
  of_shown.duration_s *= static_cast<double>(shown.size()) / static_cast<double>(capture.size());
  if (is_text(capture))
    return find_text_lines(shown, stated_cells(options)).and_then([&](const TextLines& lines) {
      return Learning(capture, of_shown).from_text(lines);
    });
  if (const auto split = split_frames(shown))
    return Learning(capture, of_shown).from_frames(*split);
  return fail(ErrorCode::kProtocol,
              "{} bytes, but nothing in them repeats like frames; is the baud rate right, and did "
              "the board send long enough?",
              capture.size());
}

}  // namespace tactelier::devices
