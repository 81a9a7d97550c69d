import assert from 'node:assert/strict';
import test from 'node:test';
import { appTargets, inEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { asDrawn, onSystem } from '../helpers/drawn-root.ts';
import { drawnFiles, scripts } from './drawn-files.ts';

async function found(files: Readonly<Record<string, string | object>>): Promise<readonly Target[]> {
  const result = await appTargets(onSystem('/repo'), drawnFiles(files));
  return result.type === 'none' ? assert.fail(result.message) : result.targets;
}

const commands = (targets: readonly Target[]): readonly string[] =>
  targets.map(({ label, command }) => `${label}: ${asDrawn(command.join(' '))}`);

test('apps are the scripts that start something, not those that test or build', async () => {
  const list = { build: 'tsc', start: 'node server.js', test: 'mocha', 'dev:api': 'tsx watch api.ts', predev: 'x' };
  assert.deepEqual(commands(await found({ '/repo/package.json': scripts(list) })), [
    'npm start: npm run start',
    'npm run dev:api: npm run dev:api',
  ]);
});

test('a package without such a script is started by its usual file', async () => {
  const targets = await found({ '/repo/package.json': '{}', '/repo/src/server.js': '', '/repo/lib.js': '' });
  assert.deepEqual(commands(targets), ['server.js: node /repo/src/server.js']);
});

test('where nothing starts an app, one sentence says what to do', async () => {
  const result = await appTargets(onSystem('/repo'), drawnFiles({ '/repo/package.json': '{}' }));
  assert.match(result.type === 'none' ? result.message : '', /no "start", "dev" or "serve" script\. Add one, or /);
});

test('watchers and compilers are said, and nothing else is', async () => {
  const note = async (text: string): Promise<string> =>
    (await found({ '/repo/package.json': scripts({ dev: text }) }))[0]?.notes.join(' ') ?? '';
  for (const text of ['nodemon app.js', 'tsx watch app.ts', 'node --inspect --watch app.js', 'nest start --watch'])
    assert.match(await note(text), /restarts the app at each change/, text);
  for (const text of ['next dev', 'vite', 'vite --port 3000'])
    assert.match(await note(text), /compiles while it serves/, text);
  for (const text of ['node app.js', 'next start', 'vite preview', 'node watch.js']) assert.equal(await note(text), '');
});

test('an app runs in the environment that was chosen, unless its script decides', async () => {
  const env = async (text: string): Promise<Target['env'] | undefined> => {
    const [target] = await found({ '/repo/package.json': scripts({ start: text }) });
    return target === undefined ? undefined : inEnvironment(target, 'production').env;
  };
  assert.deepEqual(await env('node app.js'), { NODE_ENV: 'production' });
  assert.deepEqual(await env('NODE_ENV=staging node app.js'), {});
});
