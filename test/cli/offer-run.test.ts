import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { offerRun } from '../../cli/commands/offer-run.ts';
import { outputOf } from '../../cli/views/terminal.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** What is said in a project where the person types these lines, and what is run then. */
async function asked(files: Readonly<Record<string, string>>, typed: readonly string[]) {
  const said: string[] = [];
  const err = outputOf({ write: (text) => said.push(text), once: () => undefined }, {});
  const surroundings = { cwd: temporaryProject(files), env: process.env, recorderFile: '', version: '0' };
  const offered = await offerRun(err, surroundings, Readable.from(typed));
  const command = offered.type === 'answered' ? (offered.target?.command.join(' ') ?? 'nothing') : offered.message;
  return { text: said.join(''), command };
}

const tested = { 'package.json': '{ "scripts": { "test": "node --test" } }' };

describe('hotspan alone', () => {
  test('says what it would run, and Enter runs it', async () => {
    const { text, command } = await asked(tested, ['\n']);
    assert.match(text, /\n {2}hotspan record -- npm test\n[^]*Run it\? \[Y\/n\] $/);
    assert.match(command, /^npm (run )?test$/);
    assert.equal((await asked(tested, ['Yes\n'])).command, command);
  });

  test('says what the script does, and prefers the one that only tests', async () => {
    const scripts = {
      pretest: 'npm run clean',
      test: 'eslint --fix . && npm run unit',
      unit: 'mocha',
      clean: 'rm -r out',
    };
    const { text, command } = await asked({ 'package.json': JSON.stringify({ scripts }) }, ['\n']);
    assert.match(text, /\n {2}hotspan record -- npm run unit\n {2}which runs: mocha\n\n/);
    assert.match(text, /\nAlso here: npm test: npm run clean && eslint --fix \. && npm run unit\n/);
    assert.equal(command, 'npm run unit');
  });

  test('runs nothing after a no, or where the input ends, and says what else there is', async () => {
    for (const typed of [['n\n'], ['what?\n'], []]) {
      const { text, command } = await asked(tested, typed);
      assert.equal(command, 'nothing');
      assert.match(text, /Nothing was run\. "hotspan record -- COMMAND"/);
    }
  });

  test('takes the package manager of the lockfile', async () => {
    assert.match((await asked({ ...tested, 'pnpm-lock.yaml': '' }, ['\n'])).command, /^pnpm /);
    assert.match((await asked({ ...tested, 'yarn.lock': '' }, ['\n'])).command, /^yarn /);
  });

  test('names the app to record if it finds no tests', async () => {
    const inPackage = (text: string) => asked({ 'package.json': text }, ['\n']);
    assert.match(
      (await inPackage('{ "scripts": { "start": "node a" } }')).command,
      /the app: "hotspan -- npm start"\.$/,
    );
    for (const { text, command } of [await inPackage('{}'), await asked({}, ['\n'])])
      assert.match(`${text}${command}`, /^No tests .* Record a program: "hotspan -- node FILE\.js"\.$/);
  });
});
