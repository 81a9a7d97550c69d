import { Disposable } from 'vscode';
import { commands, internalCommands } from '../../protocol/ids.ts';
import { registerCommand } from '../ui/failures.ts';
import type { CommandHost } from './command-arguments.ts';

/** Commands of the tree of hotspots, which registers them itself. */
const ofTree: ReadonlySet<string> = new Set([commands.groupHotspots, commands.sortHotspots]);

/** Registers every other command. What they do is a bundle of its own, loaded with the first one that is run. */
export function activateCommands(host: CommandHost): Disposable {
  const ids = Object.values({ ...commands, ...internalCommands }).filter((id) => !ofTree.has(id));
  return Disposable.from(
    ...ids.map((id) =>
      registerCommand(id, host.services.log, async (...args) => {
        const { table } = await import('./commands.ts');
        await table[id]?.(host, ...args);
      }),
    ),
  );
}
