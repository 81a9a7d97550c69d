import { setTimeout as delay } from 'node:timers/promises';
import { commands as registry, debug } from 'vscode';
import { attachTarget } from '../../recorder/launch/targets/attach-target.ts';
import { canRun } from '../run/can-run.ts';
import { workspaceFolder } from '../run/targets.ts';
import { showFailure } from '../ui/show-failure.ts';
import type { CommandHost } from './command-host.ts';

/** The JavaScript debugger's own command: where others can talk to the inspector that it has taken. */
const requestProxy = 'extension.js-debug.requestCDPProxy';

/** Profiles what is being debugged until stopped; debugging goes on. */
export async function profileDebugSession({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const session = debug.activeDebugSession;
  if (session === undefined)
    return showFailure('Nothing is being debugged. Start debugging a Node.js program first.', services.log);
  const address = await proxyAddress();
  if (address === null) return showFailure(`${session.name} is no session of the JavaScript debugger.`, services.log);
  const note = 'A debugger is attached, which makes each await dearer: profile without it for true figures.';
  return runs.start(attachTarget(address, session.name, workspaceFolder(), [note]));
}

/**
 * The session that is active at first is the launch, which never answers; that of the program itself comes a moment
 * later. Null where none has answered after some tries.
 */
async function proxyAddress(): Promise<string | null> {
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = registry.executeCommand(requestProxy, debug.activeDebugSession?.id);
    const address = addressOf(await Promise.race([answer, delay(1000)]));
    if (address !== null) return address;
  }
  return null;
}

/** Null where it gave none. */
function addressOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { host, port, path }: { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown } = answer;
  if (typeof host !== 'string' || typeof port !== 'number') return null;
  const name = host.includes(':') ? `[${host}]` : host;
  return `ws://${name}:${port}${typeof path === 'string' ? path : ''}`;
}
