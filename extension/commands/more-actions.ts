import * as vscode from 'vscode';
import {
  type CalledFunction,
  type FunctionReference,
  type StackFrame,
  type StackText,
  aboutRequest,
  markdownRequest,
  recheckRequest,
} from '../../protocol/requests.ts';
import type { DoneRecheck } from '../../protocol/rechecks.ts';
import { duration, worstTime } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { inLog } from '../ui/failures.ts';
import { type CommandHost, functionReferenceOf } from './command-arguments.ts';
import { openFunction, openSource, openWorst, undoChange } from './go-to.ts';
import { recordTiers } from './profile.ts';
import { compareGraphs, compareWithOther, keepAsBaseline, recheckFunction } from './verify.ts';

/** Offers more actions on a hot function, from `more…` in its lens. */
export async function moreActions(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const { title, callees } = await host.services.server.ask(aboutRequest, reference);
  const change = await host.services.server.ask(recheckRequest, reference);
  const chosen = { host, reference, title: visible(title) };
  const after = change === null ? [] : afterRecheck(host, reference, change);
  const items = [
    ...after,
    ...actionsOn(host, reference),
    ...waysFrom(chosen, callees),
    ...lastActions(host, reference),
  ];
  await (await vscode.window.showQuickPick(items, { title: chosen.title }))?.act();
}

interface Chosen {
  readonly host: CommandHost;
  readonly reference: FunctionReference;
  readonly title: string;
}

type ActionItem = vscode.QuickPickItem & { readonly act: () => Promise<void> };

/** What can be done with a change that a re-check has measured. */
function afterRecheck(host: CommandHost, of: FunctionReference, change: DoneRecheck): readonly ActionItem[] {
  const keep = { label: '$(bookmark) Keep as Baseline', act: async () => keepAsBaseline(host, of) };
  return [
    ...(change.isFaster && !change.isKept ? [keep] : []),
    { label: '$(discard) Undo the Change', act: async () => undoChange(host, of) },
    ...(change.diff === null
      ? []
      : [{ label: '$(git-compare) Compare Graphs', act: async () => compareGraphs(host, of) }]),
  ];
}

function actionsOn(host: CommandHost, of: FunctionReference): readonly ActionItem[] {
  return [
    { label: '$(verified) Re-check: has my change helped?', act: async () => recheckFunction(host, of) },
    {
      label: '$(git-compare) Compare with a commit, a baseline, other recordings…',
      act: async () => compareWithOther(host, of),
    },
    { label: '$(graph) Open in Flamegraph', act: async () => openFunction(host, of) },
    { label: '$(flame) Its worst operation alone, in the flamegraph', act: async () => openWorst(host, of) },
  ];
}

/** The ways to other functions. */
function waysFrom(chosen: Chosen, callees: readonly CalledFunction[]): readonly ActionItem[] {
  const { host, reference } = chosen;
  const stacks = async (): Promise<readonly StackText[]> =>
    host.services.server.about(reference.recording, 'stacks', reference.functionId);
  const nothingCalls = 'Nothing calls it: it is where its stacks begin.';
  const callsNothing = 'It calls no function: all of its time is its own, or that of native code.';
  const heaviest = 'The heaviest stacks, callers first: choose a function to go to';
  const callers = 'Who calls it on the heaviest stacks: choose one to go to';
  const called = 'Whom it calls, with their time in it: choose one to go to';
  return [
    {
      label: '$(list-tree) Heaviest stacks',
      act: async () => goTo(chosen, heaviest, stackItems(await stacks()), nothingCalls),
    },
    {
      label: '$(call-incoming) Callers',
      act: async () => goTo(chosen, callers, callerItems(await stacks()), nothingCalls),
    },
    {
      label: '$(call-outgoing) Callees',
      act: async () => goTo(chosen, called, calleeItems(callees), callsNothing),
    },
  ];
}

function lastActions(host: CommandHost, of: FunctionReference): readonly ActionItem[] {
  return [
    {
      label: '$(copy) Copy as Markdown',
      act: async () => {
        await vscode.env.clipboard.writeText(await host.services.server.ask(markdownRequest, of));
        vscode.window.setStatusBarMessage('Copied', 2_000);
      },
    },
    { label: '$(go-to-file) Go to source', act: async () => openSource(host, of) },
    {
      label: '$(record) Record V8 tiers: run it again, to see what V8 has optimized',
      act: async () => recordTiers(host, of),
    },
  ];
}

/** Lets the person go to one of these functions. */
async function goTo(
  { host, reference, title }: Chosen,
  placeHolder: string,
  items: readonly FrameItem[],
  none: string,
): Promise<void> {
  if (items.length === 0) {
    inLog(vscode.window.showInformationMessage(none), host.services.log);
    return;
  }
  const choice = await vscode.window.showQuickPick(items, { matchOnDescription: true, title, placeHolder });
  if (choice !== undefined) await openSource(host, { ...reference, functionId: choice.functionId });
}

type FrameItem = vscode.QuickPickItem & { readonly functionId: number };

function frameItem({ label, place, functionId }: StackFrame): FrameItem {
  return { label: visible(label), description: visible(place), functionId };
}

function calleeItems(callees: readonly CalledFunction[]): readonly FrameItem[] {
  return callees.map((called) => ({ ...frameItem(called), detail: duration(called.us) }));
}

function callerItems(stacks: readonly StackText[]): readonly FrameItem[] {
  const callers = stacks.flatMap((stack) =>
    stack.frames.slice(-2, -1).map((frame) => ({ ...frameItem(frame), detail: worstTime(stack) })),
  );
  return callers.filter((item, index) => callers.findIndex((other) => other.functionId === item.functionId) === index);
}

function stackItems(stacks: readonly StackText[]): readonly FrameItem[] {
  return stacks.flatMap((stack) => [
    { label: worstTime(stack), kind: -1, functionId: -1 },
    ...stack.frames.filter(({ own }) => own).map(frameItem),
  ]);
}
