#include "devices/learn/frame_split.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "devices/framed/frame_finder.hpp"
#include "devices/learn/frame_fields.hpp"
#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kFewest = 8;  // repetitions that aren't chance
constexpr std::size_t kShortest = 4;
constexpr std::size_t kMaxPairs = 200;
constexpr std::size_t kMaxRivals = 5;
constexpr double kRegular = 0.8;  // of the gaps between true marks: data may look like marks
constexpr double kAlways = 0.98;
constexpr double kClearly = 0.02;
constexpr double kConstant = 0.99;   // of the frames, where some are damaged
constexpr int kFarthestLength = 16;  // a length field stands near the begin

using Positions = std::vector<std::size_t>;

const Bytes kLineEnd{0x0D, 0x0A};

std::size_t most_frequent(const std::map<std::size_t, std::size_t>& counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Where each pair of bytes occurs that occurs often enough.
std::vector<Positions> frequent_pairs(ByteView bytes) {
  std::vector<std::uint64_t> all;  // pair, then place: sorted as pairs are, places in order
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
    all.push_back(std::uint64_t{read_be<std::uint16_t>(bytes, i)} << 32U | i);
  std::sort(all.begin(), all.end());
  std::vector<Positions> places;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end] >> 32U == all[begin] >> 32U) ++end;
    if (end - begin < kFewest || end - begin > bytes.size() / kShortest) continue;
    auto& at = places.emplace_back();
    for (std::size_t i = begin; i < end; ++i) at.push_back(all[i] & 0xFFFFFFFFU);
  }
  return places;
}

struct Gap {
  std::size_t length = 0;
  std::size_t times = 0;
};

/// The gap that repeats, when nearly all do.
std::optional<Gap> regular_gap(const Positions& at) {
  std::map<std::size_t, std::size_t> gaps;
  for (std::size_t i = 1; i < at.size(); ++i) ++gaps[at[i] - at[i - 1]];
  const Gap gap{most_frequent(gaps), gaps[most_frequent(gaps)]};
  const auto share = static_cast<double>(gap.times) / static_cast<double>(at.size() - 1);
  return gap.length >= kShortest && share >= kRegular ? std::optional(gap) : std::nullopt;
}

/// Frames of that length that begin at the marks and are followed by marks.
std::vector<Bytes> cut(ByteView bytes, const Positions& at, std::size_t length) {
  std::vector<Bytes> frames;
  for (std::size_t i = 0; i + 1 < at.size(); ++i)
    if (at[i + 1] - at[i] == length)
      frames.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at[i]),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at[i + 1]));
  return frames;
}

/// For each byte of a frame its value where it never changes.
std::vector<std::optional<std::uint8_t>> constant_bytes(const std::vector<Bytes>& frames) {
  std::vector<std::optional<std::uint8_t>> constant(frames.front().size());
  for (std::size_t column = 0; column < constant.size(); ++column) {
    std::array<std::size_t, 256> counts{};
    for (const auto& frame : frames) ++counts[frame[column]];
    const auto most = std::max_element(counts.begin(), counts.end());
    if (static_cast<double>(*most) >= kConstant * static_cast<double>(frames.size()))
      constant[column] = static_cast<std::uint8_t>(most - counts.begin());
  }
  return constant;
}

struct Run {
  std::size_t begin = 0;  // in the frame, which goes round
  Bytes bytes;
};

/// How much a run looks like marks: zeros and small numbers also fill resting readings.
int marked_ness(const Bytes& run) {
  constexpr int kAboveAll = 1000;  // a line end at a fixed distance is no reading
  int score = std::search(run.begin(), run.end(), kLineEnd.begin(), kLineEnd.end()) == run.end()
                  ? 0
                  : kAboveAll;
  for (const auto byte : run) score += byte == 0 ? 0 : byte >= 0x20 ? 3 : 1;
  return score;
}

/// Runs of constant bytes, zeros at their ends taken off; the most mark-like first.
std::vector<Run> constant_runs(const std::vector<std::optional<std::uint8_t>>& constant) {
  const auto length = constant.size();
  std::size_t begin = 0;  // behind a byte that changes
  while (begin < length && constant[begin]) ++begin;
  std::vector<Run> runs;
  Run run;
  for (std::size_t i = 1; i <= length; ++i) {
    const auto column = (begin + i) % length;
    if (constant[column] && i < length) {
      if (run.bytes.empty()) run.begin = column;
      run.bytes.push_back(*constant[column]);
      continue;
    }
    while (!run.bytes.empty() && run.bytes.back() == 0) run.bytes.pop_back();
    while (!run.bytes.empty() && run.bytes.front() == 0) {
      run.bytes.erase(run.bytes.begin());
      run.begin = (run.begin + 1) % length;
    }
    if (run.bytes.size() >= 2) runs.push_back(run);
    run = {};
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return marked_ness(a.bytes) > marked_ness(b.bytes);
  });
  return runs;
}

