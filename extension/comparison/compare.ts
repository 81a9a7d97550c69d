import { commands, window, workspace } from 'vscode';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { views } from '../../protocol/ids.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { plural } from '../../words/formats/figures.ts';
import { folderOf, runInNotification } from '../run/command-line.ts';
import { diffOf, pruneOthers } from '../run/verify.ts';
import { thresholdArgument } from '../ui/settings.ts';
import type { Services } from '../results/services.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { workspaceFile } from '../ui/open-source.ts';
import type { Comparisons } from './comparisons.ts';
import type { Asked } from './shown-comparison.ts';
import { linesOf } from './function-lines.ts';

/**
 * Compares what was asked for by our own command line, and shows the result. Where that is cancelled, what is known
 * until then is shown. `cli` is the absolute path of the bundled command line.
 */
export async function compare({ log }: Services, comparisons: Comparisons, cli: string, asked: Asked): Promise<void> {
  const recording = asked.type === 'recordings' ? asked.head[0] : asked.recording;
  const cwd = recording === undefined ? null : await folderOf(recording);
  if (cwd === null) return showFailure('The recording is not there any more: profile the tests again.', log);
  // Tests run what is on the disk.
  if (asked.type !== 'recordings') await workspace.saveAll(false);
  const startedMs = Date.now();
  const run = { cli, cwd, args: [...argumentsOf(asked), thresholdArgument()] };
  const result = await runInNotification('Compare', run, log, async () => undefined, { beginning: beginning(asked) });
  const comparison = parseJson(result.stdout);
  if (!isComparison(comparison)) {
    if (!result.isCancelled) return showFailure(result.said, log);
    // Where it ran something, it says what is left of that.
    if (asked.type !== 'recordings') inLog(window.showInformationMessage(escapeNotification(result.said)), log);
    return undefined;
  }
  const lines = await linesOf(comparison, startedMs, (url) => workspaceFile(url) !== null);
  await comparisons.show({ asked, comparison, lines });
  if (asked.type !== 'recordings') await pruneOthers(diffOf(comparison, undefined), log);
  await commands.executeCommand(`${views.comparison}.focus`);
  return undefined;
}

/** The words after `hotspan`. The command line itself decides whether it runs the command of a recording. */
export function argumentsOf(asked: Asked): readonly string[] {
  switch (asked.type) {
    case 'commit':
      return ['compare', `--base=${asked.ref}`, '--recording', asked.recording, '--json'];
    case 'baseline':
      return ['compare', `--baseline=${asked.name}`, '--recording', asked.recording, '--json'];
    case 'recordings':
      return ['compare', '--json', ...asked.base, '--head', ...asked.head];
  }
}

/** What the notification says until the first run begins. */
function beginning(asked: Asked): string {
  return asked.type === 'recordings'
    ? `Reading ${plural(asked.base.length + asked.head.length, 'recording')} …`
    : `Preparing ${asked.type === 'commit' ? asked.ref : `the baseline "${asked.name}"`} …`;
}
