import { type Memento, type QuickPickItem, window } from 'vscode';

export type AppEnvironment = 'development' | 'production';

const key = 'runs.appEnvironment';

/** As answered in this workspace before. */
export function knownEnvironment(state: Memento): AppEnvironment | undefined {
  const known = state.get<unknown>(key);
  return known === 'development' || known === 'production' ? known : undefined;
}

/** The answer of before, else the person is asked; undefined where they give none. */
export async function environmentOfApps(state: Memento): Promise<AppEnvironment | undefined> {
  return knownEnvironment(state) ?? askForEnvironment(state);
}

/** Asks, and remembers the answer in this workspace. */
export async function askForEnvironment(state: Memento): Promise<AppEnvironment | undefined> {
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
