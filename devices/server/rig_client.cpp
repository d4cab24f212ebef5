#include "devices/server/rig_client.hpp"

#include "devices/server/rig_request.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr Timeout kReply{10000};
constexpr Timeout kNews{200};

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
    if (reply->contains("news")) {
      kept_.push_back(std::move(*reply));
      continue;
    }
    if (reply->contains("error")) return fail(error_in(*reply));
    return reply->contains("result") ? (*reply)["result"] : *reply;
  }
}

Result<json> RigClient::next(Timeout timeout) {
  if (kept_.empty()) return lines_->read(timeout);
  auto news = std::move(kept_.front());
  kept_.pop_front();
  return news;
}

Result<json> RigClient::follow(const json& request, const Follow& follow, Warnings& warnings) {
  const auto begun = ask(request);
  if (!begun) return begun;
  const auto task = get_int(*begun, "task");
  bool cancelled = false;
  while (true) {
    if (!cancelled && follow.stopped && follow.stopped()) {
      cancelled = true;
      if (auto told = lines_->write({{"do", "cancel"}}); !told) return fail(told.error());
    }
    const auto news = next(kNews);
    if (!news && news.error().code == ErrorCode::kTimeout) continue;
    if (!news) return fail(news.error());
    if (get_int(*news, "task") != task) continue;  // an answer, or an earlier task's end
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
    if (word == "failed") return fail(error_in(*news));
    return news->value("result", json::object());
  }
}

}  // namespace tactelier::rig
