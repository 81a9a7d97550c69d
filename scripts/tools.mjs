// Runs what `npm ci` has put into node_modules/.bin, with the Node that the project's tools want.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './setup.mjs';

const bin = path.join(root, 'node_modules', '.bin');

/** The Node of the devDependencies: the machine's may be as old as 20. */
export const toolsNode = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node');

/** The environment in which `node` is the devDependency's. */
export const toolsEnvironment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };

/** Runs a tool with this process's output. Its exit code; 1 when it was killed or could not be started. */
export function runTool(name, args, options = {}) {
  const shell = process.platform === 'win32';
  const result = spawnSync(path.join(bin, name), args, {
    cwd: root,
    env: toolsEnvironment,
    stdio: 'inherit',
    shell,
    ...options,
  });
  if (result.error !== undefined) console.error(`${name} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}
