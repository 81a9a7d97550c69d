import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../helpers/project.ts';
import type { Project } from './setup.ts';

const cache = projectFile('.cache/recorder-matrix');

/** The project's folder, with its packages installed from npm where they are not there yet. Throws where they cannot be. */
export function install(project: Project): string {
  const folder = path.join(cache, project.name);
  const stamp = path.join(folder, '.installed');
  const wanted = createHash('sha256').update(JSON.stringify(project)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries({ ...project.files, 'package.json': manifestOf(project) })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  if (project.yarn !== undefined) yarn(folder, project.yarn);
  else if (Object.keys(project.packages).length > 0) run('npm', ['install', ...npmOptions], folder);
  writeFileSync(stamp, wanted);
  return folder;
}

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
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: { ...rest, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}
