import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isOwnCommand, noteOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { cacheIn, temporaryProject } from '../helpers/temporary-project.ts';

test('a command is this person’s where it was recorded, in its folder and as it was typed', async () => {
  const env = cacheIn(temporaryProject({}));
  const [command, cwd] = [['node', '--test', 'é.js'], '/app'];
  assert.equal(await isOwnCommand(command, cwd, env), false);
  await noteOwnCommand({ command, cwd, env }, command);
  await noteOwnCommand({ command, cwd, env }, command);
  assert.equal(await isOwnCommand(command, cwd, env), true);
  assert.equal(await isOwnCommand(command, '/other', env), false);
  assert.equal(await isOwnCommand(['node', '--test'], cwd, env), false);
  // Lists are read by other versions, too.
  const hash = createHash('sha256').update(JSON.stringify([cwd, ...command]));
  const list = readFileSync(path.join(env.XDG_CACHE_HOME, 'hotspan/own-commands.txt'), 'utf8');
  assert.equal(list, `${hash.digest('hex')}\n`);
});

test('one whose secrets were left out of the recording is not', async () => {
  const env = cacheIn(temporaryProject({}));
  await noteOwnCommand({ command: ['node', '--token=x'], cwd: '/app', env }, ['node', '--token=…']);
  assert.equal(await isOwnCommand(['node', '--token=…'], '/app', env), false);
});
