import { existsSync } from 'node:fs';
import { nodePath } from '../../scripts/node-versions.mjs';
import versions from './node-versions.json' with { type: 'json' };

export interface NodeVersion {
  /** `20.20.2`. */
  readonly version: string;
  /** Its binary, absolute. */
  readonly node: string;
}

/** The Node versions that Hotspan runs on, oldest first. Throws when one is not installed: `npm test` installs them. */
export function nodeVersions(): readonly NodeVersion[] {
  return versions.map((version) => {
    const node = nodePath(version);
    if (!existsSync(node)) throw new Error(`Node ${version} is missing: `npm run test:all` installs it.`);
    return { version, node };
  });
}
