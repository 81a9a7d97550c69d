import * as vscode from 'vscode';
import { compared, rechecked } from '../../agents/compared.ts';
import { targetToProfile } from '../../agents/profile-target.ts';
import type { Tool, ToolInput } from '../../agents/tools.ts';
import {
  data,
  measuringText,
  notReadText,
  notRecordedText,
  notStartedText,
  readInput,
  tools,
} from '../../agents/tools.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { requestStop, wasStopped } from '../../recordings/recording-folders.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { whyNotRun } from '../run/can-run.ts';
import { measuringAs } from '../run/command-line.ts';
import type { ShownRun } from '../run/runs.ts';
import { recordTask, taskRecording } from '../run/task.ts';
import { on } from '../ui/failures.ts';
import { openFolders, recorderOptions } from '../ui/settings.ts';
import type { CommandHost } from './command-arguments.ts';

/** What the editor shows while a tool runs; before one that runs code of the project, it asks. */
export async function prepareTool(
  host: CommandHost,
  name: string,
  given: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { tool, input } = called(name, given);
  const what = `Hotspan: ${nameOf(tool, input)}`;
  if (!tool.runs) return { invocationMessage: what };
  await refuseUnlessRunnable(host);
  const cost = tool.name === 'recheck' ? await recheckCost(host, input) : '';
  return { invocationMessage: what, confirmationMessages: { title: what, message: `${tool.description}${cost}` } };
}

/** Answers an agent with the object that `hotspan mcp` gives, too. Throws a sentence where that cannot be. */
export async function runTool(
  host: CommandHost,
  name: string,
  given: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { tool, input } = called(name, given);
  if (tool.runs) await refuseUnlessRunnable(host);
  const ask = async (): Promise<unknown> => answerOf(host, tool, input, token);
  const answer = await (tool.runs ? alone(host, tool, input, ask) : ask());
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
}

/** A server of the tools for each open folder; those that run code only in a trusted workspace. */
export function agentServers({ context }: CommandHost): vscode.McpStdioServerDefinition[] {
  const { nodePath } = recorderOptions();
  const run = vscode.workspace.isTrusted ? ['--allow-run'] : [];
  return openFolders().map(({ name, path }) => {
    const args = [context.asAbsolutePath('dist/cli.cjs'), 'mcp', '--root', path, ...run];
    return new vscode.McpStdioServerDefinition(`Hotspan: ${name}`, nodePath === '' ? 'node' : nodePath, args);
  });
}

function called(name: string, given: unknown): { readonly tool: Tool; readonly input: ToolInput } {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const input = readInput(tool, given);
  if (typeof input === 'string') throw new Error(input);
  return { tool, input };
}

/** `recheck src/cart.ts:12`. */
function nameOf({ name }: Tool, input: ToolInput): string {
  return `${name} ${data(Object.values(input).join(' '))}`.trim();
}

async function refuseUnlessRunnable({ services: { log } }: CommandHost): Promise<void> {
  const missing = await whyNotRun(log);
  if (missing !== null) throw new Error(missing.message);
}

/** Measures where nothing else does: side by side, both would be wrong. */
async function alone<Found>(
  { runs, services: { measuring } }: CommandHost,
  tool: Tool,
  input: ToolInput,
  measure: () => Promise<Found>,
): Promise<Found> {
  const [other] = [...runs.running.map(({ task }) => task), ...measuring];
  if (other !== undefined) throw new Error(measuringText(other.name, tool.name));
  return measuringAs(measuring, nameOf(tool, input), measure);
}

/** The newest result on screen. */
function shownRecording({ services: { results } }: CommandHost): string {
  if (results.summary === null) throw new Error(emptyStates.noRecording.message);
  return results.summary.recording;
}

async function recheckCost(host: CommandHost, input: ToolInput): Promise<string> {
  const recording = shownRecording(host);
  const { server } = host.services;
  const functionId = await functionAt(host, recording, input);
  const { text } = await server.about(recording, 'recheckCost', functionId);
  return ` ${data(text, 200)}`;
}

