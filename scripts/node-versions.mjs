// The Node versions that the recorder, the engine and the CLI are tested on, each in .cache/node/<version>.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const versions = JSON.parse(readFileSync(path.join(root, 'test/helpers/node-versions.json'), 'utf8'));

/** Those of `npm run test:all`: the newest and the oldest. */
export function ensureOuterNodeVersions() {
  for (const version of [versions[0], versions.at(-1)]) ensure(version);
}

/** Installs missing versions from npm packages that contain only the binary of this platform. */
export function ensureNodeVersions() {
  for (const version of versions) ensure(version);
}

/** `node` of a version, or `node.exe`. */
export function nodePath(version) {
  const [bin, name] = process.platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node'];
  return path.join(root, '.cache/node', version, 'node_modules', packageName(), bin, name);
}

function ensure(version) {
  if (existsSync(nodePath(version))) return;
  const folder = path.join(root, '.cache/node', version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  console.log(`Installing Node ${version} …`);
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--loglevel=error', `${packageName()}@${version}`];
  execFileSync('npm', args, { cwd: folder, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });
}

function packageName() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}
