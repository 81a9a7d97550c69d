import { nodeBinary, takesTierFlags } from '../../protocol/node-binary.ts';
import { shimVariable, v8LogVariable } from '../../protocol/recording.ts';
import { tierFlags, v8LogPattern, withTierFlags } from '../../protocol/tier-flags.ts';
import { attempt, call, host, internal, isObject } from './host.ts';
import type { Run } from './run.ts';
import { isOver } from './run.ts';

/** How children get V8's log: a Node binary by its words, what a shell starts by a `node` that is found first. */
export interface TierChildren {
  /** For the environment of every child. */
  readonly variables: Readonly<Record<string, string>>;
  /** What `spawn` is to be given instead; null: as it is. Never throws. */
  readonly withFlags: (options: object) => object | null;
}

export function reachTierChildren(run: Run): TierChildren {
  const { shim } = run;
  const flags = tierFlags(run, run.intervalUs);
  const takesFlags = nodesThatTakeFlags();
  const flagged = (options: object): object | null => {
    const [name, ...words] = textsOf(internal(options, 'args'));
    const file = fileOf(options, shim);
    if (name === undefined || file === null || shim === '') return null;
    const withThem = withTierFlags(words, flags);
    if (withThem === null || isOver(run) || !takesFlags(file)) return null;
    return { ...options, file, args: [name, ...withThem] };
  };
  return {
    variables: { [v8LogVariable]: v8LogPattern(run.directory), [shimVariable]: shim },
    withFlags: (options) => {
      const result: { options: object | null } = { options: null };
      attempt(() => {
        result.options = flagged(options);
      });
      return result.options;
    },
  };
}

/** `child.spawnfile` and `child.spawnargs` as the program gave them. */
export function hideFlags(child: unknown, options: object): void {
  if (!(child instanceof host.ChildProcess)) return;
  Reflect.set(child, 'spawnfile', internal(options, 'file'));
  Reflect.set(child, 'spawnargs', internal(options, 'args'));
}

/** The Node binary that is going to be started; null: something else. */
function fileOf(options: object, shim: string): string | null {
  const file = internal(options, 'file');
  if (typeof file !== 'string' || file === process.execPath) return typeof file === 'string' ? file : null;
  return nodeBinary(file, {
    list: pathOf(textsOf(internal(options, 'envPairs'))),
    without: shim,
    platform: process.platform,
    isFile: (one) => host.statSync(one, { throwIfNoEntry: false })?.isFile() === true,
  });
}

function pathOf(pairs: readonly string[]): string {
  return pairs.find((pair) => /^PATH=/i.test(pair))?.slice('PATH='.length) ?? '';
}

/** This very Node does; of any other its version is asked, once. */
function nodesThatTakeFlags(): (file: string) => boolean {
  const known = new Map<string, boolean>([[process.execPath, true]]);
  return (file) => {
    const answer = known.get(file) ?? hasKnownVersion(file);
    known.set(file, answer);
    return answer;
  };
}

function hasKnownVersion(file: string): boolean {
  const asked = call(host.spawnSync, undefined, [file, ['--version'], { encoding: 'utf8', timeout: 5000 }]);
  const said = isObject(asked) ? internal(asked, 'stdout') : '';
  return takesTierFlags(String(said));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [];
}
