import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { nodePath } from '../../scripts/node-versions.mjs';
import versions from './node-versions.json' with { type: 'json' };

export interface NodeVersion {
  /** `20.20.2`. */
  readonly version: string;
  /** Its binary, absolute. */
  readonly node: string;
}

/** The Node on the person's PATH, which need not be the one of the tools. */
export function installedNode(): NodeVersion {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const isTools = (folder: string): boolean => folder.endsWith(path.join('node_modules', '.bin'));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const files = folders.filter((folder) => !isTools(folder)).map((folder) => path.join(folder, name));
  const node = files.find((file) => existsSync(file)) ?? process.execPath;
  return { version: execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(), node };
}

/**
 * The Node versions that a test of real programs runs on: the newest, and the major versions `also` on which what it tests
 * has differed. `npm run nightly` sets HOTSPAN_NODES=all for each version that Hotspan runs on, oldest first.
 */
export function testedVersions(...also: readonly string[]): readonly NodeVersion[] {
  if (process.env['HOTSPAN_NODES'] === 'all') return nodeVersions();
  return [...also, versions.at(-1) ?? ''].map((version) => nodeVersion(version));
}

/** The Node versions that Hotspan runs on, oldest first. */
export function nodeVersions(): readonly NodeVersion[] {
  return versions.map((version) => nodeVersion(version));
}

/** The tested one of a major version, `20`, or of a whole version. Throws when it is not installed. */
export function nodeVersion(wanted: string): NodeVersion {
  const version = versions.find((one) => one === wanted || one.startsWith(`${wanted}.`)) ?? wanted;
  const node = version === process.versions.node ? process.execPath : nodePath(version);
  if (!existsSync(node))
    throw new Error(`Node ${version} is missing: "npm run test:all" and "npm run nightly" install it.`);
  return { version, node };
}
