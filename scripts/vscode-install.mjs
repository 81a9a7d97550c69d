// The real VS Code of the tests and of `npm run vscode`: code-server from npm, without a compiler and without downloads.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';
import { toolsEnvironment } from './tools.mjs';

const folder = path.join(root, 'test/e2e/vscode');
const codeServer = path.join(folder, 'node_modules/code-server');
const vscode = path.join(codeServer, 'lib/vscode');

/** VS Code's built-in extensions. */
export const builtinExtensions = path.join(vscode, 'extensions');

/** Started with the tools' Node. */
export const codeServerEntry = path.join(codeServer, 'out/node/entry.js');

/** Installs code-server as its lockfile says, unless that is what is there. */
export function ensureVscode() {
  const wanted = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  const stamp = path.join(folder, 'node_modules/.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  console.log('Installing VS Code (code-server from npm, 800 MB) …');
  npm(['ci'], folder);
  // VS Code and its built-in extensions bring lists of their own; `npm ci` refuses what code-server ships.
  npm(['install', '--omit=dev'], vscode);
  npm(['install', '--omit=dev'], path.join(vscode, 'extensions'));
  // Without scripts there is no native logger, and every output channel stays empty.
  copyFileSync(path.join(folder, 'spdlog-stub.cjs'), path.join(vscode, 'node_modules/@vscode/spdlog/index.js'));
  writeFileSync(stamp, wanted);
}

function npm(args, cwd) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32';
  execFileSync('npm', [...args, ...options], { cwd, env: toolsEnvironment, shell, stdio: ['ignore', 2, 2] });
}
