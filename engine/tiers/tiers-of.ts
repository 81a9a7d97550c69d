import type { Analysis } from '../analysis.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { codeHistories } from './code-history.ts';
import { type Candidate, madeAnew } from './made-anew.ts';
import { tallyTiers } from './tally-tiers.ts';
import type { CodeHistory, FunctionTiers, Tiers } from './tiers.ts';

/** What the streams of a recording of tiers say of its functions; null where none of them is of a V8 log. */
export async function tiersOf(
  found: Pick<Analysis, 'functions' | 'streams' | 'bridged' | 'operations' | 'thresholdUs'>,
  mapper: Pick<SourceMapper, 'functions'> | null,
  indexes: SourceIndexes,
): Promise<Tiers | null> {
  const { streams, functions, thresholdUs } = found;
  if (streams.every(({ tiered }) => tiered === null)) return null;
  const times = tallyTiers(found);
  const histories = await codeHistories(streams, functions, mapper);
  const hot = functions.functions.flatMap((fn): readonly Candidate[] => {
    const tally = times.get(fn.id);
    const isHot = tally !== undefined && fn.own && !fn.moduleBody && timeOf(tally.times) > thresholdUs;
    return isHot ? [{ fn, isOptimized: tally.times.maglev + tally.times.turbofan > timeOf(tally.times) / 2 }] : [];
  });
  const makers = await madeAnew(hot, found, indexes);
  return {
    secondRun: null,
    functions: new Map(
      [...times].map(([id, tally]): readonly [number, FunctionTiers] => [
        id,
        { ...tally, code: histories.get(id) ?? noHistory, madeIn: makers.get(id) ?? null },
      ]),
    ),
  };
}

const noHistory: CodeHistory = { compilations: [], deopts: [] };

/** Time in JavaScript together, in µs. */
function timeOf(times: FunctionTiers['times']): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}
