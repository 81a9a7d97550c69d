import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import type { ReportRecording } from '../../protocol/report.ts';
import { type Line1, type Microseconds, line1, microseconds, toLine1 } from '../../protocol/units.ts';
import type { FunctionTiers } from '../../engine/judge/tiers/tiers.ts';
import type { ReportFunction, ReportTiers } from '../../protocol/report-code.ts';

/** Where the tiers come from; only where that is another run. */
export function tiersFrom({ tiers }: Analysis): Pick<ReportRecording, 'tiersFrom'> {
  const run = tiers?.secondRun ?? null;
  return run === null ? {} : { tiersFrom: run };
}

/**
 * The function's tiers. `self` is its self time. Empty where no tiers are known, or it was on top of no tick in
 * JavaScript.
 */
export function tiersReportOf(
  { tiers, functions }: Analysis,
  { id }: FunctionInfo,
  self: Microseconds,
): Pick<ReportFunction, 'tiers'> {
  if (tiers === null) return {};
  const found = tiers.functions.get(id);
  if (found !== undefined) return { tiers: { ...timesOf(found), ...historyOf(found, functions.functions) } };
  return tiers.secondRun === null ? {} : { tiers: { ...neverSeen, unknownUs: self } };
}

const neverSeen: ReportTiers = {
  ignitionUs: microseconds(0),
  sparkplugUs: microseconds(0),
  maglevUs: microseconds(0),
  turbofanUs: microseconds(0),
  unknownUs: microseconds(0),
  inlinedInto: [],
  compilations: [],
  deopts: [],
  madeAnewIn: null,
};

type Times = 'ignitionUs' | 'sparkplugUs' | 'maglevUs' | 'turbofanUs' | 'unknownUs';

function timesOf({ times }: FunctionTiers): Pick<ReportTiers, Times> {
  return {
    ignitionUs: times.ignition,
    sparkplugUs: times.sparkplug,
    maglevUs: times.maglev,
    turbofanUs: times.turbofan,
    unknownUs: times.unknown,
  };
}

function historyOf(
  { hosts, code, madeIn }: FunctionTiers,
  functions: readonly FunctionInfo[],
): Omit<ReportTiers, Times> {
  return {
    inlinedInto: hosts.map(({ functionId, time }) => {
      const host = functions[functionId];
      return { name: host?.name ?? null, url: host?.url ?? '', line: hostLine(host), us: time };
    }),
    compilations: code.compilations.map(({ time, tier, osr }) => ({ atUs: time, tier, osr })),
    deopts: code.deopts.map(({ time, tier, kind, reason, place }) => ({
      atUs: time,
      tier,
      kind,
      reason,
      ...place,
    })),
    madeAnewIn: madeIn,
  };
}

function hostLine(host: FunctionInfo | undefined): Line1 {
  return host === undefined || host.line < 0 ? line1(0) : toLine1(host.line);
}
