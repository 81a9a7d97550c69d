import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../../test/helpers/project.ts';

const processes = 7;

/**
 * Processor time of loading and activating the extension in processes of its own, in ms. Something stands in for VS Code
 * that answers whatever is asked, and there is a result to restore. What VS Code itself says is by the clock, in an
 * extension host in which many extensions start at the same time.
 */
export function activationTimes(folder: string): readonly number[] {
  const storage = path.join(folder, 'storage');
  mkdirSync(storage, { recursive: true });
  writeFileSync(path.join(storage, 'last-recording'), folder);
  return Array.from({ length: processes }, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['-e', program, projectFile('dist/extension.cjs'), storage],
      {
        encoding: 'utf8',
      },
    );
    if (stdout === '') throw new Error(stderr);
    return Number(stdout);
  });
}

/** What the extension host has loaded long before is loaded before the clock starts. */
const program = `
  const Module = require('node:module');
  for (const name of ['crypto', 'child_process', 'readline', 'fs/promises', 'timers/promises']) require('node:' + name);
  const anything = () => new Proxy(class {}, {
    get: (target, key) => key === 'prototype' ? target.prototype : key === 'then' ? undefined : key === 'get' ? (_, fallback) => fallback : anything(),
    set: () => true,
    apply: () => anything(),
    construct: () => anything(),
  });
  const vscode = anything();
  const load = Module._load;
  Module._load = function (name, ...rest) { return name === 'vscode' ? vscode : load.call(this, name, ...rest); };
  const [file, storage] = process.argv.slice(1);
  const storageUri = { fsPath: storage };
  const context = { subscriptions: [], extensionUri: anything(), asAbsolutePath: (name) => name, workspaceState: anything(), storageUri, globalStorageUri: storageUri };
  const before = process.threadCpuUsage();
  require(file).activate(context);
  const { user, system } = process.threadCpuUsage(before);
  console.log((user + system) / 1000);
  process.exit(0);`;
