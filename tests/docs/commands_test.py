#!/usr/bin/python3
"""Every command of README.md and docs/ runs as it is written.

usage: commands_test.py TACTELIER SOURCE_FOLDER [PAGE...]

Blocks marked ```sh run in the order of their page, in a folder of the page's own where data/ lies,
with tactelier on the path and nobody typing. A block marked ```text is what the ```sh block before
it prints: `…` stands for anything within a line, a line of it alone for any lines. Of one marked
```like each line is printed, in this order, whatever its numbers and the lines in between are: what
comes from a rig is never twice the same. What a reader has by then (a recording of monday) is named in a comment before the block, and a block that can't
run here says why:

    <!-- test: has monday.tact wts.json=whole.json -->
    <!-- test: run sleep 1 -->
    <!-- test: exit 5 -->
    <!-- test: not run: needs Gazebo -->

A command in a block without ```sh, and a quoted one whose options --help doesn't know, fail.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

# What pages take for granted: what it is made of, and the commands. Each is made once, when first
# asked for, all in one folder.
SYNTH = "tactelier synth -q --protocol"
MADE = {
    "monday.tact": ("", f"{SYNTH} quick --seed 7 -o monday.tact"),
    "table.csv": ("", "cp data/examples/fluid-taxel/oil.csv table.csv"),
    "monday": ("monday.tact", "tactelier unpack monday.tact monday -q"),
    "tuesday.tact": ("monday.tact", f"{SYNTH} check --truth monday.truth.json --seed 8 -o tuesday.tact"),
    "other.tact": ("", f"{SYNTH} quick --seed 9 -o other.tact"),
    "shapes.tact": ("monday.tact", f"{SYNTH} images --truth monday.truth.json --seed 8 -o shapes.tact"),
    "friction.tact": ("monday.tact", f"{SYNTH} p9 --truth monday.truth.json --seed 8 -o friction.tact"),
    "wts.json": ("monday.tact", "tactelier fit -q monday.tact -o wts.json"),
    # All that simulators ask for, of 4 x 4 tactels: here the simulated pad itself.
    "whole.json": ("", f"""cat > small.json <<'END'
{{"format": "tactelier/sensor", "version": 1, "vendor": "ACME", "model": "Skin 4x4", "rows": 4,
 "columns": 4, "pitch_x_mm": 4, "pitch_y_mm": 4, "adc": {{"bits": 12, "min": 0, "max": 4095}},
 "thickness_mm": 2.5, "source": "example"}}
END
{SYNTH} p0 --sensor small.json --seed 3 -o small.tact
python3 -c "
import json
model = json.load(open('small.truth.json'))
def assumed(value, unit): return {{'value': value, 'unit': unit, 'status': 'assumed', 'from': 'example'}}
model['damping']['c_n'] = assumed(20, 'N*s/m')
model['friction'].update(mu_s=assumed(0.6, ''), mu_d=assumed(0.4, ''))
json.dump(model, open('whole.json', 'w'))" """),
    # The pad of monday with friction.
    "rubbing.json": ("monday.tact", """python3 -c "
import json
model = json.load(open('monday.truth.json'))
def assumed(value, unit): return {'value': value, 'unit': unit, 'status': 'assumed', 'from': 'example'}
model['damping']['c_n'] = assumed(20, 'N*s/m')
model['friction'].update(mu_s=assumed(0.6, ''), mu_d=assumed(0.4, ''), v_s=assumed(4e-3, 'm/s'),
    sigma0=assumed(1000, 'N/m'), sigma1=assumed(1, 'N*s/m'), c_t=assumed(0.1, 'N*s/m'))
json.dump(model, open('rubbing.json', 'w'))" """),
    "images.tact": ("whole.json", f"""cat > one.json <<'END'
{{"format": "tactelier/protocol", "version": 1, "name": "one", "description": "A disc laid on.",
 "indenter": {{"id": "pin", "shape": "cylinder", "diameter_mm": 1}},
 "steps": [{{"do": "zero", "time_s": 5}}, {{"do": "images", "masses_g": [100, 500], "dwell_s": 6,
  "indenters": [{{"id": "disc", "shape": "cylinder", "diameter_mm": 8}}]}}, {{"do": "zero", "time_s": 5}}]}}
END
        {SYNTH} one.json --truth whole.json -o images.tact"""),
    "poses.csv": ("", "printf 'x_mm,y_mm,force_N,indenter\\n"
                      "0,0,1,\"{\"\"shape\"\": \"\"cylinder\"\", \"\"diameter_mm\"\": 10}\"\\n"
                      "1,0,1,\"{\"\"shape\"\": \"\"cylinder\"\", \"\"diameter_mm\"\": 10}\"\\n"
                      "2,0,1,\"{\"\"shape\"\": \"\"cylinder\"\", \"\"diameter_mm\"\": 10}\"\\n' > poses.csv"),
    # Nine sensors of a fleet, and one to be judged.
    "fleet.sqlite": ("", f"""mkdir fleet truths; for s in $(seq 9); do
        {SYNTH} study --seed $s --write-truth truths/S$s.json -o fleet/S$s.tact; done
        tactelier batch plan fleet -o fleet.json -q; tactelier batch run fleet.json -q
        cp fleet.results/catalogue.sqlite fleet.sqlite"""),
    "new.json": ("fleet.sqlite", "cp $(ls fleet.results/*/model.json | head -1) new.json"),
    # Two operators, two sensors, twice each.
    "study": ("fleet.sqlite", f"""mkdir study; n=100; for s in 1 2; do for who in anna ben; do
        for again in 1 2; do n=$((n + 1)); {SYNTH} study --truth truths/S$s.json --seed $n -o $n.tact
        tactelier unpack $n.tact plain$n -q
        sed -i 's/"sensor_serial": *"[^"]*"/"sensor_serial": "S'$s'", "operator": "'$who'"/' plain$n/session.json
        tactelier import plain$n -o study/S$s-$who-$again.tact -q; done; done; done"""),
}
COMMAND = re.compile(r"^\s*(?:\$ )?(?:sudo |eval .*)?(?:tactelier(?:-app)?|scripts/[a-z-]+|apt(?:-get)?|cmake|ctest"
                     r"|gz|sbatch|ros2|python3?) [\w./-]")
