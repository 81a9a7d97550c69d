import type { NodeVersion } from '../helpers/node-versions.ts';
import { installedPackages } from './project.ts';
import type { Setup } from './setup.ts';
import type { TrialStore } from './trial-store.ts';
import type { Trial } from './try-setup.ts';

/** `docs/recorder-matrix.md`: a row for each set-up, a column for each Node, and the notes below. */
export function matrixPage(setups: readonly Setup[], nodes: readonly NodeVersion[], store: TrialStore): string {
  const trials = new Map(store.all.map(({ trial }) => [`${trial.name} ${trial.version}`, trial]));
  const notes = new Map<string, number>();
  const rows = setups.map((setup) => {
    const packages = installedPackages(setup.project);
    const cells = nodes.map(({ version }) => cellOf(trials.get(`${setup.name} ${version}`), notes));
    return `| ${[setup.name, packages, String(setup.expected.length), ...cells].join(' | ')} |`;
  });
  const dates = store.all.map(({ at }) => at.slice(0, 10)).toSorted();
  const heads = ['set-up', 'installed', 'functions', ...nodes.map(({ version }) => `Node ${version}`)];
  return [
    ...introduction(dates.at(0) ?? '', dates.at(-1) ?? '', new Set(store.all.map(({ build }) => build)).size),
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...[...notes].map(([why, number]) => `${number}. ${why}`),
    '',
  ].join('\n');
}

function introduction(first: string, last: string, builds: number): readonly string[] {
  return [
    '# The recorder in each runner, tool and way to start',
    '',
    `Written by \`npm run test:recorder -- --page\`, from runs of ${first === last ? first : `${first} to ${last}`} on Linux x64 with ${builds} ${builds === 1 ? 'build' : 'builds'} of Hotspan, the newest of each row. Each set-up is run as it is and then under \`hotspan record\`. A row is right (✓) when each of the functions that are busy in its processes and threads is found with samples, in its file at its line, and exit code, standard output and standard error are the same: without colours, and with durations, times of day, dates and process ids replaced. Lines may come in another order where files run at the same time. A wrong row is tried once more, which its note says: on a busy machine tests run out of time, and the sampler of V8 waits too long.`,
    '',
  ];
}

/** `✓`, `✓ 24 of 25 (1)` with the number of its note, or what is wrong. */
function cellOf(trial: Trial | undefined, notes: Map<string, number>): string {
  if (trial === undefined) return '–';
  const marks = trial.notes.map((why) => {
    if (!notes.has(why)) notes.set(why, notes.size + 1);
    return `(${notes.get(why)})`;
  });
  const count = trial.found === trial.expected ? [] : [`${trial.found} of ${trial.expected}`];
  return [trial.wrong.length === 0 ? '✓' : '✗', ...count, ...marks].join(' ');
}
