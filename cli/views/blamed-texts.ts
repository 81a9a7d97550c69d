import type { Analysis } from '../../engine/analysis.ts';
import { importedAt } from '../../words/places.ts';
import { blameName, isOfProgram } from '../../words/summary.ts';
import { duration } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { plainText } from './terminal-text.ts';
import { shownPlace } from './shown-code.ts';
import type { Sources } from './sources.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { type BlamedOperation, longBlames } from '../../engine/hotspots/blame.ts';

export function blamedTexts(analysis: Analysis, sources: Sources): readonly string[] {
  const others = longBlames(analysis).filter(({ blame }) => isOfProgram(blame) && blame.kind !== 'own');
  const byName = groupBy(others, ({ blame }) => blameName(blame));
  const importText = (name: string): string => {
    const imported = importedAt(analysis, name, (place) => shownPlace(place, sources));
    return imported === null ? '' : `, ${imported}`;
  };
  return [...byName]
    .toSorted(([, a], [, b]) => longestOf(b) - longestOf(a))
    .map(([name, operations]) => `${plainText(name)} ${upTo(operations)}${plainText(importText(name))}`);
}

export function shortCallsText(analysis: Analysis): string | null {
  const own = longBlames(analysis).filter(({ blame }) => blame.kind === 'own');
  return own.length === 0 ? null : upTo(own);
}

function upTo(operations: readonly BlamedOperation[]): string {
  return `up to ${duration(longestOf(operations))} (${operations.length} ×)`;
}

function longestOf(operations: readonly BlamedOperation[]): Microseconds {
  return microseconds(operations.reduce((most, { blame }) => Math.max(most, blame.us), 0));
}
