import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../helpers/project.ts';
import type { Project } from './setup.ts';

const cache = projectFile('.cache/recorder-matrix');

/** `mocha 11.7.5, c8 10.1.3`, as they lie there. */
export function installedPackages({ name, packages, yarn }: Project): string {
  const folder = path.join(cache, name);
  const versions = Object.keys(packages).map((one) => `${one} ${versionIn(path.join(folder, 'node_modules', one))}`);
  const tool = yarn === undefined ? [] : [`yarn ${versionIn(path.join(cache, 'yarn/node_modules/@yarnpkg/cli-dist'))}`];
  return [...tool, ...versions].join(', ');
}

function versionIn(folder: string): string {
  const file = path.join(folder, 'package.json');
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : '';
}

/** The project's folder, with its packages installed from npm where they are not there yet. Throws where they cannot be. */
export function install(project: Project): string {
  const folder = path.join(cache, project.name);
  const stamp = path.join(folder, '.installed');
  const wanted = JSON.stringify([project.packages, project.yarn, project.files['.yarnrc.yml']]);
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isInstalled) rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries({ ...project.files, 'package.json': manifestOf(project) })) {
    if (isInstalled && file === 'yarn.lock') continue; // Yarn has filled it.
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  if (isInstalled) return folder;
  if (project.yarn !== undefined) yarn(folder, project.yarn);
  else if (Object.keys(project.packages).length > 0) run('npm', ['install', ...npmOptions], folder);
  writeFileSync(stamp, wanted);
  return folder;
}

const installMs = 5 * 60_000;
const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

function manifestOf({ files, packages }: Project): string {
  const manifest: unknown = JSON.parse(files['package.json'] ?? '{ "private": true }');
  return JSON.stringify({ ...(typeof manifest === 'object' ? manifest : {}), dependencies: packages });
}

/** Yarn 4 does not read npm's own settings. */
function yarn(folder: string, words: readonly string[]): void {
  const home = install({ name: 'yarn', packages: { '@yarnpkg/cli-dist': '^4' }, files: {} });
  const tool = path.join(home, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
  // Yarn is one file, and is run from the project, as with its `yarnPath`.
  mkdirSync(path.join(folder, '.yarn/releases'), { recursive: true });
  copyFileSync(tool, path.join(folder, '.yarn/releases/yarn.cjs'));
  const registry = run('npm', ['config', 'get', 'registry'], folder).trim();
  const hosts = JSON.stringify([new URL(registry).hostname]);
  const settings = {
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: hosts,
    YARN_ENABLE_TELEMETRY: '0',
  };
  run(process.execPath, ['.yarn/releases/yarn.cjs', ...words], folder, { ...settings, YARN_ENABLE_SCRIPTS: '0' });
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { NODE_OPTIONS: _ignored, ...rest } = process.env;
  const options = {
    cwd,
    env: { ...rest, ...env },
    timeout: installMs,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  } as const;
  const { status, signal, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) {
    const how = signal === null ? 'failed' : `did not end in ${installMs / 60_000} minutes`;
    throw new Error(`${command} ${args.join(' ')} ${how} for ${path.basename(cwd)}:\n${stdout}${stderr}`);
  }
  return stdout;
}
