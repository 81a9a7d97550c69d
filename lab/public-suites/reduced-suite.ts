import * as v from 'valibot';
import { recordingVersion } from '../../protocol/recording.ts';

/** What is kept of a recording of a public suite: see reduce-suite.ts. */
export interface ReducedSuite {
  readonly command: readonly string[];
  readonly isolates: readonly ReducedIsolate[];
  /** Names of packages by path of the source that imports them. */
  readonly imports?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface ReducedIsolate {
  readonly nodeVersion: string | null;
  /** End of its clock, in µs. */
  readonly end: number;
  readonly frames: readonly ReducedFrame[];
  /** Number of its frame, and how far before it its parent is, by node. The first four nodes are V8's own. */
  readonly frameOf: readonly number[];
  readonly parentOf: readonly number[];
  /** Node by sample, and µs since the sample before. */
  readonly samples: readonly number[];
  readonly deltas: readonly number[];
  /** Lines of the files of its turns and tests. */
  readonly turns: readonly ReducedLine[];
  readonly tests: readonly ReducedLine[];
}

/** Line and column are from 0. */
export type ReducedFrame = readonly [name: string, url: string, line: number, column: number];
export type ReducedLine = readonly (string | number | readonly (string | number)[])[];

const numbers = v.array(v.number());
const line = v.array(v.union([v.string(), v.number(), v.array(v.union([v.string(), v.number()]))]));

export const reducedSuiteSchema = v.object({
  command: v.array(v.string()),
  imports: v.optional(v.record(v.string(), v.array(v.string()))),
  isolates: v.array(
    v.object({
      nodeVersion: v.nullable(v.string()),
      end: v.number(),
      frames: v.array(v.tuple([v.string(), v.string(), v.number(), v.number()])),
      ...{ frameOf: numbers, parentOf: numbers, samples: numbers, deltas: numbers },
      ...{ turns: v.array(line), tests: v.array(line) },
    }),
  ),
});

/** What stands in for the sources that import packages, by path. */
export function sourcesOf({ imports = {} }: ReducedSuite): Readonly<Record<string, string>> {
  const textOf = (names: readonly string[]): string => names.map((name) => `import '${name}';\n`).join('');
  return Object.fromEntries(Object.entries(imports).map(([file, names]) => [file, textOf(names)]));
}

/** The files of a recording of it, by name. `cwd` is the folder of the project. */
export function recordingOf({ command, isolates }: ReducedSuite, cwd: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const events: unknown[] = [];
  for (const [index, isolated] of isolates.entries()) {
    const pid = index + 100;
    const name = `${pid}-0-a`;
    files[`${name}.0.cpuprofile`] = JSON.stringify(profileOf(isolated));
    files[`${name}.turns.jsonl`] = jsonLines([...isolated.turns, ['mark', isolated.end]]);
    if (isolated.tests.length > 0) files[`${name}.tests.jsonl`] = jsonLines(isolated.tests);
    const { nodeVersion } = isolated;
    const argv = ['node', ...command.slice(1)];
    events.push(
      { type: 'start', isolate: name, pid, threadId: 0, ppid: 1, argv, execArgv: [], nodeVersion, at: 0, kind: 'main' },
      { type: 'end', isolate: name, at: isolated.end, reason: 'exit' },
    );
  }
  return { ...files, 'events.jsonl': jsonLines(events), 'recording.json': JSON.stringify(manifestOf(command, cwd)) };
}

function profileOf({ frames, frameOf, parentOf, samples, deltas, end }: ReducedIsolate): unknown {
  const nodes = frameOf.map((number, node) => {
    const [functionName, url, lineNumber, columnNumber] = frames[number] ?? ['', '', -1, -1];
    const callFrame = { functionName, scriptId: '0', url, lineNumber, columnNumber };
    return { id: node + 1, callFrame, ...(node === 0 ? {} : { parent: node + 1 - (parentOf[node] ?? 0) }) };
  });
  return { nodes, startTime: 0, endTime: end, samples: samples.map((node) => node + 1), timeDeltas: deltas };
}

function manifestOf(command: readonly string[], cwd: string): unknown {
  return {
    version: recordingVersion,
    hotspanVersion: '0.1.0',
    ...{ command, cwd, exitCode: 0, signal: null },
    startedAt: '2026-11-26T00:00:00.000Z',
    endedAt: '2026-11-26T00:01:00.000Z',
    ...{ intervalUs: 1000, mostBytes: null, evaluated: false, notes: [] },
    environment: { NODE_ENV: null, coverage: false },
  };
}

function jsonLines(lines: readonly unknown[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}
