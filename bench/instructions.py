# SPDX-License-Identifier: BSD-3-Clause
"""Counts instructions by callgrind and compares them with those in the
repository. They repeat where times do not, so a slow path that creeps in
shows in review. They depend on the compiler: its version stands beside them.
"""
import os
import re
import shutil
import subprocess
import sys

# The workload, and its operations at a scale of 1.
WORKLOADS = [('ping-pong', 1000000), ('fan-in', 1600000), ('spawn', 300000)]
# The difference of two sizes leaves out what starting and ending cost.
SCALES = (0.02, 0.06)
TOLERANCE = 0.03
POLICY = 'work-stealing'


def compiler():
    """That this program's library was most likely built with."""
    return subprocess.run([os.environ.get('CC', 'gcc'), '--version'],
                          capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]


def collect(program, workload, scale):
    run = subprocess.run(
        ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null',
         program, '--here', '--lines', '--workers', '1', '--policy', POLICY,
         '--only', workload, '--scale', str(scale)],
        capture_output=True, text=True, check=False)
    found = re.search(r'Collected\s*:\s*(\d+)', run.stderr)
    if run.returncode != 0 or not found:
        raise RuntimeError(f'{workload}: {run.stderr.strip()[-500:]}')
    return int(found.group(1))


def count(program):
    """Instructions of one operation, by workload."""
    counts = {}
    for workload, operations in WORKLOADS:
        small, large = (collect(program, workload, scale) for scale in SCALES)
        counts[workload] = (large - small) / (
            operations * (SCALES[1] - SCALES[0]))
    return counts


def read(path):
    counts = {}
    built_with = None
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            words = line.split()
            if line.startswith('compiler: '):
                built_with = line.split(': ', 1)[1].strip()
            elif words and not line.startswith('#'):
                counts[words[0]] = float(words[1])
    return counts, built_with


def write(path, counts):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(
            '# SPDX-License-Identifier: BSD-3-Clause\n'
            '# Instructions of one operation: one worker, work-stealing, '
            'release build.\n'
            '# ./dev bench --check compares, ./dev bench --check --update '
            'writes this.\n'
            f'compiler: {compiler()}\n')
        for workload, number in counts.items():
            file.write(f'{workload} {number:.1f}\n')


def compare(counts, expected):
    """Prints a line each. Returns how many are out of bounds."""
    bad = 0
    for workload, number in counts.items():
        if workload not in expected:
            print(f'{workload:12} {number:10.1f}  not in the file')
            bad += 1
            continue
        change = number / expected[workload] - 1
        verdict = 'as before'
        if change > TOLERANCE:
            verdict = 'MORE THAN BEFORE'
            bad += 1
        elif change < -TOLERANCE:
            verdict = 'less than before: write it down, by --update'
            bad += 1
        print(f'{workload:12} {number:10.1f}  was {expected[workload]:10.1f}'
              f'  {change:+7.1%}  {verdict}')
    return bad


def check(program, path, update):
    if shutil.which('valgrind') is None:
        print('run: --check needs valgrind: apt-get install valgrind',
              file=sys.stderr)
        return 2
    try:
        counts = count(program)
    except RuntimeError as problem:
        print(f'run: {problem}', file=sys.stderr)
        return 1
    if update or not os.path.exists(path):
        write(path, counts)
        print(f'written: {path}')
        for workload, number in counts.items():
            print(f'{workload:12} {number:10.1f}')
        return 0
    expected, built_with = read(path)
    bad = compare(counts, expected)
    if built_with != compiler():
        print(f'The numbers are of {built_with}, this is {compiler()}: the '
              'differences may be the compiler\'s.')
    print(f'{len(counts) - bad} of {len(counts)} within '
          f'{TOLERANCE:.0%} of {os.path.basename(path)}')
    return 1 if bad else 0
