import type { FileKind } from '../../../words/warnings/file-warnings.ts';
import { characterPerByte } from '../../basics/bytes.ts';

/** The kind of a file that is not a CPU profile; null where unknown. `start`: a few thousand unpacked bytes. */
export function kindOfFile(name: string, start: Uint8Array): FileKind | null {
  const text = textOf(start);
  const kind = kinds.find(([pattern]) => fits(pattern, text)) ?? namedKinds.find(([pattern]) => fits(pattern, name));
  return kind?.[1] ?? (text.includes('\0') && !/^\{[^\0]/.test(text) ? 'binary' : null);
}

/** Whether the file is a trace of Chrome or of Node itself, which may contain CPU profiles. */
export function isTrace(start: Uint8Array): boolean {
  return tracePattern.test(textOf(start));
}

/** In bytes. In a source map or a trace, the key that shows the kind may follow the first source or event. */
const readLength = 1 << 14;

/** A text is the beginning of the file. */
type Kind = readonly [pattern: RegExp | string, kind: FileKind];

function fits(pattern: RegExp | string, text: string): boolean {
  return typeof pattern === 'string' ? text.startsWith(pattern) : pattern.test(text);
}

const tracePattern =
  /^(\{[^]*?"traceEvents"\s*:\s*\[|\{\s*"metadata"\s*:\s*\{[^]*"source"\s*:\s*"DevTools"|\[\s*\{[^]{0,2000}?"ph"\s*:\s*"\w")/;

/** Kinds by their first bytes, one character each; the first match counts. None matches a CPU profile of any writer. */
const kinds: readonly Kind[] = [
  // Files of V8 and Node.
  [/^\{\s*"head"\s*:\s*\{\s*"callFrame"/, 'heapProfile'],
  [/^\{\s*"snapshot"\s*:/, 'heapSnapshot'],
  [/^\{\s*("id"\s*:\s*\d+\s*,\s*"result"\s*:\s*\{\s*)?"profile"\s*:\s*\{\s*"nodes"/, 'inspectorAnswer'],
  ['Statistical profiling result from ', 'logSummary'],
  [/^\{\s*"code"\s*:\s*\[\s*\{\s*"name"/, 'preprocessedLog'],
  [/^\{\s*"header"\s*:\s*\{\s*"reportVersion"/, 'diagnosticReport'],
  [/^\{\s*"result"\s*:\s*\[\s*\{\s*"scriptId"/, 'nodeCoverage'],
  // Traces and files of other profilers.
  [tracePattern, 'trace'],
  [/speedscope\.app\/file-format-schema|^\{\s*"exporter"\s*:\s*"speedscope/, 'speedscope'],
  [/^\{\s*"meta"\s*:\s*\{[^]*"(preprocessedProfileVersion|stackwalk)"/, 'firefox'],
  ['\n\x04\x08', 'pprof'],
  ['PERFILE2', 'perf'],
  [/^(# =+\n# captured on|\S[^\n]{0,60} {1,9}\d+(\/\d+)? {1,9}(\[\d+\] {1,9})?\d+\.\d+: +\w)/, 'perfScript'],
  [/^[^\n;{}]+(;[^\n;{}]+)+ \d+\n/, 'foldedStacks'],
  [/^\{\s*"version"\s*:\s*\d+\s*,\s*"dataForRoots"/, 'reactProfile'],
  [/^\{\s*"clinic"\s*:/, 'clinic'],
  ['# CPU Profile', 'bunSummary'],
  // Files of Hotspan.
  [/^\{\s*"version"\s*:\s*\d+\s*,\s*"hotspanVersion"/, 'partOfRecording'],
  [/^\{\s*"version"\s*:\s*\d+\s*,\s*"thresholdUs"/, 'report'],
  // Files that lie beside profiles.
  [/^\{\s*"version"\s*:\s*3\s*,|^\{[^{}]*"mappings"\s*:\s*"/, 'sourceMap'],
  [/^\{\s*"[^"]*"\s*:\s*\{\s*("path"\s*:\s*"[^"]*"\s*,\s*)?"statementMap"|^(TN:[^\n]*\n)?SF:/, 'coverage'],
  [/^\{\s*"(name|private)"\s*:[^]*"(version|scripts|(devD|d)ependencies|workspaces)"\s*:/, 'packageJson'],
  ['version https://git-lfs', 'gitLfs'],
  [/^(<!doctype html|<html|<\?xml|<svg)/i, 'webPage'],
  // Archives.
  ['PK\x03\x04', 'zip'],
  [/^[^]{257}ustar/, 'tar'],
  ['\x1f\x8b', 'packedTwice'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
  ['\xfd7zXZ', 'xz'],
  [/^BZh\d/, 'bzip2'],
  ['7z\xbc\xaf', 'sevenZip'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP)/, 'picture'],
];

/** Kinds by the file's name, where the bytes do not show them. */
const namedKinds: readonly Kind[] = [
  [/\.br$/, 'brotli'],
  [/\.(turns|maps)\.jsonl$|^events\.jsonl$/, 'partOfRecording'],
  [/\.[cm]?[jt]sx?$/, 'program'],
];

/** One character for each byte. White space stays, because a binary format may begin with it. */
function textOf(start: Uint8Array): string {
  const text = characterPerByte(start.subarray(0, readLength));
  return text.replace(/^(\xef\xbb\xbf)?\s*(?=[[{<])/, '');
}
