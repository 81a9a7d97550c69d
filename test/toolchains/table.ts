import type { Judged } from './judge.ts';
import type { Trial } from './try-setup.ts';

export const tableHead = [
  '| set-up | version | exit | output | block | found | line | ms true → shown | `analyze` says first |',
  '|---|---|---|---|---|---|---|---|---|',
].join('\n');

/** A row for each block; what is of the set-up stands in the first. */
export function rowsOf({ setup, exits, differences, isUnsteady, judged, saysFirst }: Trial): string {
  const [bare, recorded] = exits;
  const output = differences.length === 0 ? 'same' : `${differences.length} lines differ`;
  const start = [
    setup.name,
    versionOf(setup),
    bare === recorded ? bare : `${bare} → ${recorded}`,
    isUnsteady && differences.length > 0 ? `${output}, as do bare runs` : output,
  ];
  return judged
    .map((one, index) => {
      const cells = index === 0 ? start : start.map(() => '');
      const says = index === 0 ? saysFirst.replaceAll('|', '\\|') : '';
      return `| ${[...cells, ...blockCells(one), says].join(' | ')} |`;
    })
    .join('\n');
}

/** Row of a set-up that could not be tried. */
export function failedRow(setup: Trial['setup'], reason: string): string {
  return `| ${setup.name} | ${versionOf(setup)} | not tried: ${reason.split('\n')[0]} |`;
}

/** What a person should look at; empty: nothing. */
export function troublesOf({ setup, exits, differences, isUnsteady, judged, ...rest }: Trial): readonly string[] {
  const wrong = judged.filter(({ verdict, block }) => !isHonest.has(verdict) && verdict !== block.best);
  const unprinted = judged.filter(({ verdict, isPrinted }) => isOnLine.has(verdict) && !isPrinted);
  return [
    ...(exits[0] === '0' ? [] : [`exit ${exits[0]} without the recorder`]),
    ...(exits[0] === exits[1] ? [] : [`exit ${exits[0]}, recorded ${exits[1]}`]),
    ...(rest.lastWords === '' ? [] : [rest.lastWords]),
    ...(isUnsteady ? [] : differences.slice(0, 12)),
    ...wrong.map(({ block, verdict, shown }) => `${block.name} (${block.file}): ${verdict} ${shown}`),
    ...(rest.isSilent ? [`nothing of what is printed is like ${String(setup.says)}`] : []),
    ...unprinted.map(({ block }) => `${block.name} (${block.file}): its line is in the JSON, and not printed`),
    ...rest.others.map((line) => `also marked: ${line}`),
    ...rest.warnings.filter((warning) => !usual.test(warning)).map((warning) => `the recording says: ${warning}`),
  ].map((text) => `${setup.name}: ${text}`);
}

/** They say what is so, or that they are a guess. */
const isHonest = new Set<Judged['verdict']>(['right', 'guess', 'function', 'built file']);

const isOnLine = new Set<Judged['verdict']>(['right', 'guess']);

/** Sentences that are about the machine and the blocks, and not about the set-up. */
const usual = /^The machine was busy|scavenges/;

function versionOf({ tool, project }: Trial['setup']): string {
  const version = project.packages[tool];
  return version === undefined ? tool : `${tool} ${version}`;
}

function blockCells({ block, verdict, shown, trueMs, shownMs, isPrinted }: Judged): readonly string[] {
  const ms = (value: number | null): string => (value === null ? '–' : String(Math.round(value)));
  const found = isPrinted || !isOnLine.has(verdict) ? verdict : `${verdict}, only in JSON`;
  return [block.name, found, shown, `${ms(trueMs)} → ${ms(shownMs)}`];
}
