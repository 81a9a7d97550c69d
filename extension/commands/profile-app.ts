import { type Memento, type QuickPickItem, window } from 'vscode';
import { inEnvironment, setsEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import { canRun } from '../run/can-run.ts';
import { showFailure } from '../ui/failures.ts';
import type { CommandHost } from './command-host.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { apps } from '../run/targets.ts';

/** Runs an app, until it is stopped, in development or in production: asked once. */
export async function profileApp({ context, services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const choice = await pickApp(runs.remembered, context.workspaceState);
  if (choice.type === 'none') return showFailure(choice.message, services.log);
  if (choice.type === 'dismissed') return;
  const { target } = choice;
  const environment = setsEnvironment(target) ? 'production' : await environmentOfApps(context.workspaceState);
  if (environment !== undefined) await runs.start(inEnvironment(target, environment));
}

type PickedApp =
  | { readonly type: 'picked'; readonly target: Target }
  | { readonly type: 'dismissed' }
  | { readonly type: 'none'; readonly message: string };

type Row = QuickPickItem & { readonly target?: Target };

/** Lists the apps and, once it is known, what they run as: that can be changed here. */
async function pickApp(remembered: readonly string[], state: Memento): Promise<PickedApp> {
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

type AppEnvironment = 'development' | 'production';

const key = 'runs.appEnvironment';

/** As answered in this workspace before. */
function knownEnvironment(state: Memento): AppEnvironment | undefined {
  const known = state.get<unknown>(key);
  return known === 'development' || known === 'production' ? known : undefined;
}

/** The answer of before, else the person is asked; undefined where they give none. */
async function environmentOfApps(state: Memento): Promise<AppEnvironment | undefined> {
  return knownEnvironment(state) ?? askForEnvironment(state);
}

/** Asks, and remembers the answer in this workspace. */
async function askForEnvironment(state: Memento): Promise<AppEnvironment | undefined> {
  const items: readonly (QuickPickItem & { readonly environment: AppEnvironment })[] = [
    {
      label: 'Production',
      description: 'NODE_ENV=production',
      detail: 'As your users have it: template and module caches are on.',
      environment: 'production',
    },
    {
      label: 'Development',
      description: 'NODE_ENV=development',
      detail: 'Views may be compiled at each request, which looks like a hotspot and is none in production.',
      environment: 'development',
    },
  ];
  const choice = await window.showQuickPick(items, {
    placeHolder: 'Run the app as in …',
    ignoreFocusOut: true,
  });
  if (choice !== undefined) await state.update(key, choice.environment);
  return choice?.environment;
}
