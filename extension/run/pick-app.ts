import { type Memento, type QuickPickItem, window } from 'vscode';
import type { Target } from '../../recorder/launch/scripts/target.ts';
import { askForEnvironment, knownEnvironment } from './app-environment.ts';
import { apps } from './targets.ts';

export type PickedApp =
  | { readonly type: 'picked'; readonly target: Target }
  | { readonly type: 'dismissed' }
  | { readonly type: 'none'; readonly message: string };

type Row = QuickPickItem & { readonly target?: Target };

/** Lists the apps and, once it is known, what they run as: that can be changed here. */
export async function pickApp(remembered: readonly string[], state: Memento): Promise<PickedApp> {
  const found = await apps(remembered);
  if (found.type === 'none') return found;
  const environment = knownEnvironment(state);
  const [only] = found.targets;
  if (found.targets.length === 1 && only !== undefined && environment === undefined)
    return { type: 'picked', target: only };
  const rows = found.targets.map((target): Row => {
    return { label: target.label, description: target.description, detail: target.notes.join(' '), target };
  });
  const change: Row = { label: 'Change Environment…', description: `NODE_ENV=${environment ?? ''}` };
  const choice = await window.showQuickPick(environment === undefined ? rows : [...rows, change], {
    placeHolder: 'Which app to profile, until you stop it',
    matchOnDescription: true,
  });
  if (choice?.target !== undefined) return { type: 'picked', target: choice.target };
  if (choice === undefined || (await askForEnvironment(state)) === undefined) return { type: 'dismissed' };
  return pickApp(remembered, state);
}
