import type { CpuProfile } from '../../samples/cpu-profile.ts';
import { filePathOf } from '../../files/file-path.ts';
import { assembleLog } from './assemble-log.ts';
import { clockOfLog } from './clock-of-log.ts';
import { readV8Log } from './read-v8-log.ts';
import { type LineOf, anchorsOf, linesBetween, linesOfText } from './script-lines.ts';
import { functionOf } from './code.ts';
import type { TextLines } from './line-starts.ts';
import { Utf8Source } from './utf8-source.ts';
import type { V8Log } from './v8-log.ts';
import type { World } from '../../files/world.ts';
import { describeLog, describeLogDamage } from './describe-log.ts';
import type { OpenedFile } from '../../files/opened-file.ts';
import { longestNamed } from '../../files/read-text.ts';

export type LoadedLog =
  | { readonly type: 'profile'; readonly profile: CpuProfile; readonly warnings: readonly string[] }
  | { readonly type: 'cancelled' }
  | { readonly type: 'silent' | 'unusable'; readonly warning: string };

/** Reads one V8 log. `silent`: it has no ticks. Warnings begin with `name`. */
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
    return { type: damage === 'noTicks' ? 'silent' : 'unusable', warning: `${name} ${describeLogDamage(damage)}.` };
  }
  const { log } = decoded;
  const profile = assembleLog(log, await linesOfLog(log, world), clockOfLog(log.markers) ?? 0);
  return { type: 'profile', profile, warnings: describeLog(log).map((sentence) => `${name} ${sentence}.`) };
}

/** Lines of the scripts in which ticks were, by number: by their text in the log, else by the file that they ran from. */
async function linesOfLog(log: V8Log, world: World): Promise<ReadonlyMap<number, LineOf>> {
  const { scripts, urls } = log.functions;
  const lines = new Map<number, LineOf>();
  const anchors = anchorsOf(log.functions);
  const used = new Set(log.places.firsts.map((kind) => scripts[functionOf(kind)] ?? -1));
  for (const script of used) {
    if (script < 0) continue;
    const own = anchors.get(script) ?? [];
    const text =
      log.scripts[script]?.text ?? (await linesOnDisk(urls.get(script) ?? '', log.scripts[script]?.length ?? 0, world));
    const found = text === null ? null : linesOfText(text, own);
    lines.set(script, found ?? linesBetween(own));
  }
  return lines;
}

/** Null where the file is not as long as the text that ran, `length` in UTF-16 units: it has changed. */
async function linesOnDisk(url: string, length: number, world: World): Promise<TextLines | null> {
  const path = url.startsWith('node:') ? null : filePathOf(url);
  const bytes = path === null ? undefined : await world.readFile(path, longestNamed.text);
  if (bytes === undefined) return null;
  const source = new Utf8Source();
  source.push(bytes);
  const text = source.build();
  const isSame = length === 0 || length === text.length || length === text.length + sourceUrlComment(url).length;
  return isSame ? text : null;
}

/** What Node.js writes behind TypeScript whose types it strips. */
function sourceUrlComment(url: string): string {
  return `\n\n//# sourceURL=${url}`;
}
