import { maxOf } from '../../protocol/figures.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import * as v from 'valibot';
import type { Comparison, ComparedPlace } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { type Line0, type Line1, line0 } from '../../protocol/units.ts';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What was compared with what, to repeat it. Paths are absolute. */
export type Asked =
  | { readonly type: 'commit'; readonly ref: string; readonly recording: string }
  | { readonly type: 'baseline'; readonly name: string; readonly recording: string }
  | { readonly type: 'recordings'; readonly base: readonly string[]; readonly head: readonly string[] };

export interface ShownComparison {
  readonly asked: Asked;
  readonly comparison: Comparison;
  /** The first line of each function, trimmed, to find the function again after an edit. Null where it is unknown. */
  readonly lines: readonly (string | null)[];
}

/** Null for what this version cannot show. */
export function parseShownComparison(kept: string): ShownComparison | null {
  const { success, output } = v.safeParse(shownComparison, parseJson(kept));
  return success ? output : null;
}

const paths = v.array(v.string());
const shownComparison: v.GenericSchema<unknown, ShownComparison> = v.object({
  asked: v.variant('type', [
    v.object({ type: v.literal('commit'), ref: v.string(), recording: v.string() }),
    v.object({ type: v.literal('baseline'), name: v.string(), recording: v.string() }),
    v.object({ type: v.literal('recordings'), base: paths, head: paths }),
  ]),
  comparison: v.custom<Comparison>(isComparison),
  lines: v.array(v.nullable(v.string())),
});

/**
 * The first line of each function, trimmed; null where the file may have changed since it ran, or is not `inside` the
 * workspace. `startedMs`: begin of the comparison, and so of interleaved runs, in ms since the epoch.
 */
export async function linesOf(
  comparison: Comparison,
  startedMs: number,
  inside: (url: string) => boolean,
): Promise<readonly (string | null)[]> {
  const ranMs = comparison.order === 'interleaved' ? startedMs : await lastStart(comparison.head.runs);
  const files = new Map<string, Promise<SourceFile | null>>();
  return Promise.all(
    comparison.functions.map(async ({ is }) => {
      if (is === null || !inside(is.url)) return null;
      const file = files.get(is.url) ?? readSource(is.url);
      files.set(is.url, file);
      return lineOf(await file, is, ranMs);
    }),
  );
}

/** Where a function begins now: at the same line, or at the only other one with its text; null where unclear. */
export function lineNow(text: string, line: Line1, lineText: string | null): Line0 | null {
  if (lineText === null) return null;
  const lines = text.split('\n').map((one) => one.trim());
  if (lines[line - 1] === lineText) return line0(line - 1);
  const [only, ...others] = lines.flatMap((one, index) => (one === lineText ? [index] : []));
  return only === undefined || others.length > 0 ? null : line0(only);
}

interface SourceFile {
  readonly lines: readonly string[];
  readonly changedMs: number;
}

/** A file that is younger than the runs is believed only where the line has the name of the function in it. */
function lineOf(file: SourceFile | null, { line, label }: ComparedPlace, ranMs: number): string | null {
  const text = file?.lines[line - 1]?.trim() ?? '';
  if (file === null || text === '') return null;
  // A callback begins where the function is called that takes it.
  const [own = ''] = label.split('() callback in ');
  const name = /[\p{L}\p{N}_$#]+$/u.exec(own)?.[0] ?? null;
  const isNamed = name !== null && text.split(/[^\p{L}\p{N}_$#]+/u).includes(name);
  return file.changedMs <= ranMs || isNamed ? text : null;
}

async function readSource(url: string): Promise<SourceFile | null> {
  try {
    const file = fileURLToPath(url);
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { lines: text.split('\n'), changedMs: mtimeMs };
  } catch {
    return null; // No file, or one of another machine.
  }
}

/** When the last run began, in ms since the epoch; 0 where that is unknown. */
async function lastStart(runs: Comparison['head']['runs']): Promise<number> {
  const manifests = await Promise.all(runs.map(async (run) => readManifest(run.path)));
  return Math.max(0, maxOf(manifests.map((one) => Date.parse(one?.startedAt ?? '')).filter(Number.isFinite)));
}
