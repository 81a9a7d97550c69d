import type { FileKind } from '../../engine/read/files/file-kinds.ts';

/** What a file is that is no CPU profile, and what to do; to be put after its name. */
export function fileKindText(kind: FileKind): string {
  const [what, ...advices] = texts[kind];
  return `${what}: ${advices.join(', or ')}`;
}

const recordIt = 'record the program with "hotspan record", or with node --cpu-prof';
const unpackIt = 'unpack it, and give what is in it';

const texts: Readonly<Record<FileKind, readonly [what: string, ...advices: string[]]>> = {
  heapProfile: ['is a heap profile, which shows memory and no time', recordIt],
  heapSnapshot: ['is a heap snapshot, which shows memory and no time', recordIt],
  oldProfile: [
    'is a CPU profile of the old form, a tree under "head"',
    'let v8-profiler write the new one with setGenerateType(1), or record with node --cpu-prof',
  ],
  inspectorAnswer: ['is an answer of the inspector', 'save what stands under its "profile" as a .cpuprofile file'],
  logSummary: ['is the summary of a V8 log, which holds no stacks', recordIt],
  preprocessedLog: ['is a V8 log made ready for a viewer (--preprocess)', recordIt],
  diagnosticReport: ['is a diagnostic report of Node.js, which holds no samples', recordIt],
  nodeCoverage: ['is coverage (NODE_V8_COVERAGE), which counts calls and no time', recordIt],
  trace: ['is a trace', 'give the file itself to see the CPU profiles in it'],
  speedscope: ['is a speedscope file', 'give the profile that it was made from', recordIt],
  firefox: ['is a profile of the Firefox profiler', recordIt],
  pprof: ['is a pprof profile', recordIt],
  perf: ['is a recording of Linux perf', recordIt],
  perfScript: ['is text of perf script', recordIt],
  foldedStacks: ['holds folded stacks, without times', recordIt],
  reactProfile: ["is a profile of React's rendering", recordIt],
  clinic: ['belongs to Clinic.js', recordIt],
  bunSummary: ['is the summary of a profile in Markdown', 'run bun with --cpu-prof instead of --cpu-prof-md'],
  partOfRecording: ['belongs to a recording', 'give its folder'],
  report: ['is a report of Hotspan', 'give the recording or the profile that it was made from'],
  sourceMap: ['is a source map', recordIt],
  coverage: ['is coverage, which counts calls and no time', recordIt],
  packageJson: ['describes a package', 'record one of its scripts with "hotspan record -- npm test"'],
  gitLfs: ['stands for a file in Git LFS', 'fetch it with "git lfs pull"'],
  webPage: ['is a web page or a picture, such as a flamegraph', 'open it in a browser', recordIt],
  zip: ['is a zip archive', unpackIt],
  tar: ['is a tar archive', unpackIt],
  packedTwice: ['is packed twice', 'unpack it once with "gunzip"'],
  zstd: ['is packed with zstd', 'unpack it with "zstd -d"'],
  xz: ['is packed with xz', 'unpack it with "xz -d"'],
  bzip2: ['is packed with bzip2', 'unpack it with "bzip2 -d"'],
  sevenZip: ['is a 7-Zip archive', unpackIt],
  utf16: ['is text in UTF-16', 'save it in UTF-8'],
  picture: ['is a picture', recordIt],
  brotli: ['is packed with Brotli', 'unpack it with "brotli -d"'],
  program: ['is a program', 'record it with "hotspan record -- node" and its name'],
  binary: ['is a binary file, no CPU profile', recordIt],
};
