import type { HotFunction } from '../../engine/hot-functions.ts';
import type { WorstFigure } from '../../protocol/figures.ts';
import type { HotspotGroup, HotspotItem } from '../../protocol/list-rows.ts';
import { microseconds } from '../../protocol/units.ts';
import { worstTime } from '../../words/formats/figures.ts';

/** A hot function, and what the tree shows of it. */
export interface Row {
  readonly hot: HotFunction;
  readonly item: HotspotItem;
}

/** Functions below one row, which begins with the worst of them. */
export function functionsGroup(
  kind: 'file' | 'functions',
  label: string,
  rows: readonly Row[],
  description = '',
): HotspotGroup {
  const worst = rows.map(({ hot }) => hot).reduce((most, hot) => (hot.worstUs > most.worstUs ? hot : most), noTime);
  return {
    kind,
    figure: worstTime(worst),
    label,
    description,
    tooltip: label,
    uri: null,
    items: rows.map(({ item }) => item),
  };
}

const noTime: WorstFigure = { worstUs: microseconds(0), estimated: false };
