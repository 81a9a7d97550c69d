import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireOption } from '../../../recorder/command-lines/shell-command.ts';
import { tierFlags } from '../../../recorder/command-lines/tier-flags.ts';

/** How a program is run: bare, under Node's own profiler, or under the recorder. */
export interface Variant {
  readonly name: string;
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The folder that its profiles or its recording go to. */
  readonly out?: string;
}

export const bare = 'bare';
export const profiled = '--cpu-prof';
const written = '--cpu-prof, written';

/**
 * Node's profiler in every process of a suite, as it is, and once more with a profile written at SIGTERM, because a
 * process that is ended by a signal writes none, and Vitest ends its forks so. Node 20 takes `--cpu-prof` only on its
 * command line: there a preload does the same.
 */
export function profiledEverywhere(folder: string, node: string): readonly Variant[] {
  const out = mkdtempSync(path.join(folder, 'profiles-'));
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
  const preload = (name: string, text: string): string => {
    const file = path.join(out, name);
    writeFileSync(file, text);
    return requireOption(file);
  };
  const profile = version.startsWith('v20.')
    ? preload('profile.cjs', ownProfile)
    : `--cpu-prof "--cpu-prof-dir=${out}"`;
  const exit = preload('exit.cjs', `process.once('SIGTERM', () => process.exit(143));`);
  const variant = (name: string, options: string): Variant => ({
    name,
    options: [],
    env: { ...process.env, NODE_OPTIONS: options },
  });
  return [variant(profiled, profile), variant(written, `${profile} ${exit}`)];
}

const ownProfile = `
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1000 });
  session.post('Profiler.start');
  process.once('exit', () => session.post('Profiler.stop', (error, { profile }) => {
    require('node:fs').writeFileSync(__dirname + '/' + process.pid + '.cpuprofile', JSON.stringify(profile));
  }));
`;

/** `recorder` is a file to preload. Its recording has a folder of its own in `folder`. */
export function variantsIn(folder: string, recorder: string): readonly Variant[] {
  const out = recordingIn(folder, 'profile');
  return [
    { name: bare, options: [], env: process.env },
    { name: profiled, options: ['--cpu-prof', `--cpu-prof-dir=${out}`], env: process.env, out },
    { name: 'recorder', options: [], env: recordedInto(out, recorder) },
  ];
}

/** The same with V8's log of tiers in place of a profile. */
export function tiersIn(folder: string, recorder: string): Variant {
  const out = recordingIn(folder, 'tiers');
  const options = tierFlags({ directory: out, shim: folder }, 1000);
  return { name: 'recorder --tiers', options, env: { ...recordedInto(out, recorder), HOTSPAN_SHIM: folder }, out };
}

/** The recorder that only counts turns, as in production. */
export function histogramIn(folder: string, recorder: string): Variant {
  const env = { ...process.env, HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: path.join(folder, 'turns.log') };
  return { name: 'histogram', options: ['--require', recorder], env };
}

function recordingIn(folder: string, kind: 'profile' | 'tiers'): string {
  const out = mkdtempSync(path.join(folder, 'recording-'));
  writeFileSync(
    path.join(out, 'recording.json'),
    JSON.stringify({ version: 1, kind, endedAt: null, evaluated: false }),
  );
  return out;
}

function recordedInto(out: string, recorder: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_OPTIONS: requireOption(recorder), HOTSPAN_DIR: out, HOTSPAN_INTERVAL: '1000' };
}
