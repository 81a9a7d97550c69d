import type { SeenAgain } from '../../../protocol/recording.ts';
import type { ClosedBecause } from '../../../protocol/report-findings.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FindingSubject } from './finding.ts';

/** Uncertain findings, and what further runs say of them (docs/definition.md, rule 20). */

/** Whether further runs can tell about a finding that is collapsed for this reason. */
export function isUncertain(reason: ClosedBecause | null): boolean {
  return reason === 'once' || reason === 'fewSamples';
}

/** Names a finding in all readings of its recording. */
export function findingKey(subject: FindingSubject, { functions: { functions } }: JudgedRun): string {
  if (subject.type === 'package') return `package ${subject.name}`;
  const fn = subject.type === 'function' ? functions[subject.functionId] : undefined;
  return fn === undefined ? subject.type : `${fn.url}:${fn.line}:${fn.column} ${fn.name}`;
}

/** By key, whether a finding was seen in at least half of the further runs. */
export type Certainty = ReadonlyMap<string, boolean>;

export function certaintyOf(again: SeenAgain | undefined): Certainty {
  return new Map((again?.findings ?? []).map(({ key, seenIn }) => [key, seenIn * 2 >= (again?.runs ?? 0)]));
}

/** Why a finding is collapsed after the further runs: null where they saw it again. */
export function settled(reason: ClosedBecause | null, isSeenAgain: boolean | undefined): ClosedBecause | null {
  if (isSeenAgain === undefined || !isUncertain(reason)) return reason;
  return isSeenAgain ? null : 'notAgain';
}
