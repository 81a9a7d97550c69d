import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectFile } from './project.ts';

/** The script of a step of action.yml, by the step's name. */
export function scriptOf(step: string): string {
  const [, after = ''] = readFileSync(projectFile('action.yml'), 'utf8').split(`- name: ${step}\n`);
  const [, script = ''] = /\n {6}run: \|\n((?: {8}.*\n|\n)+)/.exec(after) ?? [];
  return script.replaceAll(/^ {8}/gm, '');
}

/** Runs it as GitHub does. */
export function runScript(
  step: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', scriptOf(step)];
  return spawnSync('bash', words, { env, cwd, encoding: 'utf8' });
}
