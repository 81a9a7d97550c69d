import { relativeFolder } from './find-targets.ts';
import { findPackages } from '../packages/package-folders.ts';
import { runScript } from '../packages/package-manifest.ts';
import type { Readers } from '../packages/readers.ts';
import { readScript } from '../npm-scripts/script-text.ts';
import type { TargetsFound } from '../target.ts';

/** Every script of every package of a workspace folder, in the order of its package.json, as the person wrote it. */
export async function scriptTargets(workspace: string, readers: Readers): Promise<TargetsFound> {
  const packages = await findPackages(workspace, readers);
  const targets = packages.flatMap((one) => {
    const folder = relativeFolder(one.folder, workspace);
    return Object.entries(one.scripts).map(([name, text]) => {
      const { runner, isOrchestrator } = readScript(text, one.scripts);
      return {
        id: `${folder}#script:${name}`,
        kind: 'script' as const,
        runner,
        label: name,
        description: [folder === '.' ? null : folder, text].filter((part) => part !== null).join(' · '),
        folder: one.folder,
        command: runScript(one.manager, name),
        env: {},
        notes: [],
        isOrchestrator,
      };
    });
  });
  if (targets.length > 0) return { type: 'found', targets };
  const message =
    packages.length === 0
      ? `There is no package.json in ${workspace}.`
      : `package.json in ${workspace} has no scripts.`;
  return { type: 'none', message: `${message} Add a script, or profile a file.` };
}
