import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { busyFor } from '../helpers/busy-for.ts';
import { runScript } from '../helpers/action-steps.ts';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const node = `'${process.execPath}'`;

/** Ways in which a command fails, with the exit code of the job and what its log must have. */
const failures: readonly (readonly [command: string, code: number, output: RegExp])[] = [
  [`${node} -e 'console.log("3 tests failed"); process.exitCode = 1'`, 1, /3 tests failed/],
  [`${node} -e 'process.exitCode = 3; console.error("like unclear")'`, 3, /like unclear/],
  [`${node} -e 'process.exit(2)'`, 2, /The command failed/],
  [`${node} -e 'throw new Error("uncaught")'`, 1, /Error: uncaught/],
  [`${node} -e 'process.abort()'`, 134, /ended by SIGABRT/],
  [`${node} -e 'process.kill(process.pid, "SIGKILL")'`, 137, /ended by SIGKILL/],
  [`sh -c 'echo no node here; exit 7'`, 7, /no node here/],
  [`sh -c '${node.replaceAll("'", '"')} -e 0 && exit 9'`, 9, /The command failed/],
  ['no-such-program --x', 127, /no such command on the PATH/],
  [
    `A='1 2' B= ${node} -e 'process.exit(process.env.A === "1 2" && process.env.B === "" ? 5 : 1)'`,
    5,
    /command failed/,
  ],
  [`'npm test'`, 127, /"npm test", which is one word: write the command without quotes/],
  ['./hotspan.budget.json', 127, /no executable file/],
  ['npm run build\nnpm test', 2, /::error title=Hotspan::The input "command" has several lines/],
  ['npm run build && npm test', 2, /::error title=Hotspan::The input "command" is not a program with its arguments/],
];

/** Runs the steps of the action one after the other. Gives what the job printed, and how it ended. */
function runJob(command: string): { readonly code: number | null; readonly log: string } {
  const project = temporaryProject({
    'hotspan.budget.json': '{ "version": 1, "whole": { "worstMs": 500 } }',
    hotspan: `#!/bin/sh\nexec ${node} '${projectFile('dist/cli.cjs')}' "$@"\n`,
    output: '',
    'recordings/x': '',
  });
  chmodSync(path.join(project, 'hotspan'), 0o755);
  const output = path.join(project, 'output');
  const env = {
    ...{ ...process.env, NODE_TEST_CONTEXT: undefined, PATH: `${project}:${process.env['PATH'] ?? ''}` },
    ...{ GITHUB_OUTPUT: output, HOTSPAN_RECORDINGS: path.join(project, 'recordings') },
    ...{ HOTSPAN_COMMAND: command, HOTSPAN_BUDGET: 'hotspan.budget.json', HOTSPAN_REPORTS: '' },
  };
  const check = runScript('Check the budget', env, project);
  assert.equal(check.status, 0, 'What comes after the check has to run.');
  const given = readFileSync(output, 'utf8');
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(given)?.[1] ?? '';
  writeFileSync(output, '');
  const judged = { CODE: valueOf('exit-code'), COMMAND_CODE: valueOf('command-exit-code'), FAIL_ON_UNCLEAR: 'false' };
  const judge = runScript('Judge', { ...env, ...judged }, project);
  return { code: judge.status, log: check.stdout + check.stderr + judge.stdout };
}

for (const [command, code, output] of failures) {
  test(`a job is red where its command is ${JSON.stringify(command).replaceAll(process.execPath, 'node')}`, () => {
    const job = runJob(command);
    assert.equal(job.code, code, job.log);
    assert.match(job.log, output);
  });
}

test('a job is green where its command ends well, also behind a backslash and with a line break at its end', () => {
  const job = runJob(`${node} \\\n  -e '${busyFor(60)}'\n`);
  assert.equal(job.code, 0, job.log);
});
