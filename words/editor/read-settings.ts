import { settings } from '../../protocol/ids.ts';
import { isList } from '../../protocol/json-value.ts';
import type { AnalysisOptions, DisplayOptions } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';

/** All settings but the path mappings, whose rules depend on the open folders. */
export type SettingName = Exclude<keyof typeof settings, 'pathMappings'>;

type Is<Value> = (value: unknown) => value is Value;

/** Gives the value of a setting; `standard` where it is not set, is null, or has a value that is not used. */
export type Read = <Value>(name: SettingName, standard: Value, is: Is<Value>) => Value;

/** Checks what an editor gives by the setting's id: any JSON that the person has written. */
export function readerOf(given: (id: string) => unknown, onWrong?: (name: SettingName) => void): Read {
  return (name, standard, is) => {
    const value = given(settings[name]);
    if (is(value)) return value;
    if (value !== undefined && value !== null) onWrong?.(name);
    return standard;
  };
}

export function readAnalysisOptions(read: Read): AnalysisOptions {
  return {
    thresholdUs: milliseconds(read('threshold', 10, isNumber(0.1, 60_000))),
    testPatterns: read('testPatterns', [], areTexts),
  };
}

export function readDisplayOptions(read: Read): DisplayOptions {
  const diagnosticsMs = read('diagnosticsThreshold', 0, isNumber(0, 60_000));
  return {
    metric: read('metric', 'worst', isOneOf('worst', 'total')),
    codeLens: read('codeLens', true, isBoolean),
    loading: read('loading', false, isBoolean),
    diagnosticsUs: diagnosticsMs > 0 ? milliseconds(diagnosticsMs) : null,
  };
}

export interface Switches {
  readonly annotations: boolean;
  readonly testLenses: boolean;
  /** `finding`: after a save, findings whose code it changed; `file`: all hot functions of the file whose code it changed. */
  readonly recheckOnSave: 'off' | 'finding' | 'file';
}

export function readSwitches(read: Read): Switches {
  return {
    annotations: read('annotations', true, isBoolean),
    testLenses: read('testLenses', false, isBoolean),
    recheckOnSave: read('recheckOnSave', 'off', isOneOf('off', 'finding', 'file')),
  };
}

export interface RecorderOptions {
  readonly intervalUs: number;
  readonly nodePath: string;
  /** Number of recordings kept of each target. */
  readonly keep: number;
  /** Limit of one recording, in MB; 0: no limit. */
  readonly maxSize: number;
  /** Limit of all recordings of the workspace together, in MB; 0: no limit. */
  readonly totalSize: number;
  /** True where each profile is followed by a run that records V8's tiers. */
  readonly alwaysTiers: boolean;
}

export function readRecorderOptions(read: Read): RecorderOptions {
  return {
    intervalUs: read('interval', 1000, isWhole(50, 10_000)),
    nodePath: read('nodePath', '', isText),
    keep: read('recordingsKeep', 2, isWhole(1, 100)),
    maxSize: read('recordingsMaxSize', 2000, isWhole(0, Infinity)),
    totalSize: read('recordingsTotalSize', 5000, isWhole(0, Infinity)),
    alwaysTiers: read('tiersRecord', 'onDemand', isOneOf('onDemand', 'always')) === 'always',
  };
}

export function readAll(read: Read): void {
  for (const some of [readAnalysisOptions, readDisplayOptions, readSwitches, readRecorderOptions]) some(read);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is readonly string[] {
  return isList(value) && value.every(isText);
}

function isNumber(least: number, most: number): Is<number> {
  return (value): value is number => typeof value === 'number' && value >= least && value <= most;
}

function isWhole(least: number, most: number): Is<number> {
  const isInRange = isNumber(least, most);
  return (value): value is number => isInRange(value) && Number.isInteger(value);
}

function isOneOf<Value extends string>(...values: readonly Value[]): Is<Value> {
  return (value): value is Value => values.some((one) => one === value);
}

/** Says that a setting has a value that is not used. */
export function wrongValue(name: SettingName): string {
  return `The setting ${settings[name]} is not used: give ${wants[name]}.`;
}

const wants: Readonly<Record<SettingName, string>> = {
  threshold: 'milliseconds from 0.1 to 60000',
  testPatterns: 'a list of regular expressions',
  annotations: 'true or false',
  codeLens: 'true or false',
  testLenses: 'true or false',
  metric: '"worst" or "total"',
  loading: 'true or false',
  recheckOnSave: '"off", "finding" or "file"',
  diagnosticsThreshold: 'milliseconds up to 60000, or null for none',
  recordingsKeep: 'a whole number from 1 to 100',
  recordingsMaxSize: 'whole MB, or 0 for no limit',
  recordingsTotalSize: 'whole MB, or 0 for no limit',
  interval: 'whole microseconds from 50 to 10000',
  nodePath: 'an absolute path',
  tiersRecord: '"onDemand" or "always"',
};
