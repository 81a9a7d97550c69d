import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PublicSuite } from './public-suite.ts';

/** What is wrong with a project's checkout, in a sentence that says what to do; null: nothing. */
export function checkoutFault(
  { name, repository, version }: Pick<PublicSuite, 'name' | 'repository' | 'version'>,
  folder: string,
): string | null {
  const place = path.join(folder, name);
  const todo = `Check out https://github.com/${repository} at ${version} there.`;
  if (!existsSync(path.join(place, '.git'))) return `${name} is not in ${folder}. ${todo}`;
  const [wanted, head] = [commitOf(place, `${version}^{commit}`), commitOf(place, 'HEAD')];
  if (wanted === null || wanted !== head) return `${place} is at ${head ?? 'no commit'}. ${todo}`;
  return existsSync(path.join(place, 'node_modules')) ? null : `The packages of ${place} are not installed.`;
}

function commitOf(place: string, revision: string): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', revision], {
    cwd: place,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}
