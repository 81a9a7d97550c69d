import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireOption } from '../../recorder/command-lines/node-options.ts';

/** How a program is run: bare, under Node's own profiler, or under the recorder or parts of it. */
export interface Variant {
  readonly name: string;
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
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

/** `recorder` and `parts` are files to preload. Each recording has a folder of its own in `folder`. */
export function variantsIn(folder: string, recorder: string, parts: string): readonly Variant[] {
  const out = mkdtempSync(path.join(folder, 'recording-'));
  writeFileSync(path.join(out, 'recording.json'), '{ "version": 1, "endedAt": null, "evaluated": false }');
  const recorded = (file: string): NodeJS.ProcessEnv => ({
    ...process.env,
    NODE_OPTIONS: requireOption(file),
    HOTSPAN_DIR: out,
    HOTSPAN_INTERVAL: '1000',
  });
  const partOf = (names: string): Variant => ({
    name: `  ${names}`,
    options: [],
    env: { ...recorded(parts), HOTSPAN_PARTS: names },
  });
  return [
    { name: bare, options: [], env: process.env },
    { name: profiled, options: ['--cpu-prof', `--cpu-prof-dir=${out}`], env: process.env },
    { name: 'recorder', options: [], env: recorded(recorder) },
    ...['', 'hooks', 'profiler', 'profiler,pulse', 'maps', 'collections', 'requests', 'hooks,profiler,requests'].map(
      partOf,
    ),
  ];
}
