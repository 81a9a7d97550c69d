import { spawnSync } from 'node:child_process';
import { projectFile } from '../../../test/helpers/project.ts';

const processes = 7;

/**
 * Processor time of loading and activating the extension in processes of its own, in ms, until `activate` returns: what
 * there is to restore is read after that. Something stands in for VS Code that answers whatever is asked; the folder is
 * the workspace. What VS Code itself says is by the clock, in an extension host in which many extensions start at the
 * same time.
 */
export function activationTimes(folder: string): readonly number[] {
  return Array.from({ length: processes }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program, projectFile('dist/extension.cjs'), folder], {
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr);
    return Number(stdout);
  });
}

/** What the extension host has loaded long before is loaded before the clock starts. */
const program = `
  const Module = require('node:module');
  for (const name of ['crypto', 'child_process', 'readline', 'fs/promises', 'timers/promises']) require('node:' + name);
  const [file, folder] = process.argv.slice(1);
  const uri = { fsPath: folder, scheme: 'file', toString: () => 'file://' + folder };
  const storage = { ...uri, fsPath: folder + '/storage' };
  const known = new Map([
    ['workspaceFolders', [{ uri, name: 'folder', index: 0 }]],
    ['get', (_, fallback) => fallback],
    ['then', undefined],
  ]);
  const anything = () => new Proxy(class {}, {
    get: (target, key) => key === 'prototype' ? target.prototype : known.has(key) ? known.get(key) : anything(),
    set: () => true,
    apply: () => anything(),
    construct: () => anything(),
    // The bundle takes its names from an object with the same prototype.
    getPrototypeOf: () => anything(),
  });
  const vscode = anything();
  const load = Module._load;
  Module._load = function (name, ...rest) { return name === 'vscode' ? vscode : load.call(this, name, ...rest); };
  const context = { subscriptions: [], extensionUri: anything(), asAbsolutePath: (name) => name, workspaceState: anything(), storageUri: storage, globalStorageUri: storage };
  const before = process.threadCpuUsage();
  require(file).activate(context);
  const { user, system } = process.threadCpuUsage(before);
  console.log((user + system) / 1000);
  process.exit(0);`;
