import type { ExtensionContext } from 'vscode';
import { activateAnnotations } from './marks/annotations.ts';
import { activateCodeActions } from './marks/code-actions.ts';
import { activateCommands } from './commands/activate-commands.ts';
import { Comparisons } from './comparison/comparisons.ts';
import { activateFlamegraph } from './flamegraph/flamegraph.ts';
import { activateDetailViews } from './hotspots/detail-view.ts';
import { activateHotspots } from './hotspots/hotspots.ts';
import { inLog, on } from './ui/failures.ts';
import { activateTestLenses } from './commands/test-lenses.ts';
import { activatePathRules } from './run/bad-path-rules.ts';
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
  const annotations = activateAnnotations(context, services, runs);
  const comparisons = new Comparisons(context, services);
  context.subscriptions.push(
    flamegraph,
    comparisons,
    runs,
    on(
      runs.onDidRecordTiers,
      async (recording) => {
        await services.results.takeTiers();
        await flamegraph.takeTiers(recording);
      },
      services.log,
    ),
    annotations,
    activateCodeActions(annotations),
    activateStatusBar(services, runs),
    activateHotspots(context, services),
    activateDetailViews(services),
    activatePathRules(services.log),
    ...activateTestLenses(services),
    activateCommands({ context, services, runs, flamegraph, comparisons }),
  );
  inLog(services.results.restore(), services.log);
  inLog(comparisons.restore(), services.log);
}
