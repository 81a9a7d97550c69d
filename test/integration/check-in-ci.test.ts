import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { runScript } from '../helpers/action-steps.ts';
import { projectFile } from '../helpers/project.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { newFolder, Repository } from '../helpers/temporary-repository.ts';

/** An example of this repository in a clone of its own, with what it has installed. */
function cloneOf(example: string): Repository {
  const repository = new Repository({});
  const source = projectFile(`examples/${example}`);
  const modules = path.join(source, 'node_modules');
  cpSync(source, repository.folder, { recursive: true, filter: (file) => file !== modules });
  symlinkSync(modules, path.join(repository.folder, 'node_modules'));
  repository.git('add', '-A');
  repository.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'example');
  return repository;
}

/** The variables of a job on GitHub, and a `hotspan` on its PATH, as the action's first step leaves it. */
function jobIn(repository: Repository): Readonly<Record<string, string>> {
  const [bin, files] = [newFolder(), newFolder()];
  const command = path.join(bin, 'hotspan');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${projectFile('dist/cli.cjs')}' "$@"\n`);
  chmodSync(command, 0o755);
  const [output, summary] = [path.join(files, 'output'), path.join(files, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  return {
    ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: repository.folder },
    ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
    ...{ HOTSPAN_COMMAND: 'npm test', HOTSPAN_BUDGET: 'hotspan.budget.json', HOTSPAN_REPORTS: 'junit=out/junit.xml' },
    PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  };
}

interface Job {
  /** Of the step that checks. */
  readonly stdout: string;
  readonly summary: string;
  readonly output: string;
  /** Of the step that judges. */
  readonly status: number | null;
}

/** Runs the steps of the action one after the other. */
function runAction(repository: Repository): Job {
  const job = jobIn(repository);
  const env = { ...repository.env, NODE_TEST_CONTEXT: undefined, ...job };
  const check = runScript('Check the budget', env, repository.folder);
  assert.equal(check.status, 0, check.stderr);
  const output = readFileSync(job['GITHUB_OUTPUT'] ?? '', 'utf8');
  const [, CODE = ''] = /^exit-code=(\d)$/m.exec(output) ?? [];
  const judge = runScript('Judge', { ...env, CODE, FAIL_ON_UNCLEAR: 'true' }, repository.folder);
  const summary = readFileSync(job['GITHUB_STEP_SUMMARY'] ?? '', 'utf8');
  return { stdout: check.stdout, summary, output, status: judge.status };
}

const update = async ({ folder, env }: Repository): Promise<CliRun> =>
  runCli(['check', '--update', '--', 'npm', 'test'], { cwd: folder, env });

/** Two processes that take all of the processor that they can get. */
async function beside<Result>(work: () => Promise<Result>): Promise<Result> {
  const spinners: readonly ChildProcess[] = [1, 2].map(() =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL');
  }
}

describe('the action that checks a budget, in a clone with the variables of a job (real clock)', () => {
  test('is green on the healthy example, also beside two spinners', async () => {
    const repository = cloneOf('healthy');
    const made = await update(repository);
    assert.equal(made.code, 0, made.stderr);
    const job = await beside(async () => runAction(repository));
    assert.deepEqual([job.status, job.output], [0, 'exit-code=0\n'], job.stdout);
    // Beside spinners a function may come near its budget, which is a warning and fails nobody.
    assert.doesNotMatch(job.stdout, /^::error/m);
    assert.match(job.summary, /^### Hotspan: budget\n\nWithin budget/);
  });

  test('is red on the shop once its budget is lowered, at the line of the function', async () => {
    const repository = cloneOf('shop');
    const made = await update(repository);
    assert.equal(made.code, 0, made.stderr);
    const file = path.join(repository.folder, 'hotspan.budget.json');
    const text = readFileSync(file, 'utf8');
    const lowered = text.replace(/("[^"]*snapshot": \{\s+"worstMs": )\d+/, '$115');
    assert.notEqual(lowered, text);
    writeFileSync(file, lowered);
    const job = runAction(repository);
    assert.deepEqual([job.status, job.output], [1, 'exit-code=1\n'], job.stdout);
    assert.match(
      job.stdout,
      /^::error file=src\/catalogue\/catalogue\.js,line=\d+,title=Hotspan%3A over budget::.*snapshot: /m,
    );
    assert.match(job.summary, /\| over \| .*snapshot/);
    assert.match(readFileSync(path.join(repository.folder, 'out/junit.xml'), 'utf8'), /failures="1"/);
  });
});
