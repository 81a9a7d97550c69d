// Finds the tests of the package in a folder, records them, and prints what blocked, in the user's own environment. Runs on
// the tools' Node, which can import TypeScript.
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
// Without it nothing was started, and a message said why.
if (existsSync(directory)) {
  console.log();
  await hotspan(['analyze', directory]);
  console.log(`\nRecording: ${path.relative(process.cwd(), directory)}`);
}
for (const other of others) console.log(`Also here: ${shown(other)}`);
process.exitCode = code;

/** As typed in the current folder. */
function shown(one) {
  const below = path.relative(process.cwd(), one.folder);
  return `${below === '' ? '' : `cd ${below} && `}${one.command.join(' ')}`;
}

/** Runs `hotspan …` in the package's folder. Gives its exit code; 1 if a signal ended it. */
async function hotspan(words, env = {}) {
  const options = { cwd: target.folder, env: { ...process.env, ...env }, stdio: 'inherit' };
  const [exitCode] = await once(spawn(process.execPath, [cli, ...words], options), 'exit');
  return exitCode ?? 1;
}
