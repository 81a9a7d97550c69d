import type { CpuProfile } from '../../samples/cpu-profile.ts';
import { assembleLog } from './assemble-log.ts';
import type { ClockMarker, DecodedLog } from './v8-log.ts';
import type { World } from '../../files/world.ts';
import { type OpenedFile, UnpackedTooMuch, gunzip } from '../../files/opened-file.ts';
import { oddities } from './log-warning.ts';
import { newline } from './records.ts';
import { V8LogDecoder } from './v8-log-decoder.ts';
import { linesOfLog } from './script-lines.ts';
import type { Warning } from '../../../../words/warnings/warning-text.ts';

export type LoadedLog =
  | { readonly type: 'profile'; readonly profile: CpuProfile; readonly warnings: readonly Warning[] }
  | { readonly type: 'cancelled' }
  | { readonly type: 'silent' | 'unusable'; readonly warning: Warning };

/** Reads one V8 log. `silent`: it has no ticks. `name` is that of its file. */
export async function loadV8Log(
  file: OpenedFile,
  name: string,
  world: World,
  signal: AbortSignal | undefined,
): Promise<LoadedLog> {
  const decoded = await readV8Log(file.chunks, file.isGzip, signal);
  if (decoded.type === 'cancelled') return { type: 'cancelled' };
  if (decoded.type !== 'log') {
    const damage = decoded.type === 'damaged' ? decoded.damage : decoded.type;
    const warning: Warning = { type: 'logDamaged', file: name, damage };
    return { type: damage === 'noTicks' ? 'silent' : 'unusable', warning };
  }
  const { log, isCutOff } = decoded;
  const profile = assembleLog(log, await linesOfLog(log, world), clockOfLog(log.markers) ?? 0);
  const cutOff: readonly Warning[] = isCutOff ? [{ type: 'logCutOff', file: name }] : [];
  return { type: 'profile', profile, warnings: [...cutOff, ...oddities(name, log)] };
}

/**
 * What must be added to the times of a log to get the recorder's clock, in µs; null where the log has no marker. Each
 * marker was logged after its own time was taken and before the time of the next one was taken. All of these bounds
 * hold at once.
 */
function clockOfLog(markers: readonly ClockMarker[]): number | null {
  let earliest = -Infinity;
  let latest = Infinity;
  for (const [index, { clock, time }] of markers.entries()) {
    earliest = Math.max(earliest, clock - time);
    latest = Math.min(latest, clock - (markers[index - 1]?.time ?? -Infinity));
  }
  if (markers.length === 0) return null;
  return latest >= earliest && Number.isFinite(latest) ? (earliest + latest) / 2 : earliest;
}

/** The read was aborted before the last bytes came, or the file is damaged gzip from which nothing could be read. */
interface UnreadLog {
  readonly type: 'cancelled' | 'badGzip' | 'inflated';
}

/** Decodes a V8 log from its bytes in order. If a gzip file is cut off, what comes before is read. */
async function readV8Log(
  chunks: AsyncGenerator<Uint8Array, undefined>,
  isGzip: boolean,
  signal?: AbortSignal,
): Promise<(DecodedLog & { readonly isCutOff: boolean }) | UnreadLog> {
  const decoder = new V8LogDecoder();
  let lastByte = newline;
  try {
    for await (const chunk of isGzip ? gunzip(chunks) : chunks) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
      lastByte = chunk.at(-1) ?? lastByte;
    }
  } catch (error) {
    if (!isGzip) throw error;
    if (error instanceof UnpackedTooMuch) return { type: 'inflated' };
    const read = decoder.finish();
    return read.type === 'log' ? { ...read, isCutOff: true } : { type: 'badGzip' }; // It is damaged, or cut off.
  }
  return { ...decoder.finish(), isCutOff: lastByte !== newline };
}
