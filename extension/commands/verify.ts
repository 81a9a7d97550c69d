import path from 'node:path';
import * as vscode from 'vscode';
import { internalCommands } from '../../protocol/ids.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { recheckRequest, showChangeRequest } from '../../protocol/requests.ts';
import { byWeight } from '../../protocol/summary.ts';
import { shownMessage, nothingToRecheck } from '../../words/editor/notifications.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';
import { offer } from '../results/last-run.ts';
import { canRun } from '../run/can-run.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { type CommandHost, functionReferenceOf, pickResult } from './command-arguments.ts';
import { functionOf, undoChange } from './go-to.ts';
import { fileOf, testOf } from './test-lenses.ts';

/** Says whether a change of a function has helped. */
export async function recheckFunction(host: CommandHost, argument: unknown): Promise<void> {
  const { services } = host;
  if (!(await canRun(services))) return;
  const reference = await functionOf(host, argument);
  if (reference === null) return;
  const ways = async (): Promise<readonly Way[]> => {
    const change = await services.server.ask(recheckRequest, reference);
    const keep = { label: 'Keep as Baseline', run: async () => keepAsBaseline(host, reference) };
    const undo = { label: 'Undo the Change', run: async () => undoChange(host, reference) };
    const graphs = { label: 'Compare Graphs', run: async () => compareGraphs(host, reference) };
    return change === null ? [] : [change.isFaster ? keep : undo, ...(change.diff === null ? [] : [graphs])];
  };
  await saying(host, async ({ recheck }, cli) => recheck(services, cli, reference), ways);
}

/** Re-checks the worst function that a test of the Test Explorer reached in any result, and names it. */
export async function recheckTest(host: CommandHost, argument: unknown): Promise<void> {
  const { results, server, log } = host.services;
  const { summary } = results;
  if (summary === null) {
    offer(emptyStates.noRecording, log);
    return;
  }
  const file = fileOf(argument);
  if (file === undefined || !(await canRun(host.services))) return;
  const test = testOf(argument, path.basename(file.fsPath));
  const titles = test === null ? [] : [...test.suites, test.name];
  const found = results.all.map(async ({ summary: { recording } }) => {
    const worst = await server.about(recording, 'worstOfTest', { file: file.fsPath, titles });
    return worst === null ? [] : [{ ...worst, recording }];
  });
  const [worst] = (await Promise.all(found)).flat().toSorted(byWeight);
  if (worst === undefined) {
    const message = nothingToRecheck(titles.at(-1) ?? path.basename(file.fsPath), summary.thresholdUs);
    const run = async (): Promise<unknown> => vscode.commands.executeCommand(internalCommands.profileTest, argument);
    offer({ message, ways: ['lowerThreshold'], also: { label: 'Profile This Test', run } }, log);
    return;
  }
  const { recording, functionId, label, place } = worst;
  await saying(host, async ({ recheck }, cli) => {
    const answer = await recheck(host.services, cli, { recording, functionId }, { label });
    return answer === null ? null : `${label}, ${place}: ${answer}`;
  });
}

/** Keeps the current sources and figures, for later re-checks. */
export async function setBaselineHere(host: CommandHost, argument: unknown): Promise<void> {
  const { services } = host;
  if (services.results.summary === null) {
    offer(emptyStates.noRecording, services.log);
    return;
  }
  if (!(await canRun(services))) return;
  const result = await pickResult(services.results, argument, 'What to set a baseline of');
  if (result === null) return;
  await saying(host, async ({ setBaseline }, cli) => setBaseline(services, cli, result.summary.recording));
}

/** Runs the tests of the uncertain findings of a recording again, and shows its verdict after that. */
export async function makeSureOf(host: CommandHost, argument: unknown): Promise<void> {
  const recording = isRecord(argument) ? argument['recording'] : undefined;
  if (typeof recording !== 'string' || !(await canRun(host.services))) return;
  await saying(host, async ({ makeSure }, cli) => makeSure(host.services, cli, recording));
}

