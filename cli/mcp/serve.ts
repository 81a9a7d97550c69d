import type { EndedCommandLine } from '../../recorder/launch/run/own-command-line.ts';
import { failed, messageOf } from '../../protocol/failure.ts';
import { stat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Transform } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpArguments } from '../arguments/small-commands.ts';
import { refuse, type Session } from '../views/terminal.ts';
import { Jobs, type JobAnswer } from './jobs.ts';
import { type AskRecording, ProjectRecordings } from './project.ts';
import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import {
  INVALID_REQUEST,
  McpServer,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server';
import { targetToProfile } from '../../agents/profile-target.ts';
import type { Tool, ToolInput, ToolName } from '../../agents/tools.ts';
import { data, dataNote, nothingRecordedText, notRecordedText, readInput, tools } from '../../agents/tools.ts';
import { parseJson, isRecord } from '../../protocol/json-value.ts';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';
import { hasProfiles, readManifest, requestStop, wasStopped } from '../../recordings/recording-folders.ts';
import { existsSync } from 'node:fs';
import { defaultRecordingFolder } from '../../recordings/default-folder.ts';

/** Clients give a call up after a minute, some sooner. In ms. */
const ANSWER_WITHIN_MS = 40_000;

/**
 * Answers an MCP client on stdin and stdout until it closes stdin. Gives the exit code: 0; 2: the root is not a folder.
 * Nothing else is written to stdout, which is the protocol.
 */
export async function mcpCommand({ options, terminal, surroundings }: Session<McpArguments>): Promise<number> {
  const { root: typed, mayRun } = options;
  const { err } = terminal;
  const { cwd, version } = surroundings;
  const root = path.resolve(cwd, typed ?? '.');
  if (!((await stat(root).catch(() => null))?.isDirectory() ?? false))
    return refuse(err, `${root} is not a folder here.`);
  const recordings = new ProjectRecordings(root, path.join(__dirname, 'analysis-worker.cjs'));
  const jobs = new Jobs(async (signal) =>
    delay(ANSWER_WITHIN_MS, undefined, { signal }).catch(() => new Promise(() => {})),
  );
  const served = { root, mayRun, cli: path.join(__dirname, 'cli.cjs'), version, recordings, jobs };
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, () => resolve());
    // The client may end this process instead.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const input = process.stdin
    .setEncoding('utf8')
    .pipe(validMessages((error) => process.stdout.write(`${JSON.stringify(error)}\n`)));
  const transport = new StdioServerTransport(input);
  const handle = serveStdio(() => createServer(served), { transport, onerror: (error) => err.say(error.message) });
  await closed;
  await jobs.end();
  recordings.close();
  await handle.close();
  process.stdin.destroy(); // After a signal it may still be open, and would keep this process alive.
  return 0;
}

/** Passes messages on, one a line. Gives the error for any other line to `answer`: the SDK answers none of these. */
export function validMessages(answer: (error: object) => void): Transform {
  let rest = '';
  return new Transform({
    decodeStrings: false,
    transform(chunk: string, _encoding, done): void {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const error = errorOf(line);
        if (error === null) this.push(`${line}\n`);
        else answer({ jsonrpc: '2.0', ...error });
      }
      // The SDK says of a line that it is too long, and ends.
      if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        this.push(rest);
        rest = '';
      }
      done();
    },
  });
}

/** The JSON-RPC error for a line without a message; null for a message. Empty lines are none, and need no answer. */
function errorOf(line: string): object | null {
  if (line.trim() === '') return null;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, error: { code: PARSE_ERROR, message: 'This line is not JSON.' } };
  }
  try {
    parseJSONRPCMessage(message);
    return null;
  } catch {
    const id = isRecord(message) ? message['id'] : null;
    const isId = typeof id === 'string' || typeof id === 'number';
    return { id: isId ? id : null, error: { code: INVALID_REQUEST, message: 'This is not a JSON-RPC 2.0 message.' } };
  }
}

/** What the tools work on. */
interface Served {
  /** Absolute folder of the project. */
  readonly root: string;
  /** Whether the tools that run code are there. */
  readonly mayRun: boolean;
  /** Path of the bundled `dist/cli.cjs`. */
  readonly cli: string;
  readonly version: string;
  readonly recordings: ProjectRecordings;
  readonly jobs: Jobs;
}

/** A server of the tools, for one client. */
export function createServer(served: Served): McpServer {
  const { version, mayRun } = served;
  const server = new McpServer(
    { name: 'hotspan', version },
    { instructions: mayRun ? instructions : `${instructions} ${readOnly}` },
  );
  for (const tool of tools) {
    if (tool.runs && !mayRun) continue;
    const { name, description, runs } = tool;
    const annotations = runs ? { readOnlyHint: false, destructiveHint: false } : { readOnlyHint: true };
    server.registerTool(name, { description, annotations, inputSchema: schemaOf(tool) }, async (input, context) =>
      answered(async () => answer(tool, input, served, context)),
    );
  }
  return server;
}

const instructions = `Says which lines of this Node.js project block the event loop. Begin with status; each answer has the next step. ${dataNote}`;

const readOnly =
  'You cannot run code here: ask the person to run "hotspan recheck" with the place, or "hotspan -- npm test".';

