import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRecord, numberOf, textOf } from '../../protocol/json-value.ts';
import type { CpuProfile } from '../../engine/read/samples/cpu-profile.ts';
import { v8LogImporter } from '../../engine/read/import/v8-log-importer.ts';
import { openFile } from '../../engine/read/files/opened-file.ts';
import { tiers, vmStates } from '../../engine/read/samples/tiered-samples.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

export interface ComparedLog {
  readonly ticks: number;
  /** Ticks with the same JavaScript frames, each in the same tier. */
  readonly equal: number;
  /** Frames of JavaScript in all ticks, by tier; inlined ones too. */
  readonly frames: Readonly<Record<string, number>>;
  readonly inlined: number;
  /** Number of innermost frames whose line is known. */
  readonly lines: { readonly known: number; readonly all: number };
  readonly differences: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads one log twice: by the engine, and by V8's own tick processor, that of the Node that wrote it. */
export async function compareWithV8(log: string, node: string): Promise<ComparedLog> {
  const file = await openFile(log, diskWorld);
  if (file === undefined) throw new Error(`${log} is not there`);
  const loaded = await v8LogImporter.read(file, { world: diskWorld, plain: null, signal: undefined });
  if (loaded.type !== 'profile') throw new Error('warning' in loaded ? warningText(loaded.warning) : loaded.type);
  const { profile, warnings } = loaded;
  const ours = stacksOf(profile);
  const theirs = stacksOfV8(log, node);
  const differences = theirs.flatMap((stack, tick) => {
    const own = ours[tick];
    return own === stack ? [] : [`tick ${tick}: V8 ${shortened(stack)}\n  engine ${shortened(own ?? 'nothing')}`];
  });
  const all = Math.max(ours.length, theirs.length);
  return {
    ticks: all,
    equal: theirs.length - differences.length,
    ...countFrames(profile),
    differences,
    warnings: warnings.map(warningText),
  };
}

/**
 * By tick, `name url:line:column tier` of each frame, innermost first, without what is inlined: V8's processor leaves
 * that to viewers.
 */
function stacksOf({ parent, frame, frames, nodes, tiered }: CpuProfile): readonly string[] {
  const known = new Map<number, string>();
  return Array.from(
    nodes.filter((_, tick) => !isIdle(tiered?.states[tick])),
    (leaf) => {
      const found = known.get(leaf);
      if (found !== undefined) return found;
      const stack: string[] = [];
      for (let node = leaf; node >= 0; node = parent[node] ?? -1) {
        const { functionName, url, line, column } = frames[frame[node] ?? -1] ?? {
          functionName: '',
          url: '',
          line: -1,
          column: -1,
        };
        if (line < 0 || tiered?.inlined[node] === 1) continue;
        stack.push(`${functionName} ${url}:${line + 1}:${column + 1} ${tiers[tiered?.tier[node] ?? 0] ?? ''}`);
      }
      known.set(leaf, stack.join('\n'));
      return stack.join('\n');
    },
  );
}

function countFrames({
  parent,
  frame,
  frames,
  nodes,
  tiered,
}: CpuProfile): Pick<ComparedLog, 'frames' | 'inlined' | 'lines'> {
  const counts: Record<string, number> = {};
  let inlined = 0;
  const lines = { known: 0, all: 0 };
  for (const leaf of nodes) {
    const place = frames[frame[leaf] ?? -1];
    if (place !== undefined && place.line >= 0 && !place.url.startsWith('node:')) {
      lines.all++;
      if ((tiered?.line[leaf] ?? 0) > 0) lines.known++;
    }
    for (let node = leaf; node >= 0; node = parent[node] ?? -1) {
      const tier = tiers[tiered?.tier[node] ?? 0] ?? 'unknown';
      if (tier === 'unknown') continue;
      counts[tier] = (counts[tier] ?? 0) + 1;
      inlined += tiered?.inlined[node] ?? 0;
    }
  }
  return { frames: counts, inlined, lines };
}

/** The same of V8's own tick processor. */
function stacksOfV8(log: string, node: string): readonly string[] {
  const { code, ticks } = preprocessed(log, node);
  const names = code.map((entry) => {
    if (!isRecord(entry) || entry['type'] !== 'JS') return null;
    const tier = tierOfKind[textOf(entry['kind'])];
    return tier === undefined ? null : `${textOf(entry['name'])} ${tier}`;
  });
  const own = ticks.filter((tick) => isRecord(tick) && !isIdle(numberOf(tick['vm'], -1)));
  return own.map((tick) => {
    const pairs = isRecord(tick) && Array.isArray(tick['s']) && tick['vm'] !== gcState ? tick['s'] : [];
    const stack = pairs.flatMap((id: unknown, index) => (index % 2 === 0 ? (names[numberOf(id, -1)] ?? []) : []));
    return stack.join('\n');
  });
}

const gcState = 1;

/** Idle ticks are left out: the engine adds some, where the thread waited without a tick. */
const isIdle = (state: number | undefined): boolean => state === vmStates.idle || state === vmStates.idleExternal;

const tierOfKind: Readonly<Record<string, string>> = {
  Builtin: 'ignition', // A function that is not to be optimized.
  Unopt: 'ignition',
  Sparkplug: 'sparkplug',
  Maglev: 'maglev',
  Opt: 'turbofan',
};

function preprocessed(
  log: string,
  node: string,
): { readonly code: readonly unknown[]; readonly ticks: readonly unknown[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-tiers-'));
  const output = openSync(path.join(folder, 'log.json'), 'w');
  spawnSync(node, ['--max-old-space-size=4096', '--prof-process', '--preprocess', log], {
    stdio: ['ignore', output, 'ignore'],
  });
  closeSync(output);
  const json: unknown = JSON.parse(readFileSync(path.join(folder, 'log.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  if (!isRecord(json) || !Array.isArray(json['code']) || !Array.isArray(json['ticks']))
    throw new Error(`V8 did not read ${log}`);
  return { code: json['code'], ticks: json['ticks'] };
}

function shortened(stack: string): string {
  const lines = stack.split('\n');
  return `${lines.length} frames: ${lines.slice(0, 4).join(' < ')}`;
}

/** Runs a program under `--prof`, and answers with the largest log that it left, that of its main thread. `place` is emptied. */
export function logOf(
  { node, flags, command, cwd }: { node: string; flags: readonly string[]; command: readonly string[]; cwd: string },
  place: string,
): string {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true }); // Without the folder, V8 writes its log to stdout.
  const logging = ['--prof', '--no-node-snapshot', '--no-log-source-code', `--logfile=${place}/%p-%t.v8.log`];
  const { error } = spawnSync(node, [...logging, ...flags, ...command], { cwd, stdio: 'ignore', timeout: 180_000 });
  if (error !== undefined) throw error;
  const logs = readdirSync(place).map((file) => path.join(place, file));
  const [largest] = logs.toSorted((a, b) => statSync(b).size - statSync(a).size);
  if (largest === undefined) throw new Error(`${command.join(' ')} left no log`);
  return largest;
}
