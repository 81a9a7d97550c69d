import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireOption } from '../../protocol/node-options.ts';

/** How a program is run: bare, under Node's own profiler, under the recorder or parts of it. */
export interface Variant {
  readonly name: string;
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export const bare = 'bare';
export const profiled = '--cpu-prof';

/** `recorder` and `parts`: files to preload. Recordings go to folders of their own in `folder`. */
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
    ...['', 'hooks', 'profiler', 'profiler,pulse', 'maps', 'collections'].map(partOf),
  ];
}
