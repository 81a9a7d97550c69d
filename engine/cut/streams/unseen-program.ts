import { testPatterns } from '../../../protocol/test-files.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { Sources } from '../../read/recording-files/isolate-source.ts';
import { fileNameOf } from '../../read/recording-files/profile-names.ts';

/** A recording that lacks what it was made for. */
export type UnseenProgram =
  /** A tool replayed what it had kept of an earlier run. */
  | { readonly type: 'cacheReplayed'; readonly tool: 'turbo' | 'nx' }
  /** Nothing was sampled of the file that the command names, or of any own code (null). */
  | { readonly type: 'nothingSeen'; readonly file: string | null; readonly exitCode: number };

/** Whether the recording lacks what it was made for: all own code, or the one test that the command names. */
export function unseenProgram(
  { recording, isolates }: Pick<Sources, 'recording' | 'isolates'>,
  functions: readonly FunctionInfo[],
): readonly UnseenProgram[] {
  if (recording.command === null) return [];
  const own = functions.filter((fn) => fn.own);
  const named = recording.command.slice(1).filter((word) => source.test(word) && !word.includes('node_modules'));
  const [file] = named;
  const isSeen = own.some(({ url }) => file !== undefined && stemOf(url) === stemOf(file));
  const isTest = named.length === 1 && testPatterns.some((pattern) => pattern.test(file ?? ''));
  if (own.length > 0 && (!isTest || isSeen)) return [];
  const [tool] = isolates.flatMap(({ command }) => cachingTool(command ?? '') ?? []);
  if (tool !== undefined) return [{ type: 'cacheReplayed', tool }];
  return [{ type: 'nothingSeen', file: file ?? null, exitCode: recording.exitCode ?? 0 }];
}

const source = /^[^-][^*?]*\.[cm]?[jt]sx?$/;

/** The tool of a script, if it replays cached runs; else null. */
function cachingTool(script: string): 'turbo' | 'nx' | null {
  const [, name] = /[\\/]node_modules[\\/](?:\.bin[\\/])?(turbo|nx)(?:[\\/]|$)/.exec(script) ?? [];
  return name === 'turbo' || name === 'nx' ? name : null;
}

function stemOf(path: string): string {
  return fileNameOf(path.replaceAll('\\', '/')).replace(source, (name) => name.slice(0, name.lastIndexOf('.')));
}
