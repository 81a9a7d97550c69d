import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, scripts } from './drawn-files.ts';
import { hasProfiles, hasTests } from '../../recordings/recording-folders.ts';
import { startsTests } from '../../recorder/launch/npm-scripts/script-text.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('a run that told of no test ran none', async () => {
  const root = temporaryProject({ '7-0-x.turns.jsonl': '' });
  assert.equal(await hasTests(root), false);
  await writeFile(path.join(root, '7-0-x.tests.jsonl'), '["begin",1,1,"/app/a.test.js",["a"],-1]');
  assert.equal(await hasTests(root), true);
  assert.equal(await hasTests(path.join(root, 'none')), false);
  assert.equal(await hasProfiles(root), false);
  await writeFile(path.join(root, '1-0-x.0.cpuprofile'), '');
  assert.equal(await hasProfiles(root), true);
});

test('tests are expected of a command that starts a runner, itself or by a script', async () => {
  const list = {
    test: 'tsc && npm run unit',
    unit: 'vitest',
    build: 'tsc',
    'test:bun': 'bun test',
    start: 'node a.js',
  };
  const readers = drawnFiles({ '/repo/package.json': scripts(list) });
  const expects = (command: string): Promise<boolean> => startsTests(command.split(' '), onSystem('/repo'), readers);
  for (const command of ['npm test', 'npm run test -- --run', 'pnpm run unit --run', 'yarn unit', 'npx jest a.test.js'])
    assert.equal(await expects(command), true, command);
  for (const command of [
    'node /repo/node_modules/vitest/vitest.mjs run',
    'node --test',
    'node --test-name-pattern adds /repo/[id]/a.test.js',
    'node C:\\a\\jest\\bin\\jest.js',
  ])
    assert.equal(await expects(command), true, command);
  for (const command of ['npm run build', 'npm start', 'npm run test:bun', 'node a.js', 'npm run none'])
    assert.equal(await expects(command), false, command);
});
