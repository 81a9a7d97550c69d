// Finds the tests of the package in a folder, records them by the command line, and prints what blocked. The environment is
// the person's own. Runs on the tools' Node, which can import the sources as they are.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findTargets } from '../recorder/launch/targets/find-targets.ts';
import { fileReaders } from '../recorder/launch/packages/readers.ts';
import { defaultRecordingFolder } from '../recordings/default-folder.ts';

const cli = path.join(import.meta.dirname, '../dist/cli.cjs');
const [folder = process.cwd()] = process.argv.slice(2);
process.on('SIGINT', () => {});

const found = await findTargets(folder, fileReaders(process.env));
if (found.type === 'none') {
  console.error(found.message);
  process.exit(2);
}
const [target, ...others] = found.targets;
console.log(`$ ${shown(target)}`);
for (const note of target.notes) console.log(note);

const directory = await defaultRecordingFolder(target.folder, new Date());
const code = await hotspan(['record', '--quiet', '--out', directory, '--', ...target.command], target.env);
// Without it nothing could be started, which was said.
if (existsSync(directory)) {
  console.log();
  await hotspan(['analyze', directory]);
  console.log(`\nRecording: ${path.relative(process.cwd(), directory)}`);
}
for (const other of others) console.log(`Also here: ${shown(other)}`);
process.exitCode = code;

/** As one would type it here. */
function shown(one) {
  const below = path.relative(process.cwd(), one.folder);
  return `${below === '' ? '' : `cd ${below} && `}${one.command.join(' ')}`;
}

/** The exit code of `hotspan …`, run in the package's folder; 1 when a signal ended it. */
async function hotspan(words, env = {}) {
  const options = { cwd: target.folder, env: { ...process.env, ...env }, stdio: 'inherit' };
  const [exitCode] = await once(spawn(process.execPath, [cli, ...words], options), 'exit');
  return exitCode ?? 1;
}
