import * as vscode from 'vscode';
import { activateAnnotations, activateCodeActions } from './marks/annotations.ts';
import { Comparisons } from './comparison/comparisons.ts';
import { Flamegraph } from './flamegraph/flamegraph.ts';
import { activateDetailViews } from './hotspots/detail-view.ts';
import { activateHotspots } from './hotspots/hotspots.ts';
import { inLog, on, registerCommand } from './ui/failures.ts';
import { activateTestLenses } from './commands/test-lenses.ts';
import { Runs } from './run/runs.ts';
import { createServices, type Services } from './results/results.ts';
import { activateRecheckOnSave } from './run/recheck-on-save.ts';
import { agentTools, commands, internalCommands, mcpProvider, settings } from '../protocol/ids.ts';
import type { CommandHost } from './commands/command-arguments.ts';
import { settingProblems } from './ui/settings.ts';
import type { Summary } from '../protocol/summary.ts';
import { byWorst, lastRunText, spokenStatus, statusText, statusTooltip } from '../words/editor/status-text.ts';
import type { LastRunState } from './results/last-run.ts';

/** Registers everything, and restores what was on screen, which starts the server if there was something. */
export function activate(context: vscode.ExtensionContext): void {
  const services = createServices(context);
  const flamegraph = new Flamegraph(context, services);
  const runs = new Runs(context, services);
  const annotations = activateAnnotations(context, services, runs);
  const comparisons = new Comparisons(context, services);
  const host = { context, services, runs, flamegraph, comparisons };
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
    activateSettings(services.log),
    ...activateTestLenses(services),
    activateRecheckOnSave(context.asAbsolutePath('dist/cli.cjs'), services),
    activateCommands(host),
    activateAgentTools(host),
  );
  inLog(services.results.restore(), services.log);
  inLog(comparisons.restore(), services.log);
}

/** The tree of hotspots registers these itself. */
const ofTree: ReadonlySet<string> = new Set([commands.groupHotspots, commands.sortHotspots]);

/** Registers all other commands. Their code is loaded with the first one that runs. */
export function activateCommands(host: CommandHost): vscode.Disposable {
  const ids = Object.values({ ...commands, ...internalCommands }).filter((id) => !ofTree.has(id));
  return vscode.Disposable.from(
    ...ids.map((id) =>
      registerCommand(id, host.services.log, async (...args) => {
        const { table } = await import('./commands/commands.ts');
        await table[id]?.(host, ...args);
      }),
    ),
  );
}

/**
 * Registers the tools of agents, whose code is loaded with the first call. An editor that knows no tools of extensions gets
 * a server of them instead; never both, because a model would see each tool twice.
 */
export function activateAgentTools(host: CommandHost): vscode.Disposable {
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (lm?.registerTool === undefined)
    return lm?.registerMcpServerDefinitionProvider === undefined ? noTools : activateAgentServers(host);
  const tools = Object.entries(agentTools).map(([name, id]) =>
    vscode.lm.registerTool<object>(id, {
      prepareInvocation: async ({ input }) => (await agentCode()).prepareTool(host, name, input),
      invoke: async ({ input }, token) => (await agentCode()).runTool(host, name, input, token),
    }),
  );
  return vscode.Disposable.from(...tools);
}

const noTools = { dispose: (): void => undefined };

const agentCode = async () => import('./commands/commands.ts');

/** The servers depend on the open folders, on their trust, and on a setting. */
function activateAgentServers(host: CommandHost): vscode.Disposable {
  const { workspace } = vscode;
  return vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
    onDidChangeMcpServerDefinitions: (listener: (event: void) => unknown) =>
      vscode.Disposable.from(
        workspace.onDidGrantWorkspaceTrust(() => listener()),
        workspace.onDidChangeWorkspaceFolders(() => listener()),
        workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(settings.nodePath) && listener()),
      ),
    provideMcpServerDefinitions: async () => (await agentCode()).agentServers(host),
  });
}

/** Reports values that are not used: of all settings now, and of each that changes. */
export function activateSettings(log: vscode.LogOutputChannel): vscode.Disposable {
  const say = async (isMeant: (id: string) => boolean = () => true): Promise<void> => {
    const problems = settingProblems().filter(({ id }) => isMeant(id));
    if (problems.length === 0) return;
    const { sayProblems } = await import('./run/ask-elsewhere.ts');
    await sayProblems(problems, log);
  };
  inLog(say(), log);
  return on(
    vscode.workspace.onDidChangeConfiguration,
    async (event) => say((id) => event.affectsConfiguration(id)),
    log,
  );
}

/** Shows the worst of all results, `number 961 ms`, in the status bar. If the last run has no result, says so first. */
export function activateStatusBar({ results, lastRun }: Services, runs: Runs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('hotspan.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Hotspan';
  const update = (): void => {
    const summaries = results.all.map(({ summary }) => summary).toSorted(byWorst);
    const [worst] = summaries;
    const { state } = lastRun;
    if (worst === undefined && state === null) {
      item.hide();
      return;
    }
    item.text = [
      ...(state === null ? [] : [lastRunText(state)]),
      ...(worst === undefined ? [] : [statusText(worst)]),
    ].join(' ');
    item.tooltip = tooltipOf(summaries, runs.lastTarget?.label ?? worst?.title ?? '', state);
    item.accessibilityInformation = { label: spokenStatus(summaries, state?.message ?? null), role: 'button' };
    const next = worst !== undefined && blocks(worst) ? commands.nextFinding : commands.profileAgain;
    item.command = state === null ? next : internalCommands.goOnFromLastRun;
    item.show();
  };
  return vscode.Disposable.from(item, ...[results, lastRun, runs].map((one) => one.onDidChange(update)));
}

function blocks({ headline, worst, blame }: Summary): boolean {
  return headline !== null || worst !== null || blame !== null;
}

function tooltipOf(summaries: readonly Summary[], target: string, state: LastRunState | null): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(statusTooltip(summaries, target, state?.message ?? null), true);
  markdown.isTrusted = { enabledCommands: [commands.profileTests] };
  return markdown;
}
