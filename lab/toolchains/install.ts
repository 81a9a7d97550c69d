import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Project } from './read-projects.ts';

/**
 * The project's folder in `tools`, without links in its path, with its files as they are now and its packages from npm.
 * Throws where they cannot be installed, at once where that was so before.
 */
export function install(project: Project, tools: string): string {
  const folder = path.join(tools, project.name);
  const stamp = path.join(folder, '.installed');
  const wanted = JSON.stringify([project.packages, project.hasScripts, project.yarn]);
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isInstalled) rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries({ ...project.files, 'package.json': manifestOf(project) })) {
    const place = path.join(folder, file);
    // What is the same is not written: watchers and caches look at times.
    if (existsSync(place) && readFileSync(place, 'utf8') === text) continue;
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  if (!isInstalled && project.yarn === undefined) npmInstall(project, folder);
  if (!isInstalled && project.yarn !== undefined) yarnInstall(project, project.yarn, { folder, tools });
  writeFileSync(stamp, wanted);
  return folder;
}

const limitMs = 5 * 60_000;

function manifestOf({ files, packages }: Project): string {
  const manifest: unknown = JSON.parse(files['package.json'] ?? '{ "private": true, "type": "module" }');
  return JSON.stringify({ ...(typeof manifest === 'object' ? manifest : {}), dependencies: packages }, null, 2);
}

function npmInstall({ name, packages, hasScripts = false }: Project, folder: string): void {
  if (Object.keys(packages).length === 0) return;
  const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  try {
    run('npm', [...args, ...(hasScripts ? [] : ['--ignore-scripts'])], folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`The packages of ${name} cannot be installed.`, { cause: error });
  }
}

interface YarnPlaces {
  readonly folder: string;
  readonly tools: string;
}

/** Yarn is one file, which is run from the project, as with its `yarnPath`. It does not read npm's own settings. */
function yarnInstall(project: Project, version: string, { folder, tools }: YarnPlaces): void {
  const home = install({ name: 'yarn', packages: { '@yarnpkg/cli-dist': version }, files: {} }, tools);
  mkdirSync(path.join(folder, '.yarn/releases'), { recursive: true });
  copyFileSync(
    path.join(home, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js'),
    path.join(folder, '.yarn/releases/yarn.cjs'),
  );
  writeFileSync(path.join(folder, 'yarn.lock'), '');
  const registry = run('npm', ['config', 'get', 'registry'], folder).trim();
  run(process.execPath, ['.yarn/releases/yarn.cjs', 'install'], folder, {
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: JSON.stringify([new URL(registry).hostname]),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_SCRIPTS: String(Number(project.hasScripts === true)),
  });
}

/** What it printed. Throws when it fails or takes too long. */
function run(command: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): string {
  const { NODE_OPTIONS: _ignored, ...env } = process.env;
  const { status, signal, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...env, ...more },
    timeout: limitMs,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  const how = signal === null ? 'failed' : `did not end in ${limitMs / 60_000} minutes`;
  throw new Error(`${command} ${args[0]} ${how}: ${`${stdout}${stderr}`.trim()}`);
}
