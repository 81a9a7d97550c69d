import * as vscode from 'vscode';
import { type Baseline, listBaselines } from '../../recordings/baselines.ts';
import type { Summary } from '../../protocol/summary.ts';
import { type ListedRecording, listRecordings, isOfComparison } from '../../recordings/recording-folders.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { visible, escapeNotification } from '../../words/formats/foreign-text.ts';
import { type Asked, type ShownComparison, linesOf } from '../comparison/shown-comparison.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import { canRun } from '../run/can-run.ts';
import { showFailure, inLog } from '../ui/failures.ts';
import type { CommandHost } from './command-arguments.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { views } from '../../protocol/ids.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { ago, plural } from '../../words/formats/figures.ts';
import { type Finished, alone, folderOf, runInNotification } from '../run/command-line.ts';
import { diffOf, pruneOthers } from '../run/verify.ts';
import { thresholdArgument } from '../ui/settings.ts';
import { workspaceFile } from '../ui/open-source.ts';
import { recentRefs } from '../../recorder/launch/pairs/git.ts';

export async function compareWith(host: CommandHost, { recording, title }: Summary): Promise<void> {
  const { services } = host;
  const cwd = await folderOf(recording);
  if (cwd === null) {
    showFailure('Where this was recorded is not known: profile the tests again.', services.log);
    return;
  }
  if (!(await canRun(services))) return undefined;
  const asked = await ask(host, { recording, title, cwd });
  return asked === null ? undefined : compare(host, asked);
}

export async function compareAgain(host: CommandHost): Promise<void> {
  const { shown } = host.comparisons;
  if (shown !== null && (await canRun(host.services))) await compare(host, await askedAgain(shown));
}

/** If the recording was deleted meanwhile, the comparison's own run has the same command. */
async function askedAgain({ asked, comparison }: ShownComparison): Promise<Asked> {
  if (asked.type === 'recordings' || (await folderOf(asked.recording)) !== null) return asked;
  const [run] = comparison.head.runs;
  return run === undefined ? asked : { ...asked, recording: run.path };
}

/** The recording on screen. `cwd`: the folder in which it ran. */
interface Shown {
  readonly recording: string;
  readonly title: string;
  readonly cwd: string;
}

type Row = vscode.QuickPickItem & { readonly ask: () => Promise<Asked | null> };

/** Null where the person chooses nothing. */
async function ask({ context }: CommandHost, shown: Shown): Promise<Asked | null> {
  const { recording, title, cwd } = shown;
  const [baselines, others] = await Promise.all([
    listBaselines(cwd),
    otherRecordings([recordingsRoot(context), ...defaultRecordingsFolders(cwd)], recording, cwd),
  ]);
  const rows: Row[] = [
    {
      label: '$(git-branch) A commit or branch…',
      detail: `Runs ${visible(title, 100)} there and on your files in turn, three times each or more.`,
      ask: async () => {
        const ref = await pickRef(cwd);
        return ref === null ? null : { type: 'commit', ref, recording };
      },
    },
    ...baselines.map((baseline) => baselineRow(baseline, shown, others)),
  ];
  if (others.length > 0)
    rows.push({
      label: '$(history) Other recordings…',
      description: plural(others.length, 'recording'),
      detail: 'Nothing is run. Three or more of each side tell a change from chance.',
      ask: async () => askForRecordings(shown, others),
    });
  const picked = await vscode.window.showQuickPick(rows, {
    placeHolder: 'Compare your files, or the recording on screen, with …',
    matchOnDescription: true,
  });
  return (await picked?.ask()) ?? null;
}

/** Without its sources, only a baseline's recordings can be compared. */
function baselineRow(
  { name, createdAt, commit, recordings }: Baseline,
  shown: Shown,
  others: readonly ListedRecording[],
): Row {
  return {
    label: `$(bookmark) Baseline ${visible(name)}`,
    description: ago(Date.parse(createdAt), Date.now()),
    detail:
      commit === null
        ? 'Its sources were not kept: its recordings are compared, and nothing is run.'
        : 'Runs its sources and your files in turn, three times each or more.',
    ask: async () => {
      if (commit !== null) return { type: 'baseline', name, recording: shown.recording };
      const head = await pickHead(shown, others);
      return head === null ? null : { type: 'recordings', base: recordings, head };
    },
  };
}

async function askForRecordings(shown: Shown, others: readonly ListedRecording[]): Promise<Asked | null> {
  const base = await pickRecordings(
    others,
    'Recordings from before the change: three or more tell a change from chance',
  );
  if (base === null || base.length === 0) return null;
  const head = await pickHead(
    shown,
    others.filter(({ folder }) => !base.includes(folder)),
  );
  return head === null ? null : { type: 'recordings', base, head };
}

