import { type Command, type Given, invalid, type Option, type OptionsOf } from './command.ts';

/** Commands with at most one option of their own. */

export const recordings = {
  name: 'recordings',
  summary: 'lists what was recorded here, with sizes',
  usage: ['recordings [DIR]'],
  about: [
    'Lists the recordings in a folder (else those of the project here, in your cache folder): when, how large, where, and what was run. "hotspan record --keep MB" deletes the oldest after a run.',
  ],
  options: {},
  operands: { kind: 'folder' },
  exitCodes: [],
  otherNames: ['list', 'ls', 'history', 'log', 'runs'],
  /** `folder` is as typed; undefined means the default folders. */
  read: ({ operands: [folder, ...others] }: Given<never>) =>
    others.length > 0 || folder === ''
      ? invalid('Give one folder of recordings, or none: "hotspan recordings".')
      : ({ type: 'recordings', options: { folder } } as const),
} as const satisfies Command;

export type RecordingsArguments = OptionsOf<typeof recordings.read>;

export const histogram = {
  name: 'histogram',
  summary: 'says whether a recording is like production',
  usage: ['histogram LOG RECORDING'],
  about: [
    'LOG is what a program has written in production, started with',
    '  HOTSPAN_MODE=histogram HOTSPAN_LOG=turns.log node --require hotspan/recorder app.js',
    '(docs/production.md: what it costs, and what it tells). RECORDING is of "hotspan record", of your tests for example. Both are compared by the time that the event loop spends in turns of each length.',
  ],
  options: {},
  operands: { kind: 'file' },
  exitCodes: [],
  otherNames: ['hist', 'production'],
  read: ({ operands: [log = '', recording = '', ...others] }: Given<never>) =>
    log === '' || recording === '' || others.length > 0
      ? invalid('Give the log of production and a recording: "hotspan histogram turns.log RECORDING".')
      : ({ type: 'histogram', options: { log, recording } } as const),
} as const satisfies Command;

/** Both paths are as typed. */
export type HistogramArguments = OptionsOf<typeof histogram.read>;

export const languageServer = {
  name: 'language-server',
  alias: 'lsp',
  summary: 'shows figures in any editor that speaks LSP (also: lsp)',
  usage: ['language-server --stdio'],
  about: [
    'An editor starts this, and shows the newest recording of the open folder at its lines; the next recording replaces it. docs/everywhere.md configures editors.',
  ],
  options: { stdio: { help: 'talks over stdin and stdout, the only transport' } },
  operands: { kind: 'folder' },
  exitCodes: [],
  otherNames: ['server', 'editor'],
  read: ({ has, operands }: Given<'stdio'>) =>
    has('stdio') && operands.length === 0
      ? ({ type: 'languageServer', options: {} } as const)
      : invalid('An editor starts this, as "hotspan language-server --stdio": docs/everywhere.md configures editors.'),
} as const satisfies Command;

const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completion = {
  name: 'completion',
  summary: 'prints what lets your shell complete hotspan',
  usage: ['completion bash|zsh|fish'],
  about: [
    'In bash, add this line to ~/.bashrc:',
    '  source <(hotspan completion bash)',
    'In zsh, add this to ~/.zshrc, after compinit:',
    '  source <(hotspan completion zsh)',
    'In fish, run this once:',
    '  hotspan completion fish > ~/.config/fish/completions/hotspan.fish',
  ],
  options: {},
  operands: { kind: 'choice', choices: shells },
  exitCodes: [],
  otherNames: ['completions', 'autocomplete'],
  read: ({ operands }: Given<never>) => {
    const shell = shells.find((one) => one === operands[0]);
    return shell === undefined || operands.length > 1
      ? invalid('Name your shell: "hotspan completion bash", or zsh, or fish.')
      : ({ type: 'completion', options: { shell } } as const);
  },
} as const satisfies Command;

const mcpOptions = {
  root: {
    value: { name: 'DIR', kind: 'folder', standard: 'the current folder' },
    help: 'the project: its newest recording is what the tools answer about',
  },
  'allow-run': { help: 'also tools that run npm scripts, tests and the recorded command of the project' },
} as const satisfies Record<string, Option>;

export const mcp = {
  name: 'mcp',
  summary: 'answers agents over the Model Context Protocol',
  usage: ['mcp [--root DIR] [--allow-run]'],
  about: [
    'An agent starts this, and asks for what blocks, why, and whether a change has helped (docs/everywhere.md). Stdin and stdout are the protocol.',
  ],
  options: mcpOptions,
  operands: { kind: 'folder' },
  exitCodes: [],
  otherNames: ['agent', 'agents', 'serve'],
  read: readMcp,
} as const satisfies Command;

/** `root` is as typed; null for the current folder. */
export type McpArguments = OptionsOf<typeof readMcp>;

function readMcp(given: Given<keyof typeof mcpOptions>) {
  const [operand] = given.operands;
  if (operand !== undefined) return invalid(`Name the project by its option: "hotspan mcp --root ${operand}".`);
  return { type: 'mcp', options: { root: given.text('root'), mayRun: given.has('allow-run') } } as const;
}
