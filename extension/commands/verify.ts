import path from 'node:path';
import * as vscode from 'vscode';
import { internalCommands } from '../../protocol/ids.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { showChangeRequest } from '../../protocol/requests.ts';
import { baselineIsSet, nothingToRecheck } from '../../words/editor/notifications.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { offer } from '../results/last-run.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { byWeight } from '../../protocol/summary.ts';
import { canRun } from '../run/can-run.ts';
import { functionOf } from './go-to.ts';
import { type CommandHost, functionReferenceOf, pickResult } from './command-arguments.ts';
import { fileOf, testOf } from './test-lenses.ts';

/** Says whether a change of a function has helped. */
export async function recheckFunction(host: CommandHost, argument: unknown): Promise<void> {
  const { context, services } = host;
  if (!(await canRun(services))) return;
  const reference = await functionOf(host, argument);
  if (reference === null) return;
  const { recheck } = await import('../run/verify.ts');
  await saying(services.log, async () => recheck(services, cliIn(context), reference));
}

/** Re-checks the worst function that a test of the Test Explorer reached in any result, and names it. */
export async function recheckTest({ context, services }: CommandHost, argument: unknown): Promise<void> {
  const { results, server, log } = services;
  const { summary } = results;
  if (summary === null) return offer(emptyStates.noRecording, log);
  const file = fileOf(argument);
  if (file === undefined || !(await canRun(services))) return;
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
    const also = { label: 'Profile This Test', run };
    inLog(offer({ message, ways: ['lowerThreshold'], also }, log), log);
    return;
  }
  const { recheck } = await import('../run/verify.ts');
  const { recording, functionId, label, place } = worst;
  await saying(log, async () => {
    const answer = await recheck(services, cliIn(context), { recording, functionId }, label);
    return answer === null ? null : `${label}, ${place}: ${answer}`;
  });
}

/** Keeps the current sources and figures, for later re-checks. */
export async function setBaselineHere({ context, services }: CommandHost, argument: unknown): Promise<void> {
  if (services.results.summary === null) return offer(emptyStates.noRecording, services.log);
  if (!(await canRun(services))) return;
  const result = await pickResult(services.results, argument, 'What to set a baseline of');
  if (result === null) return;
  const { setBaseline } = await import('../run/verify.ts');
  await saying(services.log, async () => setBaseline(services, cliIn(context), result.summary.recording));
}

export async function makeSureOf({ context, services }: CommandHost, argument: unknown): Promise<void> {
  const recording = isRecord(argument) ? argument['recording'] : undefined;
  if (typeof recording !== 'string' || !(await canRun(services))) return;
  const { makeSure } = await import('../run/verify.ts');
  await saying(services.log, async () => makeSure(services, cliIn(context), recording));
}

export async function stopRecheckOf(_: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  const { stopRecheck } = await import('../run/verify.ts');
  if (reference !== null) stopRecheck(reference);
}

/** Makes the current state the baseline of later changes. */
export async function keepAsBaseline({ context, services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null || !(await canRun(services))) return;
  const { setBaseline } = await import('../run/verify.ts');
  await saying(services.log, async () => {
    const said = await setBaseline(services, cliIn(context), reference.recording);
    const change = { type: 'baseline', text: baselineIsSet } as const;
    if (said !== null) await services.server.ask(showChangeRequest, { ...reference, change });
    services.results.listAgain();
    return said;
  });
}

export async function compareWithOther(host: CommandHost, argument: unknown): Promise<void> {
  const { results, log } = host.services;
  if (results.summary === null) return offer(emptyStates.noRecording, log);
  const result = await pickResult(results, argument, 'What to compare');
  if (result === null) return;
  const { compareWith } = await import('./compare-with.ts');
  await compareWith(host, result.summary);
}

export async function compareOnceMore(host: CommandHost): Promise<void> {
  const { compareAgain } = await import('./compare-with.ts');
  await compareAgain(host);
}

export async function copyShownComparison({ comparisons: { shown } }: CommandHost): Promise<void> {
  const { copyComparison } = await import('../comparison/comparison-view.ts');
  if (shown !== null) await copyComparison(shown);
}

/** Opens the source of a row of the comparison, by its index. */
export async function openComparedFunction(
  { comparisons: { shown }, services }: CommandHost,
  index: unknown,
): Promise<void> {
  const { openCompared } = await import('../comparison/comparison-view.ts');
  if (shown !== null && typeof index === 'number') await openCompared(shown, index, services.log);
}

/** Opens the flamegraph of both sides of the comparison, at the function of a row if there is one. */
export async function openComparisonFlamegraph(
  { comparisons: { shown }, flamegraph }: CommandHost,
  row: unknown,
): Promise<void> {
  if (shown === null) return;
  const { diffOf } = await import('../run/verify.ts');
  await flamegraph.openDiff(diffOf(shown.comparison, shown.comparison.functions[indexIn(row)]));
}

function indexIn(row: unknown): number {
  const inner = isRecord(row) && isRecord(row['row']) ? row['row']['index'] : null;
  return typeof inner === 'number' ? inner : -1;
}

function cliIn(context: CommandHost['context']): string {
  return context.asAbsolutePath('dist/cli.cjs');
}

async function saying(log: CommandHost['services']['log'], task: () => Promise<string | null>): Promise<void> {
  try {
    const answer = await task();
    if (answer !== null) inLog(vscode.window.showInformationMessage(escapeNotification(answer)), log);
  } catch (error) {
    await showFailure(error instanceof Error ? error.message : String(error), log);
  }
}
