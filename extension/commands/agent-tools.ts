import path from 'node:path';
import * as vscode from 'vscode';
import { data } from '../../agents/answer.ts';
import { rechecked } from '../../agents/compared.ts';
import {
  noScriptText,
  noTestFileText,
  nothingRecordedText,
  notReadText,
  notRecheckedText,
  notRecordedText,
  readInput,
  type Tool,
  type ToolInput,
  tools,
} from '../../agents/tools.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { isTestFile } from '../../protocol/test-files.ts';
import { isInside, type TargetFound } from '../../recorder/launch/target.ts';
import { defaultRecordingFolder } from '../../recordings/default-folder.ts';
import { hasProfiles, requestStop, wasStopped } from '../../recordings/recording-folders.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { type CliRun, type Finished, folderOf, runInNotification } from '../run/command-line.ts';
import { npmScripts, targetOfFile, workspaceFolder } from '../run/targets.ts';
import { recorderOptions, thresholdArgument } from '../ui/settings.ts';
import type { CommandHost } from './command-arguments.ts';

/** What the editor shows while a tool runs; before one that runs code of the project, it asks. */
export async function prepareTool(
  host: CommandHost,
  name: string,
  given: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { tool, input } = called(name, given);
  const what = `Hotspan: ${tool.name} ${data(Object.values(input).join(' '))}`.trim();
  if (!tool.runs) return { invocationMessage: what };
  refuseUntrusted();
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
  if (tool.runs) refuseUntrusted();
  const answer = await answerOf(host, tool, input, token);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
}

/** A server of the tools for each open folder; those that run code only in a trusted workspace. */
export function agentServers({ context }: CommandHost): vscode.McpStdioServerDefinition[] {
  const { nodePath } = recorderOptions();
  const run = vscode.workspace.isTrusted ? ['--allow-run'] : [];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ name, uri }) => {
    const args = [context.asAbsolutePath('dist/cli.cjs'), 'mcp', '--root', uri.fsPath, ...run];
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

function refuseUntrusted(): void {
  if (!vscode.workspace.isTrusted) throw new Error('Hotspan runs nothing in a folder that you have not trusted.');
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
  const how = { isAgreed: true, token, onCompared };
  const said = await verify.recheck(host.services, cli, { recording, functionId }, how);
  const [comparison] = found;
  if (comparison === undefined) throw new Error(said ?? notRecheckedText);
  return rechecked(comparison, comparison.functions[0], String(input['at']));
}

async function compare(
  host: CommandHost,
  recording: string,
  input: ToolInput,
  token: vscode.CancellationToken,
): Promise<unknown> {
  const args = ['compare', `--base=${String(input['base'])}`, '--json', '--brief', thresholdArgument()];
  const cwd = (await folderOf(recording)) ?? workspaceFolder();
  const { stdout } = await run(host, { cwd, args: [...args, '--recording', recording] }, token);
  return parseJson(stdout);
}

/** Records a script or a test file, and shows the result. */
async function profile(host: CommandHost, input: ToolInput, token: vscode.CancellationToken): Promise<unknown> {
  const found = await targetOf(input);
  if (found.type === 'none') throw new Error(found.message);
  const { command, folder, env, notes } = found.target;
  const recording = await defaultRecordingFolder(folder, new Date());
  const said = notes.map((note) => `--note=${note}`);
  const args = ['record', '--out', recording, ...said, '--', ...command];
  // A server runs until it is stopped; what it has recorded until then is the result.
  const stopping = token.onCancellationRequested(() => void requestStop(recording));
  const { exitCode, said: last } = await run(host, { cwd: folder, env, args });
  stopping.dispose();
  if (!(await hasProfiles(recording))) throw new Error(nothingRecordedText(exitCode, last));
  const { results, server } = host.services;
  const summary = await results.open(recording);
  if (summary === null) throw new Error(notReadText);
  const answer = await server.about(summary.recording, 'agentFindings', summary.recording);
  return exitCode !== 0 && !(await wasStopped(recording)) ? { exitCode, ...answer } : answer;
}

/** A script of a package.json, or a test file, in the workspace. */
async function targetOf({ script, file }: ToolInput): Promise<TargetFound> {
  const none = (message: string): TargetFound => ({ type: 'none', message, isForeign: false });
  if (typeof script === 'string') {
    const found = await npmScripts([]);
    const all = found.type === 'found' ? found.targets : [];
    const target = all.find(({ label }) => label === script);
    const names = all.map(({ label }) => label);
    return target === undefined ? none(noScriptText(script, names)) : { type: 'found', target };
  }
  const root = workspaceFolder();
  const whole = path.resolve(root, String(file));
  const isTest = isInside(whole, root) && isTestFile(path.relative(root, whole).replaceAll('\\', '/'));
  return isTest ? targetOfFile(vscode.Uri.file(whole)) : none(noTestFileText(String(file), root));
}

async function run(
  { context, services: { log } }: CommandHost,
  { args, ...where }: Omit<CliRun, 'cli'>,
  stop?: vscode.CancellationToken,
): Promise<Finished> {
  const [command = ''] = args;
  const cli = context.asAbsolutePath('dist/cli.cjs');
  const finished = await runInNotification(
    command,
    { cli, args, ...where },
    log,
    async () => undefined,
    stop === undefined ? {} : { stop },
  );
  const isAnswered = !finished.isCancelled && isRecord(parseJson(finished.stdout));
  if (command !== 'record' && !isAnswered) throw new Error(finished.said);
  return finished;
}
