import { settings } from '../../protocol/ids.ts';
import { isList, isRecord } from '../../protocol/json-value.ts';
import type { AnalysisOptions, DisplayOptions } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';

/** What the settings of the extension are to an editor that knows only those of the protocol, by the same names. */
export interface EditorSettings {
  readonly options: AnalysisOptions;
  readonly display: DisplayOptions;
  /** Whether lines have inlay hints. */
  readonly hints: boolean;
  /** One sentence for each value that is not used. */
  readonly problems: readonly string[];
}

/** Reads the section `hotspan`: `{ diagnostics: { threshold: 100 } }` or `{ 'diagnostics.threshold': 100 }`. */
export function readSettings(section: unknown): EditorSettings {
  const problems: string[] = [];
  const read = <Value>(id: string, fallback: Value, is: (value: unknown) => value is Value, wants: string): Value => {
    const value = valueAt(section, id.split('.').slice(1));
    if (value === undefined || value === null) return fallback;
    if (is(value)) return value;
    problems.push(`The setting ${id} is not used: give ${wants}.`);
    return fallback;
  };
  const has = (id: string, fallback: boolean): boolean => read(id, fallback, isBoolean, 'true or false');
  const annotated = has(settings.annotations, true);
  const thresholdMs = read(settings.threshold, 10, isThreshold, 'milliseconds from 0.1 to 60000');
  const diagnosticsMs = read(settings.diagnosticsThreshold, 0, isLimit, 'milliseconds up to 60000, or null for none');
  return {
    options: {
      thresholdUs: milliseconds(thresholdMs),
      testPatterns: read(settings.testPatterns, [], areTexts, 'a list of regular expressions'),
    },
    display: {
      metric: read(settings.metric, 'worst', isMetric, '"worst" or "total"'),
      codeLens: annotated && has(settings.codeLens, true),
      loading: has(settings.loading, false),
      diagnosticsUs: diagnosticsMs > 0 ? milliseconds(diagnosticsMs) : null,
    },
    hints: annotated,
    problems,
  };
}

function valueAt(section: unknown, names: readonly string[]): unknown {
  if (!isRecord(section)) return undefined;
  const whole = section[names.join('.')];
  if (whole !== undefined) return whole;
  const [first = '', ...rest] = names;
  return rest.length === 0 ? undefined : valueAt(section[first], rest);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isThreshold(value: unknown): value is number {
  return isLimit(value) && value >= 0.1;
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 60_000;
}

function areTexts(value: unknown): value is readonly string[] {
  return isList(value) && value.every((one) => typeof one === 'string');
}

function isMetric(value: unknown): value is DisplayOptions['metric'] {
  return value === 'worst' || value === 'total';
}
