import { type QuickPickItem, window, commands as registry, debug } from 'vscode';
import { setTimeout as delay } from 'node:timers/promises';
import { type NodeProcess, listNodeProcesses } from '../../recorder/launch/attach/find-inspector.ts';
import { canRun } from '../run/can-run.ts';
import { workspaceFolder } from '../run/targets.ts';
import { processLabel } from '../../words/formats/command-text.ts';
import { offer } from '../ui/offer.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { showFailure } from '../ui/failures.ts';
import { attachTarget } from '../../recorder/launch/target.ts';
import type { CommandHost } from './command-arguments.ts';

type Row = QuickPickItem & { readonly address: string | null };

/** Lists the person's Node processes. The chosen one is profiled until the person stops that; the process goes on. */
export async function attachToProcess({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const rows = (await listNodeProcesses()).map(rowOf);
  const other: Row = { label: 'Another Inspector…', description: '9229, host:9229, ws://…', address: null };
  const choice = await window.showQuickPick([...rows, other], {
    title: 'The time of inlined functions may count for their callers',
    placeHolder: 'Which process to profile',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (choice === undefined) return;
  const address = choice.address ?? (await window.showInputBox({ prompt: 'Address of the inspector', value: '9229' }));
  if (address === undefined || address === '') return;
  await runs.start(attachTarget(address, choice.address === null ? address : choice.label, workspaceFolder(), []));
}

/** A row for a process. Port 0 means any free port: then the process is asked for its number. */
function rowOf({ pid, command, port }: NodeProcess): Row {
  const isKnown = port !== null && port !== 0;
  return {
    label: processLabel(command),
    description: isKnown ? `process ${pid}, inspector at ${port}` : `process ${pid}`,
    detail: command,
    address: isKnown ? String(port) : `pid:${pid}`,
  };
}

/**
 * Command of the JavaScript debugger that gives the address of a proxy, by which others can use its inspector session.
 */
const requestProxy = 'extension.js-debug.requestCDPProxy';

/** Profiles the program that is being debugged until the person stops that. Debugging goes on. */
export async function profileDebugSession({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const session = debug.activeDebugSession;
  if (session === undefined) return offer(emptyStates.noDebugging, services.log);
  const address = await proxyAddress();
  if (address === null)
    return showFailure(
      `${session.name} is no session of the JavaScript debugger. Choose that of your Node.js program under Call Stack, then try again.`,
      services.log,
    );
  const note = 'A debugger is attached, which makes each await slower: for true figures, profile without it.';
  return runs.start(attachTarget(address, session.name, workspaceFolder(), [note]));
}

/**
 * Address of the debugger's proxy. The first active session is that of the launch, which never answers; the session of
 * the program itself comes a moment later. Null where none has answered after some tries.
 */
async function proxyAddress(): Promise<string | null> {
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = registry.executeCommand(requestProxy, debug.activeDebugSession?.id);
    const address = addressOf(await Promise.race([answer, delay(1000)]));
    if (address !== null) return address;
  }
  return null;
}

/** The address in the debugger's answer; null where there is none. */
function addressOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { host, port, path }: { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown } = answer;
  if (typeof host !== 'string' || typeof port !== 'number') return null;
  const name = host.includes(':') ? `[${host}]` : host;
  return `ws://${name}:${port}${typeof path === 'string' ? path : ''}`;
}
