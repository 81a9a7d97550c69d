import path from 'node:path';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { type NodeVersion, nodeVersions } from '../../test/helpers/node-versions.ts';

/** Those that are asked for, by the begin of a version (`24`) or by file; all that are tested where none is. */
export function nodesOf(wanted: readonly string[]): readonly NodeVersion[] {
  ensureNodeVersions();
  const tested = nodeVersions();
  if (wanted.length === 0) return tested;
  return wanted.flatMap((name) => {
    if (name.includes('/')) return [{ version: path.basename(name), node: path.resolve(name) }];
    return tested.filter(({ version }) => `${version}.`.startsWith(`${name}.`));
  });
}
