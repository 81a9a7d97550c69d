import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Project } from './setup.ts';

/**
 * The project's folder in `tools`, without links in its path, with its files as they are now and its packages from npm.
 * Throws where they cannot be installed, at once where that was so before.
 */
export function install(project: Project, tools: string): string {
  const folder = path.join(tools, project.name);
  const stamp = path.join(folder, '.installed');
  const wanted = JSON.stringify([project.packages, project.hasScripts]);
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isInstalled) rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries({ ...project.files, 'package.json': manifestOf(project) })) {
    const place = path.join(folder, file);
    // What is the same is not written: watchers and caches look at times.
    if (existsSync(place) && readFileSync(place, 'utf8') === text) continue;
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  if (!isInstalled) npmInstall(project, folder);
  writeFileSync(stamp, wanted);
  return folder;
}

const limitMs = 3 * 60_000;

function manifestOf({ files, packages }: Project): string {
  const manifest: unknown = JSON.parse(files['package.json'] ?? '{ "private": true, "type": "module" }');
  return JSON.stringify({ ...(typeof manifest === 'object' ? manifest : {}), dependencies: packages }, null, 2);
}

function npmInstall({ name, packages, hasScripts = false }: Project, folder: string): void {
  if (Object.keys(packages).length === 0) return;
  const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  const { NODE_OPTIONS: _ignored, ...env } = process.env;
  const { status, signal, stderr } = spawnSync('npm', [...args, ...(hasScripts ? [] : ['--ignore-scripts'])], {
    cwd: folder,
    env,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  const how = signal === null ? `failed: ${stderr.trim()}` : `did not end in ${limitMs / 60_000} minutes`;
  throw new Error(`npm install for ${name} ${how}`);
}
