import path from 'node:path';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { type NodeVersion, nodeVersions } from '../../test/helpers/node-versions.ts';

/** The Nodes that are asked for, by the beginning of a version (`24`) or by file; without any, all that are tested. */
export function nodesOf(wanted: readonly string[]): readonly NodeVersion[] {
  ensureNodeVersions();
  const tested = nodeVersions();
  if (wanted.length === 0) return tested;
  return wanted.flatMap((name) => {
    if (name.includes('/')) return [{ version: path.basename(name), node: path.resolve(name) }];
    return tested.filter(({ version }) => `${version}.`.startsWith(`${name}.`));
  });
}