FENCE = re.compile(r"^```(\w*)$")
NOTE = re.compile(r"^<!-- test: (has|run|exit|not run:) (.+) -->$")
QUOTED = re.compile(r"`tactelier ([^`\n]*)`")


class Block:
    def __init__(self, kind, line):
        self.kind, self.line, self.text, self.notes, self.prints = kind, line, "", [], []


def blocks_of(text):
    """The fenced blocks of a page, each with the notes before it; and what is wrong with them."""
    blocks, problems, notes, block = [], [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if fence := FENCE.match(line.strip()):
            if block is None:
                block = Block(fence[1], number)
                block.notes, notes = notes, []
            else:
                if block.kind in ("text", "like"):
                    if blocks and blocks[-1].kind == "sh":
                        blocks[-1].prints.append(block)
                    else:
                        problems.append(f"{block.line}: output of no command")
                else:
                    blocks.append(block)
                block = None
        elif block is not None:
            block.text += line + "\n"
            if block.kind == "" and COMMAND.match(line):
                problems.append(f"{number}: a command in a block that is not ```sh: {line.strip()}")
        elif note := NOTE.match(line):
            notes.append((note[1], note[2]))
        elif line.startswith("<!-- test"):
            problems.append(f"{number}: not understood: {line}")
        elif line.startswith("    ") and COMMAND.match(line):
            problems.append(f"{number}: a command in a block that is not ```sh: {line.strip()}")
    return blocks, problems


def as_pattern(shown):
    """What a page shows as an expression: lines one after the other, … for what may differ."""
    parts = []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split("…"))
                         + r"[ \t]*\n")
    return "".join(parts)


def words_of(line):
    """A line without its numbers; those of a code (ST-05) stay."""
    return re.sub(r"[#\s─-]+", " ", re.sub(r"(?<![\w-])[-−+]?\d[\d.]*(e[-+]?\d+)?", "#", line)).strip()


def not_printed(block, printed):
    """What of a block that shows output is not in it; "" where all is."""
    if block.kind == "text":
        return "" if re.fullmatch(as_pattern(block.text), printed) else f"{block.text}but\n{printed}"
    lines = iter([words_of(line) for line in printed.splitlines()])
    for line in block.text.splitlines():
        wanted = ".*".join(re.escape(part) for part in words_of(line).split("…"))
        if not any(re.fullmatch(wanted, said) for said in lines):
            instead = [said for said in printed.splitlines() if said.split()[:1] == line.split()[:1]]
            return "\n".join([line, "but", *instead]) if instead else line
    return ""


