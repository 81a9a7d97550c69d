import type { Analysis } from '../../engine/analysis.ts';
import { withSlashes } from '../../engine/read/functions/workspace.ts';
import { isRecorder } from '../../engine/read/files/file-path.ts';

/** For a profile without a file of the project: says where its code is, and what to do. */
export function describeForeign(analysis: Analysis): string {
  const origin = originOfPage(analysis);
  if (origin !== undefined) return `This profile is of code from ${origin}, which is no file here: see --all.`;
  const nothing = `No file of this profile is in ${analysis.roots.join(', ')}`;
  const folder = folderOfCode(analysis);
  return folder === undefined
    ? `${nothing}: name the project's folder with --root, or see --all.`
    : `${nothing}. They are in ${folder}: give that folder, or the project's around it, with --root, or see --all.`;
}

/** The origin such as `http://localhost:3000` where a page ran; undefined where any function has a file. */
function originOfPage({ functions }: Analysis): string | undefined {
  if (functions.functions.some(({ path }) => path !== null)) return undefined;
  const [first] = functions.functions.flatMap(({ url }) => /^[\w+.-]+:\/\/[^/]*/.exec(url) ?? []);
  return first;
}

/**
 * The innermost folder that contains all files outside of `node_modules`, or else the folder that contains their
 * `node_modules`; undefined where that is the root or nothing.
 */
function folderOfCode({ functions }: Analysis): string | undefined {
  const files = functions.functions.flatMap(({ path }) =>
    path === null || isRecorder(path) ? [] : [withSlashes(path)],
  );
  const written = files.filter((file) => !file.includes(packages)).map((file) => file.split('/').slice(0, -1));
  const installed = files.map((file) => file.slice(0, Math.max(0, file.indexOf(packages))).split('/'));
  const [first = [], ...others] = written.length > 0 ? written : installed;
  const shared = others.reduce((length, parts) => sharedLength(first.slice(0, length), parts), first.length);
  return shared > 1 ? first.slice(0, shared).join('/') : undefined;
}

const packages = '/node_modules/';

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different === -1 ? a.length : different;
}
