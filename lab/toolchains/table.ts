import type { Judged } from './judge.ts';
import type { Setup } from './read-projects.ts';
import type { Trial } from './try-setup.ts';

export const tableHead = [
  '| set-up | version | Node | exit | output | block | found | line | ms true → shown | `analyze` says first |',
  '|---|---|---|---|---|---|---|---|---|---|',
].join('\n');

/** A row for each block; what is of the set-up stands in the first. */
export function rowsOf({ setup, version, toolVersion, exits, judged, missing, saysFirst, ...outputs }: Trial): string {
  const [bare, recorded] = exits;
  const exit = bare === recorded ? bare : `${bare} → ${recorded}`;
  const start = [setup.name, `${setup.tool} ${toolVersion}`.trim(), version, exit, outputText(outputs)];
  const count = Object.keys(setup.functions).length;
  const ofFunctions = count === 0 ? [] : [['functions', `${count - missing.size} of ${count}`, '', '']];
  return [...judged.map(blockCells), ...ofFunctions]
    .map((own, index) => {
      const isFirst = index === 0;
      const cells = isFirst ? start : start.map(() => '');
      return `| ${[...cells, ...own, isFirst ? saysFirst.replaceAll('|', '\\|') : ''].join(' | ')} |`;
    })
    .join('\n');
}

function outputText({ differences, isUnsteady }: Pick<Trial, 'differences' | 'isUnsteady'>): string {
  if (differences.length === 0) return 'same';
  return `${differences.length} lines differ${isUnsteady ? ', as do bare runs' : ''}`;
}

/** Row of a set-up that could not be tried. */
export function failedRow({ name, tool }: Setup, version: string, reason: string): string {
  return `| ${name} | ${tool} | ${version} | not tried: ${reason.split('\n')[0]} |`;
}

/** What a person should look at; empty: nothing. */
export function troublesOf({
  setup,
  version,
  exits,
  differences,
  isUnsteady,
  judged,
  ...rest
}: Trial): readonly string[] {
  const wrong = judged.filter(({ verdict, block }) => !isHonest.has(verdict) && verdict !== block.best);
  const unprinted = judged.filter(({ verdict, isPrinted }) => isOnLine.has(verdict) && !isPrinted);
  // A set-up without blocks loses functions, and says so; what else its recording says is of the machine.
  const warnings = setup.blocks.length === 0 ? [] : rest.warnings.filter((warning) => !usual.test(warning));
  return [
    ...(exits[0] === '0' ? [] : [`exit ${exits[0]} without the recorder`]),
    ...(exits[0] === exits[1] ? [] : [`exit ${exits[0]}, recorded ${exits[1]}`]),
    ...(rest.lastWords === '' ? [] : [rest.lastWords]),
    ...(isUnsteady ? [] : differences.slice(0, 12)),
    ...wrong.map(({ block, verdict, shown }) => `${block.name} (${block.file}): ${verdict} ${shown}`),
    ...[...rest.missing].flatMap(([name, why]) => (setup.lost.includes(name) ? [] : [why])),
    ...(rest.isSilent ? [`nothing of what is printed is like ${String(setup.says)}`] : []),
    ...unprinted.map(({ block }) => `${block.name} (${block.file}): its line is in the JSON, and not printed`),
    ...rest.others.map((line) => `also marked: ${line}`),
    ...warnings.map((warning) => `the recording says: ${warning}`),
  ].map((text) => `${setup.name}, Node ${version}: ${text}`);
}

/** They say what is so, or that they are a guess. */
const isHonest = new Set<Judged['verdict']>(['right', 'guess', 'function', 'built file']);

const isOnLine = new Set<Judged['verdict']>(['right', 'guess']);

/** Sentences that are about the machine and the blocks, and not about the set-up. */
const usual = /^The machine was busy|scavenges/;

function blockCells({ block, verdict, shown, trueMs, shownMs, isPrinted }: Judged): readonly string[] {
  const ms = (value: number | null): string => (value === null ? '–' : String(Math.round(value)));
  const found = isPrinted || !isOnLine.has(verdict) ? verdict : `${verdict}, only in JSON`;
  return [block.name, found, shown, `${ms(trueMs)} → ${ms(shownMs)}`];
}
