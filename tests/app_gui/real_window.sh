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
    QT_QPA_PLATFORM=xcb xvfb-run -a -s '-screen 0 1440x900x24' "$0" "$1" inside
  status=$?
  rm -rf "$home"
  exit $status
fi

"$1" 2>"$HOME/stderr" &
app=$!
deadline=$(($(date +%s) + 60))
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
