import type { Pair, SuiteTrial } from './try-suite.ts';

export const suiteTableHead = [
  '| project | version | runner | tests | exits equal | output equal | as it is: exits, output | wall time | processes and threads | worst line |',
  '|---|---|---|---|---|---|---|---|---|---|',
].join('\n');

export function suiteRow({ suite, pairs, steady, tests, findings }: SuiteTrial): string {
  const of = (count: number, all: number): string => `${count} of ${all}`;
  const exits = pairs.filter(hasSameExit).length;
  const outputs = pairs.filter(({ differences }) => differences.length === 0).length;
  const ratios = pairs.map(({ bare, recorded }) => recorded.seconds / bare.seconds).toSorted((a, b) => a - b);
  const [least = NaN, median = NaN, most = NaN] = [ratios[0], ratios[ratios.length >> 1], ratios.at(-1)];
  const cells = [
    suite.name,
    suite.version,
    suite.runner,
    tests ?? '?',
    `${of(exits, pairs.length)} (${pairs.at(-1)?.recorded.exit})`,
    of(outputs, pairs.length),
    `${of(steady.exits, pairs.length - 1)}, ${of(steady.outputs, pairs.length - 1)}`,
    `${median.toFixed(2)} [${least.toFixed(2)}..${most.toFixed(2)}]`,
    findings.isolates,
    findings.worst,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What a person should look at. */
export function troublesOf({ suite, pairs, findings }: SuiteTrial): readonly string[] {
  return [
    ...pairs.flatMap((pair, round) => differencesOf(pair).map((line) => `${suite.name}, round ${round + 1}: ${line}`)),
    ...findings.warnings.map((warning) => `${suite.name}: the recording says: ${warning}`),
  ];
}

function differencesOf(pair: Pair): readonly string[] {
  const exits = hasSameExit(pair) ? [] : [`exit ${pair.bare.exit}, recorded ${pair.recorded.exit}`];
  return [...exits, ...pair.differences.slice(0, 10).map((line) => line.slice(0, 200))];
}

function hasSameExit({ bare, recorded }: Pair): boolean {
  return bare.exit === recorded.exit;
}