class Runner:
    def __init__(self, tactelier, source, folder):
        self.source, self.folder = source, folder
        (folder / "bin").mkdir()
        (folder / "bin/tactelier").symlink_to(tactelier)
        (folder / "made").mkdir()
        (folder / "made/data").symlink_to(source / "data")
        self.lock, self.options = threading.Lock(), {}

    def sh(self, folder, commands, seconds=240):
        """Runs commands in `folder`; exit status and what was printed. What they leave running is
        of the folder's own session and ends with it."""
        (folder / ".block").write_text(commands)
        runtime = folder / ".runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        environment = {**os.environ, "PATH": f"{self.folder}/bin:/usr/bin:{os.environ['PATH']}",
                       "HOME": str(folder), "XDG_RUNTIME_DIR": str(runtime), "LC_ALL": "C.UTF-8"}
        with open(folder / ".printed", "w+", encoding="utf-8") as printed:
            process = subprocess.Popen(["bash", "-e", ".block"], cwd=folder, env=environment,
                                       stdin=subprocess.DEVNULL, stdout=printed,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                status = f"nothing after {seconds} s"
            printed.seek(0)
            return status, printed.read(), process.pid

    def make(self, name):
        needs, commands = MADE[name]
        for needed in needs.split():
            self.make(needed)
        with self.lock:
            made = self.folder / "made" / name
            if not made.exists():
                status, printed, _ = self.sh(made.parent, commands)
                assert status == 0 and made.exists(), f"{commands}: {status}\n{printed}"
            return made

    def has(self, folder, words):
        """Copies what a page takes for granted; it may be called otherwise: wts.json=whole.json."""
        for word in words.split():
            name, _, source = word.partition("=")
            made, copy = self.make(source or name), folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if made.is_dir() else shutil.copy)(made, copy)

    def page(self, page):
        """Problems of a page and the reasons of what was not run."""
        name = page.relative_to(self.source).as_posix()
        text = page.read_text(encoding="utf-8")
        blocks, problems = blocks_of(text)
        problems = [f"{name}:{problem}" for problem in problems]
        problems += [f"{name}: {problem}" for problem in self.unknown_options(text)]
        folder = self.folder / name.replace("/", "-")
        folder.mkdir()
        (folder / "data").symlink_to(self.source / "data")
        skipped, sessions = [], []
        for block in blocks:
            if block.kind == "python":
                try:
                    compile(block.text, name, "exec")
                except SyntaxError as error:
                    problems.append(f"{name}:{block.line}: {error}")
            if block.kind == "json" and block.text.startswith("{"):
                try:
                    json.loads(block.text)
                except ValueError as error:
                    problems.append(f"{name}:{block.line}: {error}")
            if block.kind != "sh":
                continue
            reasons = [words for what, words in block.notes if what == "not run:"]
            if reasons:
                skipped.append(f"{name}:{block.line}: {reasons[0]}")
                continue
            try:
                for what, words in block.notes:
                    if what == "has":
                        self.has(folder, words)
                    elif what == "run":
                        status, printed, session = self.sh(folder, words)
                        sessions.append(session)
                        assert status == 0, f"{words}: {status}\n{printed}"
            except (AssertionError, KeyError) as error:
                problems.append(f"{name}:{block.line}: what it needs was not made: {error}")
                break
            status, printed, session = self.sh(folder, block.text)
            sessions.append(session)
            wanted = next((int(words) for what, words in block.notes if what == "exit"), 0)
            if status != wanted:
                tail = "\n".join(printed.splitlines()[-20:])
                problems.append(f"{name}:{block.line}: exit status {status}\n{block.text}{tail}")
                break
            problems += [f"{name}:{shown.line}: not printed: {missed}" for shown in block.prints
                         if (missed := not_printed(shown, printed))]
        self.sh(folder, "tactelier rig quit -q || true")  # what record started is of no session here
        for session in sessions:
            try:
                os.killpg(session, signal.SIGTERM)
            except ProcessLookupError:
                pass
        return problems, skipped

    def known_options(self, words):
        """What --help knows of the command that `words` begin with; None where there is none."""
        command = []
        for word in words[:2]:
            if re.fullmatch(r"[a-z][a-z-]*", word):
                command.append(word)
        while command:
            key = tuple(command)
            if key not in self.options:
                done = subprocess.run([self.folder / "bin/tactelier", *command, "--help"], text=True,
                                      capture_output=True, stdin=subprocess.DEVNULL)
                self.options[key] = (set(re.findall(r"--?[a-zA-Z][\w-]*", done.stdout))
                                     if done.returncode == 0 else None)
            if self.options[key] is not None:
                return self.options[key]
            command.pop()
        return None

    def unknown_options(self, text):
        for quoted in QUOTED.findall(text):
            words = quoted.split()
            if not words or words[0].startswith("-") or not re.match(r"[a-z]", words[0]):
                continue
            options = self.known_options(words)
            if options is None:
                yield f"`tactelier {quoted}`: there is no such command"
                continue
            for word in words:
                option = re.match(r"--?[a-z][\w-]*", word)
                if option and option[0] not in options:
                    yield f"`tactelier {quoted}`: --help knows no {option[0]}"


def main():
    tactelier, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = [pathlib.Path(page).resolve() for page in sys.argv[3:]] or [
        source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    pages.sort(key=lambda page: "tactelier bench" not in page.read_text())  # those that wait first
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(tactelier, source, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(runner.page, pages))
    problems = [problem for page, _ in found for problem in page]
    skipped = [reason for _, page in found for reason in page]
    print(*(f"not run: {reason}" for reason in skipped), *problems, sep="\n")
    print(f"{len(pages)} pages, {len(problems)} problems, {len(skipped)} blocks not run")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
