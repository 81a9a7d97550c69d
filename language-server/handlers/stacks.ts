import type { FunctionPlace, OfRecording, StackText } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { functionMarkdown } from '../texts/function-markdown.ts';

export async function stacks(
  { recordings }: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<readonly StackText[]> {
  return recordings.ask(recording, 'stacks', functionId);
}

/** For an issue or a chat: the figures of a function, and the ways to it. */
export async function markdown(
  { recordings }: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<string> {
  const details = await recordings.ask(recording, 'details', functionId);
  if (details === null) throw new Error('This function is not in the recording.');
  return functionMarkdown(details);
}
