import * as vscode from 'vscode';
import { type CalledFunction, type StackText, aboutRequest, markdownRequest } from '../../protocol/requests.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { duration } from '../../words/formats/figures.ts';
import { type FunctionReference, functionReferenceOf, type CommandHost } from './command-arguments.ts';
import { inLog } from '../ui/failures.ts';
import { openFunction, openWorst, openSource } from './go-to.ts';
import { recordTiers } from './profile.ts';
import { compareWithOther, recheckFunction } from './verify.ts';

type Action =
  | 'recheck'
  | 'compare'
  | 'flamegraph'
  | 'worst'
  | 'stacks'
  | 'callers'
  | 'callees'
  | 'markdown'
  | 'source'
  | 'tiers';

export async function moreActions(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const items: readonly (vscode.QuickPickItem & { readonly action: Action })[] = [
    { label: '$(verified) Re-check: has my change helped?', action: 'recheck' },
    { label: '$(git-compare) Compare with a commit, a baseline, other recordings…', action: 'compare' },
    { label: '$(graph) Open in Flamegraph', action: 'flamegraph' },
    { label: '$(flame) Its worst operation alone, in the flamegraph', action: 'worst' },
    { label: '$(list-tree) Heaviest stacks', action: 'stacks' },
    { label: '$(call-incoming) Callers', action: 'callers' },
    { label: '$(call-outgoing) Callees', action: 'callees' },
    { label: '$(copy) Copy as Markdown', action: 'markdown' },
    { label: '$(go-to-file) Go to source', action: 'source' },
    { label: '$(record) Record V8 tiers: run it again, to see what V8 has optimized', action: 'tiers' },
  ];
  const { title, callees } = await host.services.server.ask(aboutRequest, reference);
  const choice = await vscode.window.showQuickPick(items, { title: visible(title) });
  if (choice !== undefined) await act({ host, reference, title: visible(title), callees }, choice.action);
}

interface Chosen {
  readonly host: CommandHost;
  readonly reference: FunctionReference;
  readonly title: string;
  readonly callees: readonly CalledFunction[];
}

async function act(chosen: Chosen, action: Action): Promise<void> {
  const { host, reference } = chosen;
  const stacks = async (): Promise<readonly StackText[]> =>
    host.services.server.about(reference.recording, 'stacks', reference.functionId);
  switch (action) {
    case 'recheck':
      return recheckFunction(host, reference);
    case 'compare':
      return compareWithOther(host, reference);
    case 'flamegraph':
      return openFunction(host, reference);
    case 'worst':
      return openWorst(host, reference);
    case 'stacks':
      return pickFrame(chosen, 'The heaviest stacks, callers first: choose a function to go to', {
        items: stackItems(await stacks()),
        none: nothingCalls,
      });
    case 'callers':
      return pickFrame(chosen, 'Who calls it on the heaviest stacks: choose one to go to', {
        items: callerItems(await stacks()),
        none: nothingCalls,
      });
    case 'callees':
      return pickFrame(chosen, 'Whom it calls, with their time in it: choose one to go to', {
        items: calleeItems(chosen.callees),
        none: 'It calls no function: all of its time is its own, or that of native code.',
      });
    case 'markdown':
      await vscode.env.clipboard.writeText(await host.services.server.ask(markdownRequest, reference));
      vscode.window.setStatusBarMessage('Copied', 2_000);
      return undefined;
    case 'source':
      return openSource(host, reference);
    case 'tiers':
      return recordTiers(host, reference);
  }
}

type FrameItem = vscode.QuickPickItem & { readonly functionId: number };

const nothingCalls = 'Nothing calls it: it is where its stacks begin.';

async function pickFrame(
  { host, reference, title }: Chosen,
  placeHolder: string,
  { items, none }: { readonly items: readonly FrameItem[]; readonly none: string },
): Promise<void> {
  if (items.length === 0) {
    inLog(vscode.window.showInformationMessage(none), host.services.log);
    return;
  }
  const choice = await vscode.window.showQuickPick(items, { matchOnDescription: true, title, placeHolder });
  if (choice !== undefined) await openSource(host, { ...reference, functionId: choice.functionId });
}

function callerItems(stacks: readonly StackText[]): readonly FrameItem[] {
  const callers = stacks.flatMap((stack) => {
    const caller = stack.frames.at(-2);
    return caller === undefined
      ? []
      : [
          {
            label: visible(caller.label),
            description: visible(caller.place),
            detail: duration(stack.us),
            functionId: caller.functionId,
          },
        ];
  });
  return callers.filter((item, index) => callers.findIndex((other) => other.functionId === item.functionId) === index);
}

function calleeItems(callees: readonly CalledFunction[]): readonly FrameItem[] {
  return callees.map(({ label, place, us, functionId }) => ({
    label: visible(label),
    description: visible(place),
    detail: duration(us),
    functionId,
  }));
}

function stackItems(stacks: readonly StackText[]): readonly FrameItem[] {
  return stacks.flatMap((stack) => [
    { label: duration(stack.us), kind: -1, functionId: -1 },
    ...stack.frames
      .filter((frame) => frame.own)
      .map((frame) => ({
        label: visible(frame.label),
        description: visible(frame.place),
        functionId: frame.functionId,
      })),
  ]);
}
