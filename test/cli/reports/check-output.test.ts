import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCommand } from '../../../cli/commands/check.ts';
import { outputOf } from '../../../cli/views/terminal.ts';
import { budgetFile } from '../../../protocol/budget.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import type { WantedReport } from '../../../cli/arguments/check-arguments.ts';

/** Exit code and what was said, where nothing has to be run for it. */
async function check(format: 'table' | 'json', reports: readonly WantedReport[]) {
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text), once: () => null };
  const out = outputOf(stream, {});
  const options = {
    paths: [],
    takenFor: null,
    maps: [],
    command: [],
    budget: budgetFile,
    update: false,
    thresholdUs: defaultThresholdUs,
  };
  const around = { cwd: '/nowhere', env: {}, recorderFile: '', version: '0.1.0' };
  const code = await checkCommand({
    options: { ...options, format, reports },
    terminal: { out, err: out },
    surroundings: around,
  });
  return { code, said: said.join('') };
}

test('two things for standard output are refused before anything runs', async () => {
  const sarif = { format: 'sarif', file: null } as const;
  const github = { format: 'github', file: null } as const;
  for (const { code, said } of [await check('table', [sarif, github]), await check('json', [github])]) {
    assert.equal(code, 2);
    assert.match(said, /^hotspan: Only one thing can go to standard output: name files for the reports/);
  }
  const twice = ['a', './a'].map((file) => ({ ...sarif, file }));
  assert.match(
    (await check('table', twice)).said,
    /^hotspan: Only one report can go to .nowhere.a: name a file for each\.$/m,
  );
  assert.match(
    (await check('json', [{ ...sarif, file: 'a.sarif' }])).said,
    /^hotspan: hotspan\.budget\.json is not here/,
  );
});