/// Marks at the begin, or a line end at the end, or both: frames begin behind a line end.
void place_marks(FrameSplit& split, const Run& run, std::size_t& shift) {
  split.sync = run.bytes;
  shift = run.begin;
  const auto end =
      std::search(run.bytes.begin(), run.bytes.end(), kLineEnd.begin(), kLineEnd.end());
  if (end == run.bytes.end()) return;
  const auto behind = static_cast<std::size_t>(end - run.bytes.begin()) + kLineEnd.size();
  shift = (run.begin + behind) % split.length;
  if (behind == run.bytes.size()) {
    split.kind = Framing::kTerminatorFixed;
    split.sync = kLineEnd;
    return;
  }
  split.sync.assign(run.bytes.begin() + static_cast<std::ptrdiff_t>(behind), run.bytes.end());
  split.trailing_marks = kLineEnd.size();
}

/// Frames that begin behind these marks.
FrameSplit begun_at(const Run& run, ByteView bytes, const Positions& at, std::size_t length) {
  FrameSplit split;
  split.kind = Framing::kSyncFixed;
  split.length = length;
  std::size_t shift = 0;
  place_marks(split, run, shift);
  Positions begins;
  for (const auto place : at)
    if (place + shift < bytes.size()) begins.push_back(place + shift);
  split.frames = cut(bytes, begins, length);
  // Behind a line end: what rests there is the first reading where all of the frame are floats.
  if (split.trailing_marks > 0 && !split.frames.empty() &&
      floats_fill(split, 0, length - split.trailing_marks)) {
    split.kind = Framing::kTerminatorFixed;
    split.sync = kLineEnd;
    split.trailing_marks = 0;
  }
  return split;
}

/// How much comes out of frames that begin there: a check value, floats all over.
int sense_of(const FrameSplit& split) {
  constexpr std::size_t kLongestHeader = 8;
  if (find_check(split)) return 2;
  const bool terminated = split.kind == Framing::kTerminatorFixed;
  const auto begin = terminated ? 0 : split.sync.size();
  const auto end = split.length - split.trailing_marks - (terminated ? split.sync.size() : 0);
  for (std::size_t header = 0; header <= kLongestHeader; ++header)
    for (const std::size_t tail : {0U, 1U, 2U, 4U})
      if (begin + header + tail + 4 <= end && floats_fill(split, begin + header, end - tail))
        return 1;
  return 0;
}

std::optional<FrameSplit> with_fixed_length(ByteView bytes, const std::vector<Positions>& pairs) {
  const Positions* best = nullptr;
  std::size_t length = 0;
  for (const auto& at : pairs) {
    const auto gap = regular_gap(at);
    if (!gap || (best != nullptr && at.size() * gap->length <= best->size() * length)) continue;
    best = &at;
    length = gap->length;
  }
  // Of those as far apart the one that stands nowhere else: a reading may be frequent, too.
  std::size_t times = 0;
  for (const auto& at : pairs) {
    const auto gap = regular_gap(at);
    if (!gap || gap->length != length || gap->times <= times) continue;
    best = &at;
    times = gap->times;
  }
  if (best == nullptr || best->size() * length < bytes.size() / 2) return std::nullopt;
  const auto rough = cut(bytes, *best, length);
  if (rough.size() < kFewest) return std::nullopt;
  auto runs = constant_runs(constant_bytes(rough));
  if (runs.empty()) return std::nullopt;
  // Others that look nearly as much like marks may be the upper bytes of readings at rest.
  while (runs.size() > kMaxRivals ||
         (runs.size() > 1 && 2 * marked_ness(runs.back().bytes) <= marked_ness(runs[0].bytes)))
    runs.pop_back();
  std::optional<FrameSplit> most;
  int most_sense = -1, next_sense = -1;
  for (const auto& run : runs) {
    auto split = begun_at(run, bytes, *best, length);
    if (split.frames.size() < kFewest) continue;
    const int sense = runs.size() > 1 ? sense_of(split) : 0;
    if (sense > most_sense) {
      next_sense = std::exchange(most_sense, sense);
      most = std::move(split);
    } else {
      next_sense = std::max(next_sense, sense);
    }
  }
  if (!most) return std::nullopt;
  most->regular = static_cast<double>(rough.size()) / static_cast<double>(best->size() - 1);
  if (next_sense == most_sense)
    most->doubts.emplace_back(
        "where a frame begins: other bytes never changed either; press the array while it is "
        "listened to");
  return most;
}

std::optional<std::size_t> field_at(ByteView bytes, std::size_t at, FieldType type, bool big) {
  if (at + size_of(type) > bytes.size()) return std::nullopt;
  if (type == FieldType::kU8) return bytes[at];
  return big ? read_be<std::uint16_t>(bytes, at) : read_le<std::uint16_t>(bytes, at);
}

