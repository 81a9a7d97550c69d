/**
 * Says what a file is that is not a CPU profile, and what to do with it. The sentence follows the file's name. Null for
 * an unknown kind. `start` has the first bytes of its content, unpacked; a few thousand are enough.
 */
export function kindOfFile(name: string, start: Uint8Array): string | null {
  const text = textOf(start);
  const kind = kinds.find(([pattern]) => fits(pattern, text)) ?? namedKinds.find(([pattern]) => fits(pattern, name));
  return kind?.[1] ?? (text.includes('\0') && !/^\{[^\0]/.test(text) ? binary : null);
}

/** Whether the file is a trace of Chrome or of Node itself, which may contain CPU profiles. */
export function isTrace(start: Uint8Array): boolean {
  return tracePattern.test(textOf(start));
}

/** Whether the file is a log of `node --prof`, whatever its name is. */
export function isV8Log(start: Uint8Array): boolean {
  return textOf(start.subarray(0, v8LogStart.length)) === v8LogStart;
}

const v8LogStart = 'v8-version,';

/**
 * Number of bytes that are read. In a source map or a trace, the key that shows the kind may come after the first
 * source or event.
 */
const readLength = 1 << 14;

const recordIt = 'record the program with "hotspan record", or with node --cpu-prof';
const unpackIt = 'unpack it, and give what is in it';

const binary = `is a binary file, no CPU profile: ${recordIt}`;

/** A text that is no regular expression is itself the beginning of the file. */
type Kind = readonly [pattern: RegExp | string, sentence: string];

function fits(pattern: RegExp | string, text: string): boolean {
  return typeof pattern === 'string' ? text.startsWith(pattern) : pattern.test(text);
}

const tracePattern =
  /^(\{[^]*?"traceEvents"\s*:\s*\[|\{\s*"metadata"\s*:\s*\{[^]*"source"\s*:\s*"DevTools"|\[\s*\{[^]{0,2000}?"ph"\s*:\s*"\w")/;

/**
 * Kinds by their first bytes, one character each. None matches the beginning of a CPU profile of any writer, and the
 * first that matches counts. Sources: the writers named, and the formats' own pages.
 */
const kinds: readonly Kind[] = [
  // Files of V8 and Node.
  [/^\{\s*"head"\s*:\s*\{\s*"callFrame"/, `is a heap profile, which shows memory and no time: ${recordIt}`],
  [/^\{\s*"snapshot"\s*:/, `is a heap snapshot, which shows memory and no time: ${recordIt}`],
  [
    /^\{\s*("typeId"\s*:\s*"CPU"|"head"\s*:\s*\{\s*"functionName")/,
    'is a CPU profile of the old form, a tree under "head": let v8-profiler write the new one with setGenerateType(1), or record with node --cpu-prof',
  ],
  [
    /^\{\s*("id"\s*:\s*\d+\s*,\s*"result"\s*:\s*\{\s*)?"profile"\s*:\s*\{\s*"nodes"/,
    'is an answer of the inspector: save what stands under its "profile" as a .cpuprofile file',
  ],
  ['Statistical profiling result from ', `is the summary of a V8 log, which holds no stacks: ${recordIt}`],
  [/^\{\s*"code"\s*:\s*\[\s*\{\s*"name"/, `is a V8 log made ready for a viewer (--preprocess): ${recordIt}`],
  [
    /^\{\s*"header"\s*:\s*\{\s*"reportVersion"/,
    `is a diagnostic report of Node.js, which holds no samples: ${recordIt}`,
  ],
  [
    /^\{\s*"result"\s*:\s*\[\s*\{\s*"scriptId"/,
    `is coverage (NODE_V8_COVERAGE), which counts calls and no time: ${recordIt}`,
  ],
  // Traces and files of other profilers.
  [tracePattern, 'is a trace: give the file itself to see the CPU profiles in it'],
  [
    /speedscope\.app\/file-format-schema|^\{\s*"exporter"\s*:\s*"speedscope/,
    `is a speedscope file: give the profile that it was made from, or ${recordIt}`,
  ],
  [
    /^\{\s*"meta"\s*:\s*\{[^]*"(preprocessedProfileVersion|stackwalk)"/,
    `is a profile of the Firefox profiler: ${recordIt}`,
  ],
  ['\n\x04\x08', `is a pprof profile: ${recordIt}`],
  ['PERFILE2', `is a recording of Linux perf: ${recordIt}`],
  [
    /^(# =+\n# captured on|\S[^\n]{0,60} {1,9}\d+(\/\d+)? {1,9}(\[\d+\] {1,9})?\d+\.\d+: +\w)/,
    `is text of perf script: ${recordIt}`,
  ],
  [/^[^\n;{}]+(;[^\n;{}]+)+ \d+\n/, `holds folded stacks, without times: ${recordIt}`],
  [/^\{\s*"version"\s*:\s*\d+\s*,\s*"dataForRoots"/, `is a profile of React's rendering: ${recordIt}`],
  [/^\{\s*"clinic"\s*:/, `belongs to Clinic.js: ${recordIt}`],
  ['# CPU Profile', 'is the summary of a profile in Markdown: run bun with --cpu-prof instead of --cpu-prof-md'],
  // Files of Hotspan.
  [/^\{\s*"version"\s*:\s*1\s*,\s*"hotspanVersion"/, 'belongs to a recording: give its folder'],
  [
    /^\{\s*"version"\s*:\s*1\s*,\s*"thresholdUs"/,
    'is a report of Hotspan: give the recording or the profile that it was made from',
  ],
  // Files that lie beside profiles.
  [/^\{\s*"version"\s*:\s*3\s*,|^\{[^{}]*"mappings"\s*:\s*"/, `is a source map: ${recordIt}`],
  [
    /^\{\s*"[^"]*"\s*:\s*\{\s*("path"\s*:\s*"[^"]*"\s*,\s*)?"statementMap"|^(TN:[^\n]*\n)?SF:/,
    `is coverage, which counts calls and no time: ${recordIt}`,
  ],
  [
    /^\{\s*"(name|private)"\s*:[^]*"(version|scripts|(devD|d)ependencies|workspaces)"\s*:/,
    'describes a package: record one of its scripts with "hotspan record -- npm test"',
  ],
  ['version https://git-lfs', 'stands for a file in Git LFS: fetch it with "git lfs pull"'],
  [
    /^(<!doctype html|<html|<\?xml|<svg)/i,
    `is a web page or a picture, such as a flamegraph: open it in a browser, or ${recordIt}`,
  ],
  // Archives.
  ['PK\x03\x04', `is a zip archive: ${unpackIt}`],
  [/^[^]{257}ustar/, `is a tar archive: ${unpackIt}`],
  ['\x1f\x8b', 'is packed twice: unpack it once with "gunzip"'],
  ['\x28\xb5\x2f\xfd', 'is packed with zstd: unpack it with "zstd -d"'],
  ['\xfd7zXZ', 'is packed with xz: unpack it with "xz -d"'],
  [/^BZh\d/, 'is packed with bzip2: unpack it with "bzip2 -d"'],
  ['7z\xbc\xaf', `is a 7-Zip archive: ${unpackIt}`],
  [/^(\xff\xfe|\xfe\xff)/, 'is text in UTF-16: save it in UTF-8'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP)/, `is a picture: ${recordIt}`],
];

/** Kinds by the file's name, where the bytes do not tell. */
const namedKinds: readonly Kind[] = [
  [/\.br$/, 'is packed with Brotli: unpack it with "brotli -d"'],
  [/\.(turns|maps)\.jsonl$|^events\.jsonl$/, 'belongs to a recording: give its folder'],
  [/\.[cm]?[jt]sx?$/, 'is a program: record it with "hotspan record -- node" and its name'],
];

/** One character for each byte. White space stays, because a binary format may begin with it. */
function textOf(start: Uint8Array): string {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, readLength)).toString('latin1');
  return text.replace(/^(\xef\xbb\xbf)?\s*(?=[[{<])/, '');
}
