import * as vscode from 'vscode';
import { type CalledFunction, type StackText, aboutRequest, markdownRequest } from '../../protocol/requests.ts';
import { duration } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { inLog } from '../ui/failures.ts';
import { type CommandHost, functionReferenceOf } from './command-arguments.ts';
import { openFunction, openSource, openWorst } from './go-to.ts';
import { recordTiers } from './profile.ts';
import { compareWithOther, recheckFunction } from './verify.ts';

/** Offers more actions on a hot function, from `more…` in its lens. */
export async function moreActions(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const { server, log } = host.services;
  const about = await server.ask(aboutRequest, reference);
  const title = visible(about.title);
  const goTo = async (placeHolder: string, items: readonly FrameItem[], none: string): Promise<void> => {
    if (items.length === 0) {
      inLog(vscode.window.showInformationMessage(none), log);
      return;
    }
    const choice = await vscode.window.showQuickPick(items, { matchOnDescription: true, title, placeHolder });
    if (choice !== undefined) await openSource(host, { ...reference, functionId: choice.functionId });
  };
  const stacks = async (): Promise<readonly StackText[]> =>
    server.about(reference.recording, 'stacks', reference.functionId);
  const items: readonly (vscode.QuickPickItem & { readonly act: () => Promise<void> })[] = [
    { label: '$(verified) Re-check: has my change helped?', act: async () => recheckFunction(host, reference) },
    {
      label: '$(git-compare) Compare with a commit, a baseline, other recordings…',
      act: async () => compareWithOther(host, reference),
    },
    { label: '$(graph) Open in Flamegraph', act: async () => openFunction(host, reference) },
    { label: '$(flame) Its worst operation alone, in the flamegraph', act: async () => openWorst(host, reference) },
    {
      label: '$(list-tree) Heaviest stacks',
      act: async () =>
        goTo(
          'The heaviest stacks, callers first: choose a function to go to',
          stackItems(await stacks()),
          nothingCalls,
        ),
    },
    {
      label: '$(call-incoming) Callers',
      act: async () =>
        goTo('Who calls it on the heaviest stacks: choose one to go to', callerItems(await stacks()), nothingCalls),
    },
    {
      label: '$(call-outgoing) Callees',
      act: async () =>
        goTo('Whom it calls, with their time in it: choose one to go to', about.callees.map(frameItem), callsNothing),
    },
    {
      label: '$(copy) Copy as Markdown',
      act: async () => {
        await vscode.env.clipboard.writeText(await server.ask(markdownRequest, reference));
        vscode.window.setStatusBarMessage('Copied', 2_000);
      },
    },
    { label: '$(go-to-file) Go to source', act: async () => openSource(host, reference) },
    {
      label: '$(record) Record V8 tiers: run it again, to see what V8 has optimized',
      act: async () => recordTiers(host, reference),
    },
  ];
  await (await vscode.window.showQuickPick(items, { title }))?.act();
}

type FrameItem = vscode.QuickPickItem & { readonly functionId: number };

const nothingCalls = 'Nothing calls it: it is where its stacks begin.';
const callsNothing = 'It calls no function: all of its time is its own, or that of native code.';

function frameItem({ label, place, us, functionId }: Omit<CalledFunction, 'own'>): FrameItem {
  return { label: visible(label), description: visible(place), detail: duration(us), functionId };
}

function callerItems(stacks: readonly StackText[]): readonly FrameItem[] {
  const callers = stacks.flatMap(({ us, frames }) => frames.slice(-2, -1).map((frame) => frameItem({ ...frame, us })));
  return callers.filter((item, index) => callers.findIndex((other) => other.functionId === item.functionId) === index);
}

function stackItems(stacks: readonly StackText[]): readonly FrameItem[] {
  return stacks.flatMap(({ us, frames }) => [
    { label: duration(us), kind: -1, functionId: -1 },
    ...frames
      .filter(({ own }) => own)
      .map(({ label, place, functionId }) => ({ label: visible(label), description: visible(place), functionId })),
  ]);
}
