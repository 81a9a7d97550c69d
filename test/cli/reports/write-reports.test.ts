import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isInvalid } from '../../../cli/arguments/command.ts';
import { parseReport } from '../../../cli/arguments/check-arguments.ts';
import { besideReports, writeReports } from '../../../cli/commands/write-reports.ts';
import type { BudgetCheck } from '../../../protocol/budget.ts';
import { mixed } from './checks.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

/** A new folder, and a way to write reports from it. */
function project(env: NodeJS.ProcessEnv = {}, cwd = '.') {
  const folder = temporaryProject({});
  const printed: string[] = [];
  const write = async (typed: readonly string[], check: BudgetCheck = mixed): Promise<readonly string[]> => {
    const reports = typed.flatMap((one) => {
      const parsed = parseReport(one);
      return isInvalid(parsed) ? [] : [parsed];
    });
    const out = { write: (text: string) => printed.push(text) };
    const named = Object.fromEntries(Object.entries(env).map(([name, value = '']) => [name, path.join(folder, value)]));
    const where = { cwd: path.join(folder, cwd), env: named, version: '0.1.0', budget: 'hotspan.budget.json', out };
    return writeReports(check, reports, where);
  };
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  return { folder, write, read, printed };
}

test('each report is written to its file, whose folder is made, and what has none is printed', async () => {
  const { folder, write, read, printed } = project();
  assert.deepEqual(await write(['sarif=out/a.sarif', 'junit=j.xml', 'gitlab']), []);
  assert.match(read('out/a.sarif'), /"version": "2\.1\.0"/);
  assert.match(read('j.xml'), /^<\?xml/);
  assert.match(printed.join(''), /"check_name": "hotspan-function-budget"/);
  assert.deepEqual(readdirSync(folder).toSorted(), ['j.xml', 'out']);
});

test('GitHub gets annotations on standard output, and its summary is added to what is there', async () => {
  const { folder, write, read, printed } = project({ GITHUB_STEP_SUMMARY: 'summary.md' });
  writeFileSync(path.join(folder, 'summary.md'), '# Before\n');
  assert.deepEqual(await write(['github']), []);
  assert.match(printed.join(''), /^::error file=/);
  assert.match(read('summary.md'), /^# Before\n### Hotspan: budget\n/);
});

test('an unwritable file is a sentence, what was there stays, and the others are written', async () => {
  const { folder, write, read } = project();
  mkdirSync(path.join(folder, 'taken'));
  const failures = await write(['sarif=taken', 'junit=j.xml', 'gitlab=j.xml/below-a-file']);
  assert.equal(failures.length, 2);
  assert.match(failures[0] ?? '', /^taken cannot be written: EISDIR.+\.$/);
  assert.match(failures[1] ?? '', /^j\.xml\/below-a-file cannot be written: E\w+.+\.$/);
  assert.match(read('j.xml'), /^<\?xml/);
  assert.deepEqual(readdirSync(folder).toSorted(), ['j.xml', 'taken']);
});

test('a link is written through and stays a link', async () => {
  const { folder, write, read } = project();
  symlinkSync('real.xml', path.join(folder, 'link.xml'));
  assert.deepEqual(await write(['junit=link.xml']), []);
  assert.match(read('real.xml'), /^<\?xml/);
});

test('the budget of files fetched without .git is below the folder that the service names', async () => {
  const { folder, write, read } = project({ GITHUB_WORKSPACE: '.' }, 'packages/api');
  mkdirSync(path.join(folder, 'packages/api'), { recursive: true });
  writeFileSync(path.join(folder, 'packages/api/package.json'), '{}');
  assert.deepEqual(await write(['gitlab=out.json']), []);
  assert.match(read('packages/api/out.json'), /"path": "packages\/api\/hotspan\.budget\.json"/);
});

test('the table beside annotations is kept from being obeyed', () => {
  const github = { format: 'github', file: null } as const;
  assert.match(besideReports('::error::x\n', [github]), /^::stop-commands::([\w-]{36})\n::error::x\n::\1::\n$/);
  assert.equal(besideReports('table\n', [{ format: 'github', file: 'a.txt' }]), 'table\n');
});

test('a report is a format, and a file where one is named', () => {
  assert.deepEqual(parseReport('sarif=a=b.sarif'), { format: 'sarif', file: 'a=b.sarif' });
  assert.deepEqual(parseReport('github'), { format: 'github', file: null });
  const sentences = ['html=x', '', 'sarif='].map((typed) => {
    const parsed = parseReport(typed);
    return isInvalid(parsed) ? parsed.message : '';
  });
  assert.deepEqual(sentences, [
    'Unknown report "html": choose github, gitlab, sarif or junit, as in --report sarif=out.sarif.',
    'Unknown report "": choose github, gitlab, sarif or junit, as in --report sarif=out.sarif.',
    'Name a file after "sarif=", or leave the "=" out for standard output.',
  ]);
});
