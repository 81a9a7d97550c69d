import type { Analysis } from '../../../../engine/analysis.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';

interface Surroundings {
  /** Places of functions, lines and columns from 0; others are at `/app/src/<name>.js`, line 0. */
  readonly functions?: Readonly<
    Record<string, { readonly url?: string; readonly line?: number; readonly column?: number; readonly name?: string }>
  >;
  /** Texts by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly thresholdMs?: number;
  /** The text of `/app/src/f.js`. */
  readonly text?: string;
  /** Duration of one column in ms; 10 where nothing is said. */
  readonly sampleMs?: number;
}

/**
 * Analyses a profile that is drawn: one column a sample, the caller above its callee, `.` where a stack has ended.
 * `parse:12` is `parse` while it executes its line 12. `(gc)`, `(idle)` and `(program)` stand in the first row.
 * A blank line starts the next process.
 */
export async function analysisOf(drawing: string, surroundings: Surroundings = {}): Promise<Analysis> {
  const { files = {}, text, thresholdMs = 10 } = surroundings;
  const profiles = drawing.split(/\n\s*\n/).filter((rows) => rows.trim() !== '');
  const drawn = profiles.map((rows, index) => {
    return [
      `/rec/CPU.20260101.000000.${100 + index}.0.001.cpuprofile`,
      JSON.stringify(profileOf(rows, surroundings)),
    ] as const;
  });
  const own = text === undefined ? {} : { '/app/src/f.js': text };
  const world = memoryWorld({ ...files, ...own, ...Object.fromEntries(drawn) });
  return (await analyzedIn(world, { thresholdUs: milliseconds(thresholdMs) })).analysis;
}

interface Node {
  readonly id: number;
  readonly callFrame: object;
  readonly children: number[];
  readonly ticks: Map<number, number>;
}

function profileOf(rows: string, { functions = {}, sampleMs = 10 }: Surroundings): object {
  const cells = rows
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => row.trim().split(/\s+/));
  const nodes = new Map<string, Node>();
  const nodeOf = (path: string, callFrame: object): Node => {
    const node = nodes.get(path) ?? { id: nodes.size + 1, callFrame, children: [], ticks: new Map<number, number>() };
    nodes.set(path, node);
    return node;
  };
  const root = nodeOf('', frameOf('(root)', functions));
  const samples = (cells[0] ?? []).map((_, column) => {
    let at = root;
    let path = '';
    const stack = cells.map((row) => row[column] ?? '.').filter((cell) => cell !== '.');
    for (const cell of stack) {
      const [name = '', line] = cell.startsWith('(') ? [cell] : cell.split(':');
      path += `/${name}`;
      const child = nodeOf(path, frameOf(name, functions));
      if (!at.children.includes(child.id)) at.children.push(child.id);
      if (cell === stack.at(-1) && line !== undefined)
        child.ticks.set(Number(line), (child.ticks.get(Number(line)) ?? 0) + 1);
      at = child;
    }
    return at.id;
  });
  return {
    nodes: [...nodes.values()].map(({ ticks, ...node }) => ({
      ...node,
      hitCount: 0,
      positionTicks: [...ticks].map(([line, count]) => ({ line, ticks: count })),
    })),
    samples,
    timeDeltas: samples.map((_, index) => (index === 0 ? 0 : sampleMs * 1000)),
    startTime: 1_000_000,
    endTime: 1_000_000 + samples.length * sampleMs * 1000,
  };
}

function frameOf(name: string, functions: NonNullable<Surroundings['functions']>): object {
  const isMeta = name.startsWith('(');
  const place = functions[name];
  return {
    functionName: name === '(gc)' ? '(garbage collector)' : (place?.name ?? name),
    scriptId: '1',
    url: isMeta ? '' : (place?.url ?? `/app/src/${name}.js`),
    lineNumber: isMeta ? -1 : (place?.line ?? 0),
    columnNumber: isMeta ? -1 : (place?.column ?? 9),
  };
}
