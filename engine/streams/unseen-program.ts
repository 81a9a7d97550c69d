import { testPatterns } from '../../protocol/test-files.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { Sources } from '../recording-files/isolate-source.ts';
import { fileNameOf } from '../recording-files/profile-names.ts';
import { unrecordable } from '../recording-files/unrecordable.ts';

/**
 * Sentences for a recording that has nothing of what it was made for: what is missing, and why that may be. A test that
 * the command names is looked for by itself; its file may have another extension in the sources.
 */
export function unseenSentences(
  { recording, isolates }: Pick<Sources, 'recording' | 'isolates'>,
  functions: readonly FunctionInfo[],
): readonly string[] {
  if (recording.command === null) return [];
  const own = functions.filter((fn) => fn.own);
  const named = recording.command.slice(1).filter((word) => source.test(word) && !word.includes('node_modules'));
  const [file] = named;
  const isSeen = own.some(({ url }) => file !== undefined && stemOf(url) === stemOf(file));
  const isTest = named.length === 1 && testPatterns.some((pattern) => pattern.test(file ?? ''));
  if (own.length > 0 && (!isTest || isSeen)) return [];
  const cache = isolates.flatMap(({ command }) => cacheOf(command ?? ''))[0];
  if (cache !== undefined) {
    return [
      `${cache.name} ran, but nothing of your code did: it replayed its cache. Record again with ${cache.option}.`,
    ];
  }
  const what = file ?? 'your own code';
  const { exitCode = 0 } = recording;
  if (exitCode !== 0) {
    return [`Nothing of ${what} was seen, and the command failed (exit code ${exitCode}): what it printed says why.`];
  }
  return [
    `Nothing of ${what} was seen: it took less than a millisecond, was left out of the run, or ran ${unrecordable}.`,
  ];
}

const source = /^[^-][^*?]*\.[cm]?[jt]sx?$/;

/** Tools that do not run again what they have run before, by their scripts. */
function cacheOf(script: string): readonly { readonly name: string; readonly option: string }[] {
  const [, name] = /[\\/]node_modules[\\/](?:\.bin[\\/])?(turbo|nx)(?:[\\/]|$)/.exec(script) ?? [];
  if (name === undefined) return [];
  return [{ name, option: name === 'nx' ? '--skip-nx-cache' : '--force, outside of Linux --force --env-mode=loose' }];
}

function stemOf(path: string): string {
  return fileNameOf(path.replaceAll('\\', '/')).replace(source, (name) => name.slice(0, name.lastIndexOf('.')));
}
