/**
 * The folders in the order in which data flows: each imports itself and those above it. The linter checks it
 * (scripts/oxlint-plugin.mjs), docs/architecture.md draws it.
 */
export const order = [
  'protocol',
  'protocol/formats',
  'words/formats',
  'words/editor',
  'words/warnings',
  'webview/basics',
  'webview/take-away',
  'webview',
  'recorder/command-lines',
  ...inside('recorder/preload', 'host profile loaded-scripts endings requests runners turns registries descendants'),
  'recorder/preload',
  'engine/basics',
  'engine/basics/kernel',
  ...inside('engine/read', 'files samples sidecars recording-files source-code'),
  ...inside('engine/read', 'import/cpuprofile import/v8-log import sourcemap functions isolates texts'),
  ...inside('engine/cut', 'streams operations event-loop'),
  ...inside('engine/judge', 'function-figures hotspots lines remedies findings tiers requests'),
  'engine',
  'engine/compare',
  'engine/compare/runs',
  'words',
  ...inside('show', 'report export flame diff-flame'),
  'recordings',
  'recorder/launch',
  ...inside('recorder/launch', 'packages npm-scripts runners targets install run load attach pairs'),
  ...inside('language-server', 'placement queries'),
  'agents',
  ...inside('language-server', 'recordings texts features editors'),
  'language-server',
  ...inside('extension', 'ui results run marks flamegraph comparison commands hotspots'),
  'extension',
  ...inside('cli', 'arguments views manual commands mcp'),
  'cli',
];

const node = ['node:*'];
const launch = ['protocol', 'words/formats', 'recordings', 'recorder/command-lines'];

/**
 * The other rooms (`from`) and packages that a room may import. An exception for one file comes before its room.
 */
export const rooms = [
  { room: 'protocol/requests.ts', from: ['protocol'], packages: ['vscode-languageserver-protocol'] },
  { room: 'protocol/webview-guard.ts', from: ['protocol'], packages: ['valibot'] },
  { room: 'protocol/comparison-guard.ts', from: ['protocol'], packages: ['valibot'] },
  { room: 'protocol/formats/parse-budget.ts', from: ['protocol'], packages: ['valibot'] },
  { room: 'protocol/code-text.ts', from: ['protocol'], packages: ['js-tokens'] },
  { room: 'protocol', from: [], packages: [] },
  { room: 'words/formats', from: ['protocol'], packages: [] },
  { room: 'words/editor', from: ['protocol', 'words/formats'], packages: [] },
  // The types of warnings: each has its sentence beside it.
  { room: 'words/warnings', from: ['protocol', 'words/formats'], packages: [] },
  { room: 'show/export/pprof.ts', from: ['engine', 'show'], packages: ['pprof-format'] },
  // The JSON and the page contain sentences.
  { room: 'show', from: ['protocol', 'words', 'engine'], packages: [] },
  { room: 'words', from: ['protocol', 'words/formats', 'engine'], packages: [] },
  // The list of Node's modules needs no I/O.
  { room: 'engine/judge/remedies/costly-code.ts', from: ['engine'], packages: ['node:module'] },
  // To unpack is not an I/O.
  { room: 'engine/read/files/opened-file.ts', from: ['protocol', 'engine'], packages: ['node:zlib'] },
  {
    room: 'engine',
    from: ['protocol', 'words/warnings'],
    packages: ['source-map', '@babel/parser', '@babel/types'],
  },
  { room: 'recordings', from: ['protocol', 'words/formats', 'engine'], packages: node },
  { room: 'recorder/command-lines', from: ['protocol'], packages: node },
  { room: 'recorder/preload', from: ['protocol', 'recorder/command-lines'], packages: node },
  { room: 'recorder/launch/load/load.ts', from: [...launch, 'recorder/launch'], packages: [...node, 'autocannon'] },
  { room: 'recorder/launch/attach/inspector.ts', from: ['protocol', 'recorder/launch'], packages: [...node, 'ws'] },
  {
    room: 'recorder/launch/run/own-commands.ts',
    from: ['recordings', 'recorder/launch'],
    packages: [...node, '@noble/hashes/*'],
  },
  { room: 'recorder/launch', from: launch, packages: node },
  {
    room: 'agents',
    from: [
      ...['protocol', 'words', 'engine', 'recordings', 'recorder/launch'],
      ...['language-server/placement', 'language-server/queries'],
    ],
    packages: node,
  },
  {
    room: 'language-server',
    from: ['protocol', 'words', 'engine', 'show', 'recordings', 'agents'],
    packages: [
      ...node,
      'vscode-languageserver',
      'vscode-languageserver/*',
      'vscode-languageserver-textdocument',
      'vscode-jsonrpc/*',
      'diff',
    ],
  },
  {
    room: 'extension',
    from: [
      ...['protocol', 'words/formats', 'words/editor', 'recordings', 'recorder/launch'],
      'language-server/recordings/questions.ts', // Its types: the bundle would be too large with more.
      ...['tools', 'profile-target', 'compared', 'answer'].map((name) => `agents/${name}.ts`),
    ],
    packages: [...node, 'vscode', 'vscode-languageclient', 'vscode-languageclient/*', 'valibot'],
  },
  { room: 'webview/modules.d.ts', from: [], packages: ['d3-selection'] },
  { room: 'webview/quick-selections.ts', from: ['webview'], packages: ['d3-selection'] },
  { room: 'webview/graph.ts', from: ['protocol', 'words/formats', 'webview'], packages: ['d3-flame-graph', 'd3-*'] },
  { room: 'webview', from: ['protocol', 'words/formats'], packages: [] },
  {
    room: 'cli/mcp',
    from: [
      ...['protocol', 'recordings', 'recorder/launch', 'agents', 'cli'],
      ...['language-server/recordings/recordings.ts', 'language-server/recordings/questions.ts'],
    ],
    packages: [...node, '@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  },
  {
    room: 'cli',
    from: [
      ...['protocol', 'words', 'engine', 'show', 'recordings'],
      ...['recorder/command-lines', 'recorder/launch', 'language-server/main.ts', 'agents'],
      // What the analysis of a recording is for agents.
      'language-server/queries/file-annotations.ts',
    ],
    packages: [...node, 'picocolors'],
  },
];

function inside(room, folders) {
  return folders.split(' ').map((folder) => `${room}/${folder}`);
}

/** Why a file may not import a path or a package; null if it may. Paths are from the root. */
export function whyNot(file, { path, name }) {
  const own = rooms.find(({ room }) => isIn(file, room));
  if (own === undefined) return null; // tests, benches and scripts: anything
  if (name !== undefined)
    return own.packages.some((one) => isNamed(name, one)) ? null : `${own.room} imports ${listOf(own.packages)}`;
  if (path === 'package.json') return null;
  const inOwn = isIn(path, own.room) || own.from.some((room) => isIn(path, room));
  if (!inOwn) return `${own.room} imports itself, ${listOf(own.from)}`;
  const [here, there] = [folderIn(file), folderIn(path)];
  if (here === -1 || there === -1) return 'its folder is not in scripts/rooms.mjs';
  return there <= here ? null : `${order[there]} comes after ${order[here]}`;
}

function isIn(file, room) {
  return file === room || file.startsWith(`${room}/`);
}

/** Index in `order` of the innermost folder around the file; -1 if there is none. */
function folderIn(file) {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const exact = order.indexOf(folder);
  return exact === -1 && folder.includes('/') ? folderIn(folder) : exact;
}

function isNamed(name, pattern) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function listOf(names) {
  return names.length === 0 ? 'nothing else' : names.join(', ');
}
