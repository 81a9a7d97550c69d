import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Analysis } from '../../../../engine/analysis.ts';
import { analyze, type AnalyzeOptions, type AnalyzeResult } from '../../../../engine/analyze.ts';
import type { World } from '../../../../engine/read/files/world.ts';
import { reportOf } from '../../../../show/report/report.ts';
import type { Report } from '../../../../protocol/report.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';

/** One process, in which one function of a file ran for 30 ms at one of its lines. */
export interface RecordedProcess {
  readonly url?: string;
  /** Lines count from 1 here, as in an editor. */
  readonly name: string;
  readonly start: number;
  readonly column: number;
  readonly hot: number;
  /** A function that it calls. */
  readonly calls?: Pick<RecordedProcess, 'name' | 'start' | 'column'>;
  /** Text of the file, as the process has kept it; absent where it has kept none. */
  readonly text?: string;
  /** Source map of the script, as the process has kept it. */
  readonly map?: string;
}

export const appUrl = 'file:///app/src/a.js';
export const appPath = '/app/src/a.js';

export async function reportOfProcesses(
  processes: readonly RecordedProcess[],
  more: Readonly<Record<string, string | Uint8Array>>,
): Promise<Report> {
  return reportOf(await analysisOfProcesses(processes, more), 'long');
}

/** A recording of these processes, one after the other, and `more` files. */
export async function analysisOfProcesses(
  processes: readonly RecordedProcess[],
  more: Readonly<Record<string, string | Uint8Array>>,
): Promise<Analysis> {
  return (await analyzedProcesses(processes, more, { roots: ['/app'] })).analysis;
}

/** The same with other options; `files` is the world in which it was analyzed. */
export async function analyzedProcesses(
  processes: readonly RecordedProcess[],
  more: Readonly<Record<string, string | Uint8Array>>,
  given: Pick<AnalyzeOptions, 'roots' | 'pathRules'>,
  written = {},
): Promise<Extract<AnalyzeResult, { readonly type: 'analyzed' }> & { readonly world: World }> {
  const files = {
    ...Object.fromEntries(processes.flatMap((process, number) => Object.entries(filesOf(process, number)))),
    '/rec/recording.json': JSON.stringify({ version: 2, command: ['node', 'a.js'], cwd: '/app', intervalUs: 1000 }),
    ...more,
  };
  const world = memoryWorld(files, written);
  const result = await analyze(['/rec'], world, { thresholdUs: milliseconds(10), sourceMaps: true, ...given });
  return result.type === 'analyzed' ? { ...result, world } : assert.fail(JSON.stringify(result));
}

function filesOf(process: RecordedProcess, number: number): Readonly<Record<string, string | Uint8Array>> {
  const { url = appUrl, text, map } = process;
  const isolate = `/rec/${number + 7}-0-${number + 1}`;
  const name = `${(text ?? '').length.toString(36)}-${number}`;
  return {
    [`${isolate}.0.cpuprofile`]: JSON.stringify(profileOf(process, url)),
    ...(map === undefined ? {} : { [`${isolate}.maps.jsonl`]: `${JSON.stringify({ url, map })}\n` }),
    ...(text === undefined
      ? {}
      : {
          [`${isolate}.texts.jsonl`]: `${JSON.stringify({ url, text: name })}\n`,
          [`/rec/${name}.text.gz`]: gzipSync(text),
        }),
  };
}

/** Its plain profile. */
export function profileOf({ name, start, column, hot, calls }: RecordedProcess, url: string): object {
  const frame = (functionName: string, from: string, lineNumber: number, columnNumber: number): object => {
    return { functionName, scriptId: '1', url: from, lineNumber, columnNumber };
  };
  return {
    nodes: [
      { id: 1, callFrame: frame('(root)', '', -1, -1), hitCount: 0, children: [2, 3] },
      { id: 2, callFrame: frame('(idle)', '', -1, -1), hitCount: 2 },
      {
        id: 3,
        callFrame: frame(name, url, start - 1, column),
        hitCount: 30,
        positionTicks: [{ line: hot, ticks: 30 }],
        ...(calls === undefined ? {} : { children: [4] }),
      },
      ...(calls === undefined
        ? []
        : [{ id: 4, callFrame: frame(calls.name, url, calls.start - 1, calls.column), hitCount: 0 }]),
    ],
    startTime: 1_000_000,
    endTime: 1_032_000,
    samples: [2, ...Array.from({ length: 30 }, () => 3), 2],
    timeDeltas: Array.from({ length: 32 }, () => 1000),
  };
}

/** Name, line, number of long operations, and what is said of each own function. */
export function functionsIn({ functions }: Report): readonly string[] {
  return functions
    .filter(({ own }) => own)
    .map(({ name, url, line, culprit, changed }) => {
      const note = changed === true ? ' changed' : '';
      return `${name} ${url}:${line} ${culprit?.longCount ?? 0} ×${note}`;
    })
    .toSorted();
}

export function linesIn({ lines }: Report): readonly string[] {
  return lines.map(({ url, line, changed }) => `${url}:${line}${changed === true ? ' changed' : ''}`).toSorted();
}