async function functionAt({ services: { server } }: CommandHost, recording: string, input: ToolInput): Promise<number> {
  const at = String(input['at']);
  const functionId = await server.about(recording, 'agentFunction', at);
  if (functionId === null) throw new Error(notRecordedText(at));
  return functionId;
}

async function answerOf(
  host: CommandHost,
  { name }: Tool,
  input: ToolInput,
  token: vscode.CancellationToken,
): Promise<unknown> {
  const { server } = host.services;
  if (name === 'profile') return profile(host, input, token);
  const recording = shownRecording(host);
  switch (name) {
    case 'status':
      return server.about(recording, 'agentStatus', recording, { token });
    case 'findings':
      return server.about(recording, 'agentFindings', recording, { token });
    case 'hotspots':
      return server.about(recording, 'agentHotspots', input, { token });
    case 'explain': {
      const at = String(input['at']);
      const explained = await server.about(recording, 'agentExplain', at, { token });
      if (explained === null) throw new Error(notRecordedText(at));
      return explained;
    }
    case 'recheck':
      return recheck(host, recording, input, token);
    case 'compare':
      return compare(host, recording, input, token);
    case 'job':
      throw new Error(name); // Here each call is waited for.
  }
}

/** As the person's own re-check: the lens shows its progress and its result. */
async function recheck(
  host: CommandHost,
  recording: string,
  input: ToolInput,
  token: vscode.CancellationToken,
): Promise<unknown> {
  const functionId = await functionAt(host, recording, input);
  const verify = await import('../run/verify.ts');
  const cli = host.context.asAbsolutePath('dist/cli.cjs');
  const found: Comparison[] = [];
  const onCompared = (comparison: Comparison): void => void found.push(comparison);
  const how = { isAgents: true, token, onCompared };
  const said = await verify.recheck(host.services, cli, { recording, functionId }, how);
  const [comparison] = found;
  if (comparison === undefined) throw new Error(said ?? notStartedText('recheck'));
  return rechecked(comparison, comparison.functions[0], String(input['at']));
}

/** As the person's own comparison: the view shows it. */
async function compare(
  host: CommandHost,
  recording: string,
  input: ToolInput,
  token: vscode.CancellationToken,
): Promise<unknown> {
  const comparing = await import('./compare-with.ts');
  const found = await comparing.compared(host, { type: 'commit', ref: String(input['base']), recording }, token);
  if (!('functions' in found)) throw new Error(found.said);
  return compared(found);
}

/** As the person's own run: in a terminal, by the settings, and shown. */
async function profile(host: CommandHost, input: ToolInput, token: vscode.CancellationToken): Promise<unknown> {
  const { lastRun, results, server } = host.services;
  const folders = openFolders().map(({ path }) => path);
  const target = await targetToProfile(input, folders);
  if (typeof target === 'string') throw new Error(target);
  const run = token.isCancellationRequested ? null : await runOf(host, target, token);
  if (run === null) throw new Error(notStartedText('profile'));
  const { kept, exitCode = 0 } = run; // Undefined: it is not known.
  const isShown = results.all.some(({ summary }) => summary.recording === kept);
  if (kept === null || !isShown) throw new Error(lastRun.state?.message ?? notReadText);
  const answer = await server.about(kept, 'agentFindings', kept);
  return exitCode !== 0 && !(await wasStopped(kept)) ? { exitCode, ...answer } : answer;
}

/** Runs a target, until what became of it is shown. Null where it does not start. What is recorded until `stop` is kept. */
async function runOf(
  { context, runs, services: { log } }: CommandHost,
  target: Target,
  stop: vscode.CancellationToken,
): Promise<ShownRun | null> {
  const task = recordTask(context, target, 'profile');
  const recording = taskRecording(task) ?? '';
  const listening: vscode.Disposable[] = [on(stop.onCancellationRequested, async () => requestStop(recording), log)];
  const shown = new Promise<ShownRun>((resolve) => {
    listening.push(runs.onDidShow((run) => (run.recording === recording ? resolve(run) : undefined)));
  });
  try {
    return (await runs.startTask(target, task)) ? await shown : null;
  } finally {
    vscode.Disposable.from(...listening).dispose();
  }
}
