import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { microseconds } from '../../../protocol/units.ts';
import { projectFile } from '../../helpers/project.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { program } from './recorded.ts';

/** A program that has said something. By itself it opens an inspector at a port that the system chooses, when asked to. */
export async function running(t: TestContext, node: string, text: string, options = ['--inspect-port=127.0.0.1:0']) {
  const folder = program(t, { 'program.js': text });
  const app = spawn(node, [...options, 'program.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => app.kill('SIGKILL'));
  const said: readonly unknown[] = await once(app.stdout, 'data');
  return { app, folder, said: String(said[0]).trim() };
}

/** For `attach`: a recording there, of what is attached to from the folder around it. */
export function attachedInto(out: string) {
  return {
    ...{ cwd: path.dirname(out), out, intervalUs: microseconds(1000), hotspanVersion: '0.0.0', notes: [] },
    recorderFile: projectFile('dist/attached.cjs'),
  };
}

/** The command line that has attached to a process. `said`: what it has written until now. */
export async function attachedByCli(t: TestContext, folder: string, pid: number | undefined) {
  const args = [projectFile('dist/cli.cjs'), 'record', '--out', 'out', '--attach', `pid:${pid}`];
  const cli = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => cli.kill('SIGKILL'));
  const pieces: string[] = [];
  cli.stderr.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  const said = (): string => pieces.join('');
  await waitUntil(() => said().includes('Press Ctrl+C'));
  return { cli, said };
}