export async function stopRecheckOf(_: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await (await verifying()).stopRecheck(reference);
}

/** Makes the current state the baseline of later changes. */
export async function keepAsBaseline(host: CommandHost, argument: unknown): Promise<void> {
  const { services } = host;
  const reference = await functionOf(host, argument);
  if (reference === null || !(await canRun(services))) return;
  await saying(host, async ({ setBaseline }, cli) => {
    const said = await setBaseline(services, cli, reference.recording);
    const change = await services.server.ask(recheckRequest, reference);
    if (said !== null && change !== null)
      await services.server.ask(showChangeRequest, { ...reference, change: { ...change, isKept: true } });
    await services.results.follow();
    return said;
  });
}

/** Opens the flamegraph of both sides of the last re-check of a function. */
export async function compareGraphs(host: CommandHost, argument: unknown): Promise<void> {
  const reference = await functionOf(host, argument);
  const change = reference === null ? null : await host.services.server.ask(recheckRequest, reference);
  const diff = change?.diff ?? null;
  if (diff !== null) await host.flamegraph.openDiff(diff);
}

export async function compareWithOther(host: CommandHost, argument: unknown): Promise<void> {
  const { results, log } = host.services;
  if (results.summary === null) {
    offer(emptyStates.noRecording, log);
    return;
  }
  const result = await pickResult(results, argument, 'What to compare');
  if (result !== null) await (await import('./compare-with.ts')).compareWith(host, result.summary);
}

export async function compareOnceMore(host: CommandHost): Promise<void> {
  await (await import('./compare-with.ts')).compareAgain(host);
}

export async function copyShownComparison({ comparisons: { shown } }: CommandHost): Promise<void> {
  if (shown !== null) await (await import('../comparison/comparison-view.ts')).copyComparison(shown);
}

/** Opens the source of a row of the comparison, by its index. */
export async function openComparedFunction(host: CommandHost, index: unknown): Promise<void> {
  const { shown } = host.comparisons;
  const { openCompared } = await import('../comparison/comparison-view.ts');
  if (shown !== null && typeof index === 'number') await openCompared(shown, index, host.services.log);
}

/** Opens the flamegraph of both sides of the comparison: at the function of a row, else at the one that changed most. */
export async function openComparisonFlamegraph(host: CommandHost, row: unknown): Promise<void> {
  const { shown } = host.comparisons;
  if (shown === null) return;
  const index = isRecord(row) && isRecord(row['row']) ? row['row']['index'] : null;
  const fn = typeof index === 'number' ? shown.comparison.functions[index] : undefined;
  const { diffOf, mostChanged } = await verifying();
  await host.flamegraph.openDiff(diffOf(shown.comparison, fn ?? mostChanged(shown.comparison)));
}

async function verifying() {
  return import('../run/verify.ts');
}

/** Shows the answer of a task with what can be done next, or why there is none. `cli`: the path of our command line. */
async function saying(
  { context, services: { log } }: CommandHost,
  task: (verify: Awaited<ReturnType<typeof verifying>>, cli: string) => Promise<string | null>,
  waysOn: () => Promise<readonly Way[]> = async () => [],
): Promise<void> {
  const verify = await verifying();
  try {
    const answer = await task(verify, context.asAbsolutePath('dist/cli.cjs'));
    if (answer !== null) inLog(sayWith(answer, await waysOn()), log);
  } catch (error) {
    showFailure(shownMessage(error), log);
  }
}

interface Way {
  readonly label: string;
  readonly run: () => Promise<void>;
}

async function sayWith(answer: string, ways: readonly Way[]): Promise<void> {
  const labels = ways.map(({ label }) => label);
  const choice = await vscode.window.showInformationMessage(escapeNotification(answer), ...labels);
  await ways.find(({ label }) => label === choice)?.run();
}
