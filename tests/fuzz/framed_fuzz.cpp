// Streams of every shipped board: the first byte chooses which.
#include <algorithm>
#include <array>
#include "devices/framed/frame_finder.hpp"
#include "devices/framed/text_frames.hpp"
#include "devices/framed/framed_array.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  static const std::array kBoards{load_device_description("myrmex-16x16").value(),
                                  load_device_description("piezoresistive-16x16").value(),
                                  load_device_description("reskin-5").value(),
                                  load_device_description("touch-detect-6x6").value(),
                                  load_device_description("flexitac-12x32").value(),
                                  load_device_description("bota-serial").value(),
                                  load_device_description("robotiq-ft300").value(),
                                  load_device_description("resense-hex").value()};
  if (size == 0) return 0;
  const auto& board = kBoards[data[0] % kBoards.size()];
  if (board.frame.kind == Framing::kTextLine) {
    TextFrameFinder text(board.frame, board.sent() / board.frame.text_rows);
    text.add(bytes.subspan(1));
    while (text.next()) continue;
    return 0;
  }
  FrameFinder finder(board.frame, board.check);
  for (auto rest = bytes.subspan(1); board.frame.kind == Framing::kAnswer && !rest.empty();) {
    const auto piece = rest.first(std::min<std::size_t>(rest.size(), 26 + rest[0] % 4));
    rest = rest.subspan(piece.size());
    finder.add(piece);
    finder.end_answer();
    while (const auto frame = finder.next()) (void)decode_frame(board, *frame);
  }
  finder.add(bytes.subspan(1));
  while (const auto frame = finder.next()) (void)decode_frame(board, *frame);
  return 0;
}
