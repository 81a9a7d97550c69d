import { type QuickPickItem, window } from 'vscode';
import { type Baseline, listBaselines } from '../../recordings/baselines.ts';
import type { Summary } from '../../protocol/summary.ts';
import { type ListedRecording, listRecordings } from '../../recordings/list-recordings.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { ago, plural } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { compare } from '../comparison/compare.ts';
import type { Asked, ShownComparison } from '../comparison/shown-comparison.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import { canRun } from '../run/can-run.ts';
import { folderOf } from '../run/command-line.ts';
import { showFailure } from '../ui/failures.ts';
import type { CommandHost } from './command-arguments.ts';
import { recentRefs } from '../../recorder/launch/pairs/recent-refs.ts';
import { isOfComparison } from '../../recordings/recording-folders.ts';

/** Asks what to compare a recording on screen, or its command, with; then compares. Nothing is run before. */
export async function compareWith(host: CommandHost, { recording, title }: Summary): Promise<void> {
  const { services } = host;
  const cwd = await folderOf(recording);
  if (cwd === null) return showFailure('Where this was recorded is not known: profile the tests again.', services.log);
  if (!(await canRun(services))) return undefined;
  const asked = await ask(host, { recording, title, cwd });
  return asked === null ? undefined : run(host, asked);
}

/** Compares once more what was compared last. */
export async function compareAgain(host: CommandHost): Promise<void> {
  const { shown } = host.comparisons;
  if (shown !== null && (await canRun(host.services))) await run(host, await askedAgain(shown));
}

/** The same, with the command of a run of the comparison where its recording was deleted to make room for others. */
async function askedAgain({ asked, comparison }: ShownComparison): Promise<Asked> {
  if (asked.type === 'recordings' || (await folderOf(asked.recording)) !== null) return asked;
  const [run] = comparison.head.runs;
  return run === undefined ? asked : { ...asked, recording: run.path };
}

async function run({ context, services, comparisons }: CommandHost, asked: Asked): Promise<void> {
  await compare(services, comparisons, context.asAbsolutePath('dist/cli.cjs'), asked);
}

/** The recording on screen. */
interface Shown {
  readonly recording: string;
  /** What was run. */
  readonly title: string;
  /** The folder in which it ran. */
  readonly cwd: string;
}

type Choice =
  | { readonly type: 'commit' }
  | { readonly type: 'recordings' }
  | { readonly type: 'baseline'; readonly baseline: Baseline };

/** Null where the person chooses nothing. */
async function ask({ context }: CommandHost, shown: Shown): Promise<Asked | null> {
  const [baselines, others] = await Promise.all([
    listBaselines(shown.cwd),
    otherRecordings([recordingsRoot(context), ...defaultRecordingsFolders(shown.cwd)], shown.recording, shown.cwd),
  ]);
  const choice = await pickChoice(shown, baselines, others);
  if (choice === null) return null;
  if (choice.type === 'commit') {
    const ref = await pickRef(shown.cwd);
    return ref === null ? null : { type: 'commit', ref, recording: shown.recording };
  }
  if (choice.type === 'recordings') return askForRecordings(shown, others);
  const { name, commit, recordings } = choice.baseline;
  if (commit !== null) return { type: 'baseline', name, recording: shown.recording };
  // Without its sources only its recordings can be compared.
  const head = await pickHead(shown, others);
  return head === null ? null : { type: 'recordings', base: recordings, head };
}

async function pickChoice(
  { title }: Shown,
  baselines: readonly Baseline[],
  others: readonly ListedRecording[],
): Promise<Choice | null> {
  const now = Date.now();
  const rows: readonly (QuickPickItem & { readonly choice: Choice })[] = [
    {
      label: '$(git-branch) A commit or branch…',
      detail: `Runs ${visible(title, 100)} there and on your files in turn, three times each or more.`,
      choice: { type: 'commit' },
    },
    ...baselines.map((baseline) => ({
      label: `$(bookmark) Baseline ${visible(baseline.name)}`,
      description: ago(Date.parse(baseline.createdAt), now),
      detail:
        baseline.commit === null
          ? 'Its sources were not kept: its recordings are compared, and nothing is run.'
          : 'Runs its sources and your files in turn, three times each or more.',
      choice: { type: 'baseline', baseline } as const,
    })),
    ...(others.length === 0
      ? []
      : [
          {
            label: '$(history) Other recordings…',
            description: plural(others.length, 'recording'),
            detail: 'Nothing is run. Three or more of each side tell a change from chance.',
            choice: { type: 'recordings' } as const,
          },
        ]),
  ];
  const picked = await window.showQuickPick(rows, {
    placeHolder: 'Compare your files, or the recording on screen, with …',
    matchOnDescription: true,
  });
  return picked?.choice ?? null;
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

/** A branch, a tag or a commit of the repository, or any other name that git may know. Null where nothing is chosen. */
async function pickRef(cwd: string): Promise<string | null> {
  const refs = await recentRefs(cwd);
  const rows = refs.map(({ name, kind, when, subject }): QuickPickItem => {
    return { label: name, description: [kind, when, visible(subject, 200)].join(' · ') };
  });
  const list = window.createQuickPick();
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

/** What is typed comes first where no name has it in it, so that Enter takes it. */
function withTyped(rows: readonly QuickPickItem[], typed: string): readonly QuickPickItem[] {
  if (typed === '' || rows.some(({ label }) => label === typed)) return rows;
  const row = { label: typed, description: 'as typed', alwaysShow: true };
  return rows.some(({ label }) => label.includes(typed)) ? [...rows, row] : [row, ...rows];
}

/**
 * The finished recordings of a project besides one, the newest first: those of the editor and of the command line.
 * Recordings that were made for a comparison may be of other sources, and are left out.
 */
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

/** Lets the person choose any number of recordings. Null where that is dismissed: not by a message that takes the focus. */
async function pickRecordings(
  recordings: readonly ListedRecording[],
  placeHolder: string,
): Promise<readonly string[] | null> {
  const rows = recordings.map(({ folder, command, startedAt }): QuickPickItem & { readonly folder: string } => {
    return { label: new Date(startedAt).toLocaleString(), description: visible(command, 300), folder };
  });
  const picked = await window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    placeHolder,
    matchOnDescription: true,
  });
  return picked === undefined ? null : picked.map(({ folder }) => folder);
}