/** The tool's inputs for the SDK, which lists and checks them. */
function schemaOf(tool: Tool): StandardSchemaWithJSON<unknown, ToolInput> {
  const schema = {
    type: 'object',
    properties: tool.inputs,
    ...(tool.required.length === 0 ? {} : { required: tool.required }),
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'hotspan',
      validate: (given) => {
        const read = readInput(tool, given);
        return typeof read === 'string' ? { issues: [{ message: read }] } : { value: read };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** What went wrong is an answer too: a client shows the text to its model. */
async function answered(ask: () => Promise<JobAnswer>): Promise<CallToolResult> {
  const found = await ask().catch((error: unknown): JobAnswer => {
    return { type: 'failed', message: messageOf(error) };
  });
  if (found.type === 'failed')
    return { isError: true, content: [{ type: 'text', text: data(found.message, MAX_MESSAGE) }] };
  return { content: [{ type: 'text', text: JSON.stringify(found.answer) }], structuredContent: { ...found.answer } };
}

/** In characters. */
const MAX_MESSAGE = 600;

async function answer(
  { name }: Tool,
  input: ToolInput,
  served: Served,
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
): Promise<JobAnswer> {
  const { recordings, jobs } = served;
  if (name === 'job') {
    const [signal, onSaid] = [mcpReq.signal, progressOf(mcpReq)];
    return input['cancel'] === true ? jobs.cancel(signal, onSaid) : jobs.wait(signal, onSaid);
  }
  if (name === 'recheck' || name === 'compare' || name === 'profile') {
    const refused = await jobs.startOne(async () => start(name, input, served, mcpReq.signal));
    return refused === null ? jobs.wait(mcpReq.signal, progressOf(mcpReq)) : failed(refused);
  }
  return recordings.use(null, mcpReq.signal, async (ask, recording) => readingAnswer(name, input, ask, recording));
}

async function readingAnswer(
  name: Exclude<ToolName, 'job' | RunningTool>,
  input: ToolInput,
  ask: AskRecording,
  recording: string,
): Promise<JobAnswer> {
  if (name === 'status') return done(await ask('agentStatus', recording));
  if (name === 'findings') return done(await ask('agentFindings', recording));
  if (name === 'hotspots') {
    const { limit, path } = input;
    const asked = { ...(typeof limit === 'number' ? { limit } : {}), ...(typeof path === 'string' ? { path } : {}) };
    return done(await ask('agentHotspots', asked));
  }
  const explained = await ask('agentExplain', String(input['at']));
  return explained === null ? failed(notRecordedText(String(input['at']))) : done(explained);
}

function done(found: object): JobAnswer {
  return { type: 'done', answer: found };
}

/** Sends each sentence of a job to a client that asked for its progress. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']): (sentence: string) => void {
  const token = _meta?.progressToken;
  let progress = 0;
  return (sentence) => {
    if (token === undefined) return;
    progress++;
    const params = { progressToken: token, progress, message: data(sentence, 200) };
    notify({ method: 'notifications/progress', params }).catch(() => undefined); // The client has gone.
  };
}

/** The tools that start a job. */
type RunningTool = 'recheck' | 'compare' | 'profile';

/** Starts a job; else says why it does not run. */
async function start(name: RunningTool, input: ToolInput, served: Served, signal: AbortSignal): Promise<string | null> {
  const { root, cli, jobs } = served;
  const run = (args: readonly string[], cwd = root, env = {}) => ({ node: process.execPath, cli, args, cwd, env });
  if (name === 'profile') {
    const target = await targetToProfile(input, [root]);
    if (typeof target === 'string') return target;
    const { command, folder, env, notes } = target;
    const out = await defaultRecordingFolder(root, new Date());
    // With --quiet, its first reader keeps the texts that ran, perhaps after they have changed.
    const args = ['record', '--out', out, ...notes.map((note) => `--note=${note}`), '--', ...command];
    const read = async (ended: EndedCommandLine): Promise<JobAnswer> => profiled(out, ended, served);
    // A server runs until it is stopped.
    const stop = async (): Promise<void> => requestStop(out);
    jobs.start(
      `profile ${String(input['script'] ?? input['file'])}`,
      { ...run(args, folder, env), isMute: true },
      read,
      stop,
    );
    return null;
  }
  const recording = await served.recordings.use(null, signal, async (_, newest) => newest);
  const asked = String(input[name === 'recheck' ? 'at' : 'base']);
  // It runs where it was recorded, such as in a package of the project, but never outside of that.
  const ranIn = await realpath((await readManifest(recording))?.cwd ?? root).catch(() => root);
  const cwd = isAtOrBelow(ranIn, await realpath(root)) ? ranIn : root;
  const what = name === 'recheck' ? [name, fromRoot(asked, root)] : [name, `--base=${asked}`];
  // Without a command after "--" it is that of the recording, which runs only where this user has recorded it.
  const args = [...what, '--json', '--brief', `--recording=${recording}`];
  jobs.start(`${name} ${asked}`, run(args, cwd), async ({ exitCode, stdout, said }) => {
    const found = parseJson(stdout);
    return isRecord(found) ? done(found) : failed(said === '' ? `It ended with exit code ${exitCode}.` : said);
  });
  return null;
}

/** A place below the root as an absolute one: the command line runs in another folder. Names stay as they are. */
function fromRoot(typed: string, root: string): string {
  const [, file] = /^(.+?):\d+/.exec(typed) ?? [];
  return file !== undefined && existsSync(path.resolve(root, file)) ? path.resolve(root, typed) : typed;
}

/** The verdict of a new recording, with the exit code of a command that failed. */
async function profiled(out: string, { exitCode, said }: EndedCommandLine, { recordings }: Served): Promise<JobAnswer> {
  if (!(await hasProfiles(out))) return failed(nothingRecordedText(exitCode, said, out));
  const found = await recordings.use(out, new AbortController().signal, async (ask) => ask('agentFindings', out));
  const isFailed = exitCode !== 0 && !(await wasStopped(out));
  return done(isFailed ? { exitCode, ...found } : found);
}
