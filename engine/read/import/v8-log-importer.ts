import type { LogDamage } from '../../../words/warnings/file-warnings.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { type OpenedFile, UnpackedTooMuch } from '../files/opened-file.ts';
import type { CpuProfile } from '../samples/cpu-profile.ts';
import type { Imported, Importer, Reading } from './importer.ts';
import { assembleLog, linesOfLog } from './v8-log/assemble-log.ts';
import { newline } from './v8-log/records.ts';
import { V8LogDecoder } from './v8-log/v8-log-decoder.ts';
import type { ClockMarker, V8Log } from './v8-log/v8-log.ts';

/** The script of Node that a worker runs first. */
export const workerStart = 'node:internal/main/worker_thread';

const firstBytes = new TextEncoder().encode('v8-version,');

export const v8LogImporter: Importer = {
  recognizes: ({ start }) => firstBytes.every((byte, at) => start[at] === byte),
  read: readV8Log,
};

/** If a gzip file is cut off, what comes before is read. */
async function readV8Log({ name, content, isGzip }: OpenedFile, { world, signal }: Reading): Promise<Imported> {
  const decoder = new V8LogDecoder();
  let lastByte = newline;
  let gzipDamage: 'badGzip' | null = null;
  try {
    for await (const chunk of content) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
      lastByte = chunk.at(-1) ?? lastByte;
    }
  } catch (error) {
    if (!isGzip) throw error;
    if (error instanceof UnpackedTooMuch) return damaged(name, 'inflated');
    gzipDamage = 'badGzip';
  }
  const decoded = decoder.finish();
  if (decoded.type === 'damaged') return damaged(name, gzipDamage ?? decoded.damage);
  const { log } = decoded;
  const profile = assembleLog(log, await linesOfLog(log, world), clockOfLog(log.markers));
  const isCutOff = gzipDamage !== null || lastByte !== newline;
  const cutOff: readonly Warning[] = isCutOff ? [{ type: 'logCutOff', file: name }] : [];
  return { type: 'profile', profile, warnings: [...cutOff, ...oddities(name, log, profile)] };
}

function damaged(file: string, damage: LogDamage): Imported {
  return { type: damage === 'noTicks' ? 'silent' : 'unusable', warning: { type: 'logDamaged', file, damage } };
}

/**
 * What to add to a log's times to get the recorder's clock, in µs; 0 without a marker. Each marker was logged after
 * its own time was taken and before the next one's: all of these bounds hold at once.
 */
function clockOfLog(markers: readonly ClockMarker[]): number {
  let earliest = -Infinity;
  let latest = Infinity;
  for (const [index, { clock, time }] of markers.entries()) {
    earliest = Math.max(earliest, clock - time);
    latest = Math.min(latest, clock - (markers[index - 1]?.time ?? -Infinity));
  }
  if (markers.length === 0) return 0;
  return latest >= earliest && Number.isFinite(latest) ? (earliest + latest) / 2 : earliest;
}

/** What was odd in a log that could be read; empty where nothing was. */
function oddities(file: string, { version, problems }: V8Log, profile: CpuProfile): readonly Warning[] {
  const { unreadable, unknown, restarts, backwards } = problems;
  const v8 = Number(version?.split('.')[0] ?? Number.NaN);
  // Measured where two isolates wrote into one log: 50 to 71 % of the ticks; else a few ticks.
  const isMixed = restarts > 0 || backwards > Math.max(10, profile.nodes.length / 10) || hasTwoStarts(profile);
  const isTested = v8 >= MIN_V8 && v8 <= MAX_V8;
  const all: readonly (Warning | null)[] = [
    version === null ? { type: 'unknownV8', file } : isTested ? null : { type: 'untestedV8', file, version },
    unreadable.size === 0 ? null : { type: 'unreadableLines', file, ...countsOf(unreadable) },
    unknown.size === 0 ? null : { type: 'unknownLines', file, ...countsOf(unknown) },
    isMixed ? { type: 'mixedIsolates', file } : null,
    backwards > 0 && !isMixed ? { type: 'backwardTicks', file, count: backwards } : null,
  ];
  return all.filter((warning) => warning !== null);
}

/** Whether the first script of a worker and that of a main thread ran. */
function hasTwoStarts({ frames }: CpuProfile): boolean {
  const starts = new Set(frames.map(({ url }) => url).filter((url) => url.startsWith('node:internal/main/')));
  return starts.size > 1 && starts.has(workerStart);
}

/** Versions of V8 in Node.js 20 and 26. */
const MIN_V8 = 11;
const MAX_V8 = 14;

function countsOf(kinds: ReadonlyMap<string, number>): { readonly count: number; readonly kinds: readonly string[] } {
  return { count: [...kinds.values()].reduce((sum, number) => sum + number, 0), kinds: [...kinds.keys()] };
}
