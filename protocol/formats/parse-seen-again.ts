import { isList, isRecord, numberOf, parseJson, textOf } from '../json-value.ts';
import type { SeenAgain } from '../recording.ts';

/** Parses the text of a `seen-again.json`; null where it is not one. */
export function parseSeenAgain(text: string): SeenAgain | null {
  const json = parseJson(text);
  if (!isRecord(json)) return null;
  const { findings } = json;
  const runs = numberOf(json['runs'], 0);
  if (!isList(findings) || runs < 1) return null;
  return {
    runs,
    findings: findings
      .filter(isRecord)
      .map((one) => ({ key: textOf(one['key']), seenIn: Math.max(0, Math.min(runs, numberOf(one['seenIn'], 0))) })),
  };
}
