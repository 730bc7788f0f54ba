"""page.py - what is wrong with a page of 'bosc report': FOLDER [FILE.nc]."""
import html.parser
import os
import re
import sys

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.ids, self.links = [], [], set(), []
        self.pictures, self.numbers, self.text = 0, {}, []
        self.exact, self.captions = None, 0

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in have:
            if have["id"] in self.ids:
                self.wrong.append(f"two things are called {have['id']}")
            self.ids.add(have["id"])
        self.links += [have[k] for k in ("href", "src") if k in have]
        if tag == "svg":
            self.pictures += 1
            if not have.get("aria-label"):
                self.wrong.append("a picture without words")
        self.captions += tag == "figcaption"
        if tag == "dd":
            self.exact = have.get("title")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} in {self.open[-3:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        self.text.append(data)
        if self.open[-1:] == ["dt"]:
            self.name = data
        elif self.open[-1:] == ["dd"]:
            self.numbers[self.name] = self.exact


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
        source = file.read()
    page = Page()
    page.feed(source)
    page.close()
    wrong = page.wrong + [f"<{tag}> is not closed" for tag in page.open]
    bare = re.sub(r"<pre>.*?</pre>", "", source, flags=re.S)
    if re.search(r"https?:|url\((?!#)|@import|<script|src=\"(?!data:)", bare):
        wrong.append("something is from elsewhere")
    files = set()
    for link in page.links:
        if link.startswith("#"):
            if link[1:] not in page.ids:
                wrong.append(f"{link} leads nowhere")
        elif not link.startswith("data:"):
            files.add(link)
            if not os.path.getsize(os.path.join(folder, link)) > 100:
                wrong.append(f"{link} is empty")
    there = set(os.listdir(folder)) - {"index.html"}
    if there != files:
        wrong.append(f"files and links differ: {there ^ files}")
    if 2 * page.captions != len(files):
        wrong.append(f"{page.captions} captions, {len(files)} files")
    if re.search(r"\b(nan|inf)\b", " ".join(page.text)):
        wrong.append("a number is none")
    if len(sys.argv) > 2:
        wrong += compare(page.numbers, sys.argv[2])
    print("\n".join(wrong))
    sys.exit(bool(wrong))


def compare(numbers, path):
    import netCDF4
    with netCDF4.Dataset(path) as run:
        phase = list(run["phase_name"][:])
        seconds = run["rank_seconds"][:]
        nodes = int(run["neuron_compartments"][:].sum())
        spikes, n = len(run["spike_time"]), len(run["neuron"])
        wall = sum(seconds[:, phase.index(p)]
                   for p in ("read", "divide", "pack", "loop")).max()
        speed = (nodes * run.tstop_ms / run.dt_ms /
                 seconds[:, phase.index("loop")].max())
        want = {"neurons": n, "compartments": nodes, "spikes": spikes,
                "simulated time": run.tstop_ms,
                "wall time, set-up and loop": wall,
                "compartment-steps/s": speed,
                "mean rate": spikes / n / run.tstop_ms * 1000}
    if set(want) != set(numbers):
        return [f"numbers are {sorted(numbers)}"]
    return [f"{name}: {numbers[name]}, not {value}"
            for name, value in want.items()
            if abs(float(numbers[name].split()[0].replace(",", "")) - value) >
            1e-5 * abs(value)]


if __name__ == "__main__":
    main()
