import { type QuickPickItem, env, window } from 'vscode';
import { type StackText, markdownRequest, stacksRequest } from '../../protocol/requests.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { duration } from '../../words/formats/figures.ts';
import { type FunctionReference, functionReferenceOf, type CommandHost } from './command-arguments.ts';
import { inLog } from '../ui/failures.ts';
import { openFunction, openWorst, openSource } from './go-to.ts';
import { recordTiers } from './profile.ts';
import { recheckFunction } from './verify.ts';

type Action = 'recheck' | 'flamegraph' | 'worst' | 'stacks' | 'callers' | 'markdown' | 'source' | 'tiers';

/** Offers more actions on a hot function, from `more…` in its lens. */
export async function moreActions(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const items: readonly (QuickPickItem & { readonly action: Action })[] = [
    { label: '$(verified) Re-check: has my change helped?', action: 'recheck' },
    { label: '$(graph) Open in Flamegraph', action: 'flamegraph' },
    { label: '$(flame) Its worst operation alone, in the flamegraph', action: 'worst' },
    { label: '$(list-tree) Heaviest stacks', action: 'stacks' },
    { label: '$(call-incoming) Callers', action: 'callers' },
    { label: '$(copy) Copy as Markdown', action: 'markdown' },
    { label: '$(go-to-file) Go to source', action: 'source' },
    { label: '$(record) Record V8 tiers: run it again, to see what V8 has optimized', action: 'tiers' },
  ];
  const choice = await window.showQuickPick(items);
  if (choice !== undefined) await act(host, reference, choice.action);
}

async function act(host: CommandHost, reference: FunctionReference, action: Action): Promise<void> {
  switch (action) {
    case 'recheck':
      return recheckFunction(host, reference);
    case 'flamegraph':
      return openFunction(host, reference);
    case 'worst':
      return openWorst(host, reference);
    case 'stacks':
      return pickFrame(host, reference, 'The heaviest stacks, callers first: choose a function to go to', stackItems);
    case 'callers':
      return pickFrame(host, reference, 'Who calls it on the heaviest stacks: choose one to go to', callerItems);
    case 'markdown':
      await env.clipboard.writeText(await host.services.server.ask(markdownRequest, reference));
      window.setStatusBarMessage('Copied', 2_000);
      return undefined;
    case 'source':
      return openSource(host, reference);
    case 'tiers':
      return recordTiers(host);
  }
}

type FrameItem = QuickPickItem & { readonly functionId: number };

async function pickFrame(
  host: CommandHost,
  reference: FunctionReference,
  placeHolder: string,
  itemsOf: (stacks: readonly StackText[]) => readonly FrameItem[],
): Promise<void> {
  const stacks = await host.services.server.ask(stacksRequest, reference);
  const items = itemsOf(stacks);
  if (items.length === 0) {
    inLog(window.showInformationMessage('Nothing calls it: it is where its stacks begin.'), host.services.log);
    return;
  }
  const choice = await window.showQuickPick(items, { matchOnDescription: true, placeHolder });
  if (choice !== undefined) await openSource(host, { ...reference, functionId: choice.functionId });
}

/** The function that each heavy stack comes from directly. */
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
