# SPDX-License-Identifier: BSD-3-Clause
"""What bench/run found out: a table, JSON, and a plot by gnuplot."""
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time

UNITS = {'memory': 'bytes', 'idle': 'ms'}


class Row:
    """A result with so many workers, of all that have it."""

    def __init__(self, name, workers, results):
        self.name = name
        self.workers = workers
        self.results = results  # by the runner's name: median, runs
        self.unit = UNITS.get(name, 'ns')

    def median(self, runner):
        result = self.results.get(runner)
        return result['median'] if result else None


def version(folder):
    """The commit, if the sources are a git repository."""
    described = subprocess.run(
        ['git', '-C', folder, 'describe', '--always', '--dirty'],
        capture_output=True, text=True, check=False)
    return described.stdout.strip() or 'of this machine'


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              check=False).stdout.splitlines()[0]
    except (OSError, IndexError):
        return 'unknown'


def processor():
    with open('/proc/cpuinfo', encoding='utf-8') as lines:
        for line in lines:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return platform.machine()


def machine():
    return {
        'processor': processor(),
        'processors': len(os.sched_getaffinity(0)),
        'kernel': platform.release(),
        'compiler': first_line(['cc', '--version']),
        'date': time.strftime('%Y-%m-%d %H:%M'),
        'load': round(os.getloadavg()[0], 2),
    }


def ours_for(runner, runners):
    """Whose numbers of ours are compared with @runner's: the same policy's, or
    else the first's."""
    mine = [one for one in runners if one.ours]
    for one in mine:
        if runner.policy and one.policy.endswith(runner.policy):
            return one
    return mine[0]


def ratio(row, runner, runners):
    """Our time over the peer's; None if one of them is not there."""
    mine = row.median(ours_for(runner, runners).name)
    theirs = row.median(runner.name)
    if not mine or not theirs:
        return None
    return mine / theirs


def number(value):
    if value is None:
        return ''
    return f'{value:.1f}' if value < 1000 else f'{value:.0f}'


def cell(row, runner, runners):
    text = number(row.median(runner.name))
    over = None if runner.ours else ratio(row, runner, runners)
    return f'{text} ({over:.2g})' if over else text


def line(row, runners):
    """For the terminal."""
    texts = [f'{runner.name} {cell(row, runner, runners)}'
             for runner in runners if runner.name in row.results]
    return f'{row.name}, {row.workers}, {row.unit}: ' + ', '.join(texts)


def table(found, runners, rows, options):
    heads = ['', 'workers', 'unit'] + [runner.name for runner in runners]
    lines = [
        '# Results', '',
        f"{found['date']}, {found['processor']}, {found['processors']} "
        f"processors, Linux {found['kernel']}, {found['compiler']}; the load "
        f"was {found['load']} at the start.",
        f'Medians of {options.runs} runs that took turns, workloads '
        f'{options.scale:g} times as large as `bench --list` says. In '
        'brackets: our time over the peer\'s, under the same policy where it '
        'has one, else under the first; below 1 we are faster.', '',
        '| ' + ' | '.join(heads) + ' |',
        '| --- |' + ' ---: |' * (len(heads) - 1),
    ]
    for row in rows:
        cells = [row.name, str(row.workers), row.unit]
        cells += [cell(row, runner, runners) for runner in runners]
        lines.append('| ' + ' | '.join(cells) + ' |')
    lines += ['', 'Versions: ' + ', '.join(
        f'{runner.name} {runner.version}' for runner in runners) + '.', '']
    return '\n'.join(lines)


def as_json(found, runners, rows, options):
    return {
        'machine': found,
        'runs': options.runs,
        'scale': options.scale,
        'pinned': options.cpus,
        'versions': {runner.name: runner.version for runner in runners},
        'rows': [{'name': row.name, 'workers': row.workers, 'unit': row.unit,
                  'results': row.results} for row in rows],
    }


# ---- the plot ---------------------------------------------------------------

PLOT = '''set terminal pngcairo size {width},{height} font "Sans,11"
set output "{image}"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set boxwidth 1
set datafile missing "NaN"
set grid ytics
set key outside top center horizontal
set xtics rotate by -35 scale 0
set ylabel "our time / the peer's"
set yrange [{low}:{high}]
set ytics ({ticks})
set xzeroaxis lt -1 lw 2
set multiplot layout {panels},1
'''


def plot_data(rows, runners, shown):
    """A line for each row: its name and the logarithm of each ratio."""
    lines = []
    for row in rows:
        ratios = [ratio(row, runner, runners) for runner in shown]
        words = [f'{math.log10(over):.4f}' if over else 'NaN'
                 for over in ratios]
        if any(ratios):
            lines.append(f'"{row.name}" ' + ' '.join(words))
    return lines


def plot_ticks(low, high):
    return ', '.join(
        f'"{10 ** power if power >= 0 else f"1/{10 ** -power}"}" {power}'
        for power in range(low, high + 1))


def plot_script(image, rows, runners):
    """Bars that go down from 1 are ours being faster. None without peers."""
    shown = [runner for runner in runners if not runner.ours]
    panels = {}
    for row in rows:
        panels.setdefault(row.workers, []).append(row)
    data = {workers: plot_data(some, runners, shown)
            for workers, some in sorted(panels.items())}
    data = {workers: lines for workers, lines in data.items() if lines}
    if not data:
        return None
    values = [float(word) for lines in data.values() for text in lines
              for word in text.split('" ')[1].split() if word != 'NaN']
    low = math.floor(min(values + [-1]))
    high = math.ceil(max(values + [1]))
    width = 300 + 60 * max(len(lines) for lines in data.values())
    script = PLOT.format(width=max(width, 900), height=520 * len(data),
                         image=image, low=low, high=high,
                         ticks=plot_ticks(low, high), panels=len(data))
    for workers, lines in data.items():
        script += f'$data << END\n' + '\n'.join(lines) + '\nEND\n'
        script += (f'set title "{workers} worker'
                   f'{"s" if workers > 1 else ""}: '
                   'below 1 troupe is faster"\nplot ')
        script += ', '.join(
            f'$data using {index + 2}:xtic(1) title "{runner.name}"'
            for index, runner in enumerate(shown)) + '\n'
    return script + 'unset multiplot\n'


def plot(image, rows, runners):
    """Returns the path; None if there is nothing to draw or nothing to draw
    with."""
    script = plot_script(image, rows, runners)
    if script is None:
        return None
    if shutil.which('gnuplot') is None:
        print('run: no plot without gnuplot: apt-get install gnuplot-nox',
              file=sys.stderr)
        return None
    drawn = subprocess.run(['gnuplot'], input=script, text=True, check=False,
                           capture_output=True)
    if drawn.returncode != 0:
        print(f'run: gnuplot: {drawn.stderr.strip()}', file=sys.stderr)
        return None
    return image


def write(options, found, runners, rows):
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, 'bench')
    with open(path + '.md', 'w', encoding='utf-8') as file:
        file.write(table(found, runners, rows, options))
    with open(path + '.json', 'w', encoding='utf-8') as file:
        json.dump(as_json(found, runners, rows, options), file, indent=1)
        file.write('\n')
    names = [path + '.md', path + '.json']
    image = plot(path + '.png', rows, runners)
    print('written: ' + ', '.join(names + ([image] if image else [])))
