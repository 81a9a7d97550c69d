import assert from 'node:assert/strict';
import type { CliRun } from '../helpers/run-cli.ts';
import type { Repository } from '../helpers/temporary-repository.ts';

/** Runs the command line in a repository. */
export async function run(repository: Repository, ...words: readonly string[]): Promise<CliRun> {
  return repository.run(words);
}

/** Whatever was measured: it ran to the end. */
export function assertJudged({ code, stderr }: CliRun): void {
  assert.ok([0, 1, 3].includes(code ?? Number.NaN), stderr);
}
