import {
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  type QuickPickItem,
  window,
} from 'vscode';
import { commands as ids } from '../../protocol/ids.ts';
import { registerCommand } from '../ui/failures.ts';
import type { HotspotGrouping, HotspotOrder, HotspotsParams } from '../../protocol/list-rows.ts';

/** How the tree is grouped and sorted. The choice is kept for the workspace. */
export interface ViewOptions extends Disposable {
  readonly read: () => HotspotsParams;
  readonly onDidChange: Event<void>;
}

const key = 'hotspots.options';

export function hotspotsView({ workspaceState }: ExtensionContext, log: LogOutputChannel): ViewOptions {
  const changed = new EventEmitter<void>();
  const read = (): HotspotsParams => workspaceState.get<HotspotsParams>(key, { groupBy: 'file', sortBy: 'worst' });
  const write = async (options: Partial<HotspotsParams>): Promise<void> => {
    await workspaceState.update(key, { ...read(), ...options });
    changed.fire();
  };
  const registered = [
    registerCommand(ids.groupHotspots, log, async () => {
      const choice = await pick<HotspotGrouping>(read().groupBy, {
        file: 'File',
        function: 'Function',
        package: 'Package blamed',
        test: 'Test',
        process: 'Process',
        route: 'Route',
      });
      if (choice !== undefined) await write({ groupBy: choice });
    }),
    registerCommand(ids.sortHotspots, log, async () => {
      const choice = await pick<HotspotOrder>(read().sortBy, {
        worst: 'Worst',
        count: 'Count',
        stacks: 'Stacks',
        total: 'Total time',
        notOptimized: 'Time not optimized by V8',
      });
      if (choice !== undefined) await write({ sortBy: choice });
    }),
  ];
  return {
    read,
    onDidChange: changed.event,
    dispose: () => {
      for (const command of registered) command.dispose();
      changed.dispose();
    },
  };
}

async function pick<Value extends string>(
  current: Value,
  labels: Readonly<Record<Value, string>>,
): Promise<Value | undefined> {
  const values: readonly Value[] = keysOf(labels);
  const items = values.map((value): QuickPickItem & { readonly value: Value } => ({
    label: labels[value],
    value,
    ...(value === current ? { description: 'now' } : {}),
  }));
  return (await window.showQuickPick(items))?.value;
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
