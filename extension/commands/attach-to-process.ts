import { type QuickPickItem, window } from 'vscode';
import { attachTarget } from '../../recorder/launch/targets/attach-target.ts';
import { type NodeProcess, listNodeProcesses } from '../../recorder/launch/attach/node-processes.ts';
import { canRun } from '../run/can-run.ts';
import { workspaceFolder } from '../run/targets.ts';
import { processLabel } from '../../words/formats/command-text.ts';
import type { CommandHost } from './command-host.ts';

type Row = QuickPickItem & { readonly address: string | null };

/** Lists the Node processes of the person; the chosen one is profiled until stopped, and goes on. */
export async function attachToProcess({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const rows = (await listNodeProcesses()).map(rowOf);
  const other: Row = { label: 'Another Inspector…', description: '9229, host:9229, ws://…', address: null };
  const choice = await window.showQuickPick([...rows, other], {
    placeHolder: 'Which process to profile. Time of functions that V8 has inlined may show in their callers',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (choice === undefined) return;
  const address = choice.address ?? (await window.showInputBox({ prompt: 'Address of the inspector', value: '9229' }));
  if (address === undefined || address === '') return;
  await runs.start(attachTarget(address, choice.address === null ? address : choice.label, workspaceFolder(), []));
}

/** Port 0 is any free one: then the process is asked which. */
function rowOf({ pid, command, port }: NodeProcess): Row {
  const isKnown = port !== null && port !== 0;
  return {
    label: processLabel(command),
    description: isKnown ? `process ${pid}, inspector at ${port}` : `process ${pid}`,
    detail: command,
    address: isKnown ? String(port) : `pid:${pid}`,
  };
}