/** The recordings from after the change. The one on screen is among them. */
async function pickHead({ recording }: Shown, others: readonly ListedRecording[]): Promise<readonly string[] | null> {
  if (others.length === 0) return [recording];
  const more = await pickRecordings(
    others,
    'Recordings from after the change, besides the one on screen: choose two or more',
  );
  return more === null ? null : [recording, ...more];
}

/** A branch, a tag, a commit, or any name that git may know. Null where nothing is chosen. */
async function pickRef(cwd: string): Promise<string | null> {
  const refs = await recentRefs(cwd);
  const rows = refs.map(({ name, kind, when, subject }): vscode.QuickPickItem => {
    return { label: name, description: [kind, when, visible(subject, 200)].join(' · ') };
  });
  const list = vscode.window.createQuickPick();
  list.items = rows;
  list.placeholder = 'Compare with which commit, branch or tag? Any name can be typed: HEAD~3';
  list.matchOnDescription = true;
  try {
    return await new Promise((resolve) => {
      list.onDidChangeValue((typed) => (list.items = withTyped(rows, typed.trim())));
      list.onDidAccept(() => resolve(list.selectedItems[0]?.label ?? null));
      list.onDidHide(() => resolve(null));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/** Text that no name contains comes first, so that Enter takes it. */
function withTyped(rows: readonly vscode.QuickPickItem[], typed: string): readonly vscode.QuickPickItem[] {
  if (typed === '' || rows.some(({ label }) => label === typed)) return rows;
  const row = { label: typed, description: 'as typed', alwaysShow: true };
  return rows.some(({ label }) => label.includes(typed)) ? [...rows, row] : [row, ...rows];
}

/** The other finished recordings of a project, newest first, without those of comparisons, whose sources may differ. */
async function otherRecordings(
  roots: readonly string[],
  shown: string,
  cwd: string,
): Promise<readonly ListedRecording[]> {
  const lists = await Promise.all(roots.map(listRecordings));
  return lists
    .flat()
    .filter((one) => one.isEnded && one.folder !== shown && one.cwd === cwd && !isOfComparison(one.folder))
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** Null where the person dismisses it; a message that takes the focus does not. */
async function pickRecordings(
  recordings: readonly ListedRecording[],
  placeHolder: string,
): Promise<readonly string[] | null> {
  const rows = recordings.map(({ folder, command, startedAt }): vscode.QuickPickItem & { readonly folder: string } => {
    return { label: new Date(startedAt).toLocaleString(), description: visible(command, 300), folder };
  });
  const picked = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    placeHolder,
    matchOnDescription: true,
  });
  return picked === undefined ? null : picked.map(({ folder }) => folder);
}

/** Runs our command line and shows the comparison; after a cancellation, as far as it got. */
async function compare(host: CommandHost, asked: Asked): Promise<void> {
  const { log } = host.services;
  const found = await alone(host.services, title, async () => compared(host, asked));
  if (found === null) return;
  if ('functions' in found) await vscode.commands.executeCommand(`${views.comparison}.focus`);
  else if (!found.isCancelled) showFailure(found.said, log);
  // Where it ran something, it says what is left of that.
  else if (asked.type !== 'recordings')
    inLog(vscode.window.showInformationMessage(escapeNotification(found.said)), log);
}

const title = 'Compare';

/** Compares, and has the view show it. Where nothing was compared, what was said. `stop` cancels it. */
export async function compared(
  { context, services, comparisons }: CommandHost,
  asked: Asked,
  stop?: vscode.CancellationToken,
): Promise<Comparison | Pick<Finished, 'said' | 'isCancelled'>> {
  const recording = asked.type === 'recordings' ? asked.head[0] : asked.recording;
  const cwd = recording === undefined ? null : await folderOf(recording);
  if (cwd === null)
    return { said: 'The recording is not there any more: profile the tests again.', isCancelled: false };
  // Tests run what is on the disk.
  if (asked.type !== 'recordings') await vscode.workspace.saveAll(false);
  const startedMs = Date.now();
  const cli = context.asAbsolutePath('dist/cli.cjs');
  const run = { cli, cwd, args: [...argumentsOf(asked), thresholdArgument()] };
  const how = { beginning: beginning(asked), stop };
  const result = await runInNotification(title, run, services, async () => undefined, how);
  const comparison = parseJson(result.stdout);
  if (!isComparison(comparison)) return result;
  const lines = await linesOf(comparison, startedMs, (url) => workspaceFile(url) !== null);
  await comparisons.show({ asked, comparison, lines });
  if (asked.type !== 'recordings') await pruneOthers(diffOf(comparison, undefined), services.log);
  return comparison;
}

/** The words after `hotspan`. */
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
