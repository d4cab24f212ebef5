#include "devices/rig/rig_client.hpp"

#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr Timeout kReply{10000};
constexpr Timeout kNews{200};

ErrorCode code_of(std::string_view word) {
  if (word == "usage") return ErrorCode::kUsage;
  if (word == "invalid-input") return ErrorCode::kInvalidInput;
  if (word == "damaged") return ErrorCode::kDamaged;
  if (word == "io") return ErrorCode::kIo;
  if (word == "timeout") return ErrorCode::kTimeout;
  if (word == "protocol") return ErrorCode::kProtocol;
  if (word == "unidentifiable") return ErrorCode::kUnidentifiable;
  if (word == "cancelled") return ErrorCode::kCancelled;
  return ErrorCode::kDeviceFault;
}

tl::unexpected<Error> failure_in(const json& reply) {
  const auto& error = reply["error"];
  return fail(Error{code_of(error.value("code", "")), error.value("text", "")});
}

}  // namespace

Result<RigClient> RigClient::connect(const std::filesystem::path& socket) {
  return connect_socket(socket).map(
      [](devices::Descriptor descriptor) { return RigClient(std::move(descriptor)); });
}

Result<json> RigClient::ask(const json& request) {
  if (auto sent = lines_->write(request); !sent) return fail(sent.error());
  while (true) {
    auto reply = lines_->read(kReply);
    if (!reply) return reply;
    if (reply->contains("news")) continue;
    if (reply->contains("error")) return failure_in(*reply);
    return reply->contains("result") ? (*reply)["result"] : *reply;
  }
}

Result<json> RigClient::follow(const json& request, const Follow& follow, Warnings& warnings) {
  if (auto begun = ask(request); !begun) return begun;
  bool cancelled = false;
  while (true) {
    if (!cancelled && follow.stopped && follow.stopped()) {
      cancelled = true;
      if (auto told = lines_->write({{"do", "cancel"}}); !told) return fail(told.error());
    }
    const auto news = lines_->read(kNews);
    if (!news && news.error().code == ErrorCode::kTimeout) continue;
    if (!news) return fail(news.error());
    const auto word = get_text(*news, "news");
    if (word == "progress" && follow.on_progress)
      follow.on_progress(get_text(*news, "what"), news->value("done", 0.0),
                         news->value("total", 0.0), news->value("detail", ""));
    if (word == "question") {
      if (!follow.on_question) return fail(ErrorCode::kUsage, "{}", news->value("text", ""));
      const auto answer =
          follow.on_question(news->value("text", ""), news->value("answer_key", ""));
      json reply{{"do", "answer"}};
      if (answer && *answer) reply["value"] = **answer;
      if (!answer) reply = {{"do", "cancel"}};
      if (auto told = lines_->write(reply); !told) return fail(told.error());
    }
    if (word != "done" && word != "failed") continue;
    for (const auto& warning : news->value("warnings", json::array()))
      warnings.push_back(
          {warning.value("code", ""), warning.value("text", ""), warning.value("where", "")});
    if (word == "failed") return failure_in(*news);
    return news->value("result", json::object());
  }
}

}  // namespace tactelier::rig
