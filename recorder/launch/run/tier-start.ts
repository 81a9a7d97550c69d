import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { nodeBinary, takesTierFlags } from '../../command-lines/node-binary.ts';
import { withTierFlags } from '../../command-lines/tier-flags.ts';
import type { Spawnable } from './spawnable.ts';

/** What a Node binary needs so that V8 keeps its log. */
export interface TierStart {
  readonly flags: readonly string[];
  /** The folder of our own `node`. */
  readonly shim: string;
}

/** A command that is a Node binary gets the flags itself: it is found as the shim finds it, which is spared then. */
export function withTiers(plain: Spawnable, env: NodeJS.ProcessEnv, { flags, shim }: TierStart): Spawnable {
  const list = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const isFile = (one: string): boolean => statSync(one, { throwIfNoEntry: false })?.isFile() === true;
  const file = nodeBinary(plain.file, { list, without: shim, platform: process.platform, isFile });
  const args = withTierFlags(plain.args, flags);
  return file === null || args === null || !takesTierFlags(versionOf(file))
    ? plain
    : { ...plain, file, args, argv0: plain.file };
}

function versionOf(file: string): string {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return spawnSync(file, ['--version'], { env, encoding: 'utf8', timeout: 5000 }).stdout ?? '';
}
