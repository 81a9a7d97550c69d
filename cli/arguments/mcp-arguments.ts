import { type Command, type Given, invalid, type Option, type OptionsOf } from './command.ts';

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
