#!/bin/sh
# real_window.sh APP: starts the program on an X server of its own. Passes once its window is on the
# screen with nothing said on standard error; 77 (skipped) where there is no X server.
set -u
for tool in xvfb-run xauth xwininfo; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done

if [ "${2:-}" != inside ]; then
  home=$(mktemp -d)
  chmod 700 "$home"
  HOME=$home XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home \
    QT_QPA_PLATFORM=xcb xvfb-run -a -s '-screen 0 1440x900x24 -noreset' "$0" "$1" inside
  status=$?
  rm -rf "$home"
  exit $status
fi

# xvfb-run may hand over before the server takes connections; -noreset, or it starts anew each time
# that xwininfo goes away.
deadline=$(($(date +%s) + 60))
until xwininfo -root >/dev/null 2>&1; do
  [ "$(date +%s)" -lt "$deadline" ] || { echo "no X server within 60 s"; exit 1; }
done
"$1" 2>"$HOME/stderr" &
app=$!
until xwininfo -name Tactelier 2>/dev/null | grep -q IsViewable; do
  kill -0 "$app" 2>/dev/null || { echo "it ended without a window"; cat "$HOME/stderr"; exit 1; }
  [ "$(date +%s)" -lt "$deadline" ] || { echo "no window within 60 s"; kill "$app"; exit 1; }
done
kill "$app"
wait "$app" 2>/dev/null
if [ -s "$HOME/stderr" ]; then
  echo "it complained:"
  cat "$HOME/stderr"
  exit 1
fi
