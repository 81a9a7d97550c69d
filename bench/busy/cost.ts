import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serveInTurn } from '../overhead/load.ts';
import { serving } from '../overhead/programs.ts';
import { type Variant, bare } from '../overhead/variants.ts';
import { recordersOf } from './builds.ts';
import { exampleFolder } from './recorded.ts';
import { median, medianInterval, total } from './statistics.ts';
import { printTable } from './table.ts';

/** The figures of one start of each variant, by the variant's name. */
type Start = ReadonlyMap<string, number>;

export interface CostOptions {
  /** The commit or branch to compare with. */
  readonly ref: string;
  /** Number of starts of the server; the empty program is started ten times as often. */
  readonly starts: number;
}

/** Measures what the recorder of this folder and that of `ref` cost, in turn. */
export async function measureCost(node: string, { ref, starts }: CostOptions): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-busy-'));
  try {
    const variants = await recordersOf(ref, folder);
    printCost(`an express server, ${starts} starts (CPU µs a request)`, await servings(node, folder, variants, starts));
    const startings = startingsOf(node, folder, variants, (10 * starts) / together);
    const title = `an empty program, ${together} times ${startings.length} starts`;
    printCost(
      `${title} (CPU ms)`,
      startings.map(({ cpu }) => cpu),
    );
    printCost(
      `${title} (wall ms)`,
      startings.map(({ wall }) => wall),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function servings(
  node: string,
  folder: string,
  variants: readonly Variant[],
  starts: number,
): Promise<readonly Start[]> {
  symlinkSync(path.join(exampleFolder('shop'), 'node_modules'), path.join(folder, 'node_modules'));
  const file = path.join(folder, 'server.js');
  writeFileSync(file, serving);
  const found: Start[] = [];
  for (let start = 0; start < starts; start += 1) {
    const rounds = await serveInTurn(node, file, variants, batches);
    const cpuOf = (name: string): number =>
      (1000 * total(rounds.map((round) => round.get(name)?.cpu ?? Number.NaN))) / batches;
    found.push(new Map(variants.map(({ name }) => [name, cpuOf(name)])));
  }
  return found;
}

/** Number of batches of 400 requests each at each start. */
const batches = 16;

interface Starting {
  readonly cpu: Start;
  readonly wall: Start;
}

function startingsOf(node: string, folder: string, variants: readonly Variant[], times: number): readonly Starting[] {
  const file = path.join(folder, 'empty.js');
  writeFileSync(file, '');
  return Array.from({ length: times }, (_, time) => {
    // The order alternates, so that no variant always comes after the same one.
    const turned = time % 2 === 0 ? variants : variants.toReversed();
    const found = turned.map(({ name, env }) => ({ name, ...timesOf(node, file, env) }));
    return {
      cpu: new Map(found.map(({ name, cpu }) => [name, cpu])),
      wall: new Map(found.map(({ name, wall }) => [name, wall])),
    };
  });
}

/**
 * Processor time of one process from its start to its end, in ms. Node tells this only for itself; bash tells it for
 * any process, in whole ms.
 */
function timesOf(node: string, file: string, env: NodeJS.ProcessEnv): { readonly cpu: number; readonly wall: number } {
  const script = `TIMEFORMAT='%3R %3U %3S'; time for ((start = 0; start < ${together}; start += 1)); do "$0" "$1"; done`;
  const { stderr } = spawnSync('bash', ['-c', script, node, file], { env, encoding: 'utf8' });
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return { cpu: (1000 * (user + system)) / together, wall: (1000 * wall) / together };
}

/** Number of starts that are timed together. */
const together = 5;

function printCost(title: string, starts: readonly Start[]): void {
  console.log(title);
  const of = (name: string): readonly number[] => starts.map((start) => start.get(name) ?? Number.NaN);
  const ratio = (name: string, to: string): string => {
    const { middle, from, to: until } = medianInterval(of(name).map((time, start) => time / (of(to)[start] ?? 0)));
    return `${middle.toFixed(3)} [${from.toFixed(3)} to ${until.toFixed(3)}]`;
  };
  printTable([
    ['', 'median', 'to before, with 95 %', 'to bare, with 95 %'],
    ...[bare, 'before', 'now'].map((name) => [
      name,
      median(of(name)).toPrecision(4),
      ratio(name, 'before'),
      ratio(name, bare),
    ]),
  ]);
}
