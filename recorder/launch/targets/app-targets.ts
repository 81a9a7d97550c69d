import path from 'node:path';
import { fileTarget } from './file-targets.ts';
import { type Package, runScript, findPackages } from '../packages/packages.ts';
import { wholeText } from './script-targets.ts';
import { readScript } from '../npm-scripts/script-text.ts';
import type { Readers } from '../packages/readers.ts';
import { type Target, type TargetsFound, descriptionOf, relativeFolder } from '../target.ts';

/** The apps of a workspace: each package's scripts `start`, `dev`, `serve` and the like, else its entry file. */
export async function appTargets(workspace: string, readers: Readers): Promise<TargetsFound> {
  const packages = await findPackages(workspace, readers);
  const lists = await Promise.all(
    packages.map(async (one) => {
      const scripts = Object.entries(one.scripts).filter(([name]) => appScript.test(name));
      return scripts.length > 0
        ? scripts.map(([name, text]) => scriptTarget(one, workspace, name, text))
        : entryTargets(one, workspace, readers);
    }),
  );
  const targets = lists.flat();
  if (targets.length > 0) return { type: 'found', targets };
  return {
    type: 'none',
    message:
      `No app found in ${path.basename(workspace)}: package.json has no "start", "dev" or "serve" script. ` +
      'Add one, or open the file that starts your app and use Profile File.',
  };
}

const appScript = /^(start|dev|develop|serve|server|preview)(:|$)/;

function scriptTarget(from: Package, workspace: string, name: string, text: string): Target {
  // It overrides the user's choice.
  const mode = /\bNODE_ENV=(\w+)/.exec(text)?.[1];
  return {
    id: `${relativeFolder(from.folder, workspace)}#app:${name}`,
    kind: 'app',
    runner: null,
    label: name === 'start' ? `${from.manager} start` : `${from.manager} run ${name}`,
    description: descriptionOf(from.folder, workspace, text),
    folder: from.folder,
    command: runScript(from.manager, name),
    script: wholeText(from, name),
    env: {},
    notes: [...watchNotes(text), ...(mode === undefined ? [] : [`The script itself sets NODE_ENV=${mode}.`])],
    isOrchestrator: readScript(text, from.scripts).isOrchestrator,
  };
}

/** A target for the first existing file of those that usually start an app. */
async function entryTargets(from: Package, workspace: string, readers: Readers): Promise<readonly Target[]> {
  const folders = await Promise.all(
    ['.', 'src'].map(async (folder) =>
      (await readers.list(path.join(from.folder, folder))).map((file) => [folder, file]),
    ),
  );
  const entry = folders.flat().find(([, file = '']) => /^(server|app|main|index)\.[cm]?[jt]s$/.test(file));
  if (entry === undefined) return [];
  const found = await fileTarget(path.join(from.folder, ...entry), workspace, readers);
  return found.type === 'found' ? [{ ...found.target, kind: 'app' }] : [];
}

/** What it means for the figures that a script compiles or restarts its app. */
function watchNotes(text: string): readonly string[] {
  const compiler =
    /\b(next dev|nuxt dev|nuxi dev|astro dev|remix dev|vite(?! (build|preview))|webpack serve|webpack-dev-server|ng serve)\b/.exec(
      text,
    );
  if (compiler !== null)
    return [
      `${compiler[0]} compiles while it serves: what requests wait for is mostly compiling. Profile the built app for true figures.`,
    ];
  const watcher =
    /\b(nodemon|node-dev|ts-node-dev|tsnd|tsx watch|pm2-dev)\b|\bnest start\b.*(--watch|-w\b)|\bnode\b[^|&;]*--watch(-path)?\b/.exec(
      text,
    );
  if (watcher === null) return [];
  const name = /^(nodemon|node-dev|ts-node-dev|tsnd|tsx watch|pm2-dev)$/.exec(watcher[0])?.[0];
  return [
    `${name ?? 'This script'} restarts the app at each change of a file: each start is a process of its own in the recording.`,
  ];
}

/** The target of an app in development or in production; unchanged where its script decides that itself. */
export function inEnvironment(target: Target, environment: 'development' | 'production'): Target {
  if (setsEnvironment(target)) return target;
  return { ...target, env: { ...target.env, NODE_ENV: environment } };
}

/** Whether the script of an app sets `NODE_ENV`. */
export function setsEnvironment({ description }: Target): boolean {
  return /\bNODE_ENV=/.test(description);
}
