import type { ExtensionContext } from 'vscode';
import { activateAnnotations } from './annotations.ts';
import { activateCommands } from './commands/commands.ts';
import { activateFlamegraph } from './flamegraph/flamegraph.ts';
import { activateHotspots } from './hotspots/hotspots.ts';
import { inLog, on } from './ui/failures.ts';
import { activateRuns } from './run/runs.ts';
import { createServices } from './results/services.ts';
import { activateStatusBar } from './status-bar.ts';

/**
 * Registers everything, and shows again what was shown before a reload of the window. Starts the server only if there
 * was something.
 */
export function activate(context: ExtensionContext): void {
  const services = createServices(context);
  const flamegraph = activateFlamegraph(context, services);
  const runs = activateRuns(context, services);
  context.subscriptions.push(
    flamegraph,
    runs,
    on(runs.onDidRecordTiers, async () => services.results.takeTiers(), services.log),
    activateAnnotations(context, services, runs),
    activateStatusBar(services, runs),
    activateHotspots(context, services),
    activateCommands({ context, services, runs, flamegraph }),
  );
  inLog(services.results.restore(), services.log);
}
