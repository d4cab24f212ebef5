#pragma once
// Samples of the simulated devices as a recording holds them: device integers with their scale, in
// chunks of about 100 ms.

#include <vector>

#include "libcalib/pad/pad.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier::synth {

class RecordedStreams {
 public:
  /// `own_clocks`: force and readings are stamped by their devices and carry the host's time of
  /// arrival beside; the stage is polled, so the host stamps it. `rounded`: readings are whole
  /// counts, else thousandths.
  RecordedStreams(int tactels, bool own_clocks, bool rounded, bool temperature);

  std::vector<StreamInfo> infos() const;
  /// Appends what is in `output`, each stream as one chunk; nothing for streams without samples.
  Result<void> write(const pad::PadOutput& output, SessionWriter& writer) const;

 private:
  StreamChunk force_chunk(const pad::PadOutput& output) const;
  StreamChunk stage_chunk(const pad::PadOutput& output) const;
  StreamChunk tactile_chunk(const pad::PadOutput& output) const;
  StreamChunk aux_chunk(const pad::PadOutput& output) const;

  std::size_t tactels_;
  bool own_clocks_;
  bool rounded_;
  bool temperature_;
};

}  // namespace tactelier::synth