struct LengthField {
  int offset = 0;
  FieldType type{};
  bool big = false;
  std::size_t adds = 0;
  std::size_t right = 0;  // gaps that it explains
};

LengthField explain_gaps(ByteView bytes, const Positions& at, LengthField field) {
  std::map<std::size_t, std::size_t> adds;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const auto stated =
        field_at(bytes, at[i] + static_cast<std::size_t>(field.offset), field.type, field.big);
    const auto gap = at[i + 1] - at[i];
    if (stated && *stated > 0 && *stated <= gap && gap - *stated < 32) ++adds[gap - *stated];
  }
  if (adds.empty()) return field;
  field.adds = most_frequent(adds);
  field.right = adds[field.adds];
  return field;
}

LengthField best_length_field(ByteView bytes, const Positions& at) {
  LengthField best;
  for (int offset = 2; offset < kFarthestLength; ++offset)
    for (const auto& [type, big] :
         {std::pair{FieldType::kU8, false}, {FieldType::kU16, false}, {FieldType::kU16, true}}) {
      const auto tried = explain_gaps(bytes, at, {offset, type, big, 0, 0});
      // A wider field explains as much only when its other byte takes part.
      if (tried.right > best.right) best = tried;
    }
  return best;
}

std::optional<FrameSplit> with_stated_length(ByteView bytes, std::vector<Positions> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  if (pairs.size() > kMaxPairs) pairs.resize(kMaxPairs);
  const Positions* best = nullptr;
  LengthField field;
  double best_share = 0;
  for (const auto& at : pairs) {
    const auto tried = best_length_field(bytes, at);
    const double share = static_cast<double>(tried.right) / static_cast<double>(at.size() - 1);
    if (tried.right < kFewest || share < kRegular || share <= best_share) continue;
    best = &at;
    field = tried;
    best_share = share;
  }
  if (best == nullptr) return std::nullopt;
  std::map<std::size_t, std::size_t> lengths;
  for (std::size_t i = 1; i < best->size(); ++i) ++lengths[(*best)[i] - (*best)[i - 1]];
  FrameSplit split;
  split.kind = Framing::kSyncLength;
  split.length = most_frequent(lengths);
  split.regular = best_share;
  split.length_offset = field.offset;
  split.length_type = field.type;
  split.length_big_endian = field.big;
  split.length_adds = field.adds;
  split.frames = cut(bytes, *best, split.length);
  const auto field_end = static_cast<std::size_t>(field.offset) + size_of(field.type);
  if (split.frames.size() < kFewest / 2 || split.length < field_end) return std::nullopt;
  const auto constant = constant_bytes(split.frames);
  for (std::size_t i = 0; i < static_cast<std::size_t>(field.offset) && constant[i]; ++i)
    split.sync.push_back(*constant[i]);
  return split;
}

std::optional<FrameSplit> with_escapes(ByteView bytes, Framing kind, std::uint8_t delimiter,
                                       std::optional<Bytes> (*unescape)(ByteView)) {
  std::map<std::size_t, std::size_t> lengths;
  std::vector<Bytes> pieces;
  std::size_t whole = 0, begin = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != delimiter) continue;
    if (i > begin) {
      ++whole;
      auto piece = unescape(bytes.subspan(begin, i - begin));
      if (piece && piece->size() >= kShortest) {
        ++lengths[piece->size()];
        pieces.push_back(std::move(*piece));
      }
    }
    begin = i + 1;
  }
  if (lengths.empty()) return std::nullopt;
  FrameSplit split;
  split.kind = kind;
  split.length = most_frequent(lengths);
  if (lengths[split.length] < kFewest ||
      static_cast<double>(lengths[split.length]) < 0.9 * static_cast<double>(whole - 1))
    return std::nullopt;
  std::erase_if(pieces, [&](const Bytes& piece) { return piece.size() != split.length; });
  split.frames = std::move(pieces);
  return split;
}

}  // namespace

std::optional<FrameSplit> split_frames(ByteView capture) {
  if (auto hdlc = with_escapes(capture, Framing::kHdlc, 0x7E, unescape_hdlc)) return hdlc;
  if (auto slip = with_escapes(capture, Framing::kSlip, 0xC0, unescape_slip)) return slip;
  if (auto cobs = with_escapes(capture, Framing::kCobs, 0x00, unescape_cobs)) return cobs;
  const auto pairs = frequent_pairs(capture);
  auto fixed = with_fixed_length(capture, pairs);
  if (fixed && fixed->regular > kAlways) return fixed;
  auto stated = with_stated_length(capture, pairs);
  return stated && (!fixed || stated->regular > fixed->regular + kClearly) ? stated : fixed;
}

}  // namespace tactelier::devices
