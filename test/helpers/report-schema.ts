import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Comparison } from '../../protocol/comparison.ts';
import type { Report } from '../../protocol/report.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { projectFile } from './project.ts';
import { runCli } from './run-cli.ts';

/** What is wrong with a value by `docs/report.schema.json`; empty when nothing is. */
export const schemaErrors = checkedBy('docs/report.schema.json');

/** The same by `docs/comparison.schema.json`. */
export const comparisonErrors = checkedBy('docs/comparison.schema.json');

function checkedBy(file: string): (value: unknown) => readonly string[] {
  const schema = parseJson(readFileSync(projectFile(file), 'utf8'));
  if (!isRecord(schema)) return () => ['The schema is not an object.'];
  const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}

/** The JSON that `hotspan analyze --json` printed. Throws what is wrong with it by the schema. */
export function parseReport(json: string): Report {
  const value: unknown = JSON.parse(json);
  const errors = schemaErrors(value);
  if (!isReport(value, errors)) throw new Error(errors.join('\n'));
  return value;
}

/** The report of a recording, by `hotspan analyze --json` in this folder. */
export async function reportOf(recording: string, cwd?: string): Promise<Report> {
  const options = cwd === undefined ? {} : { cwd };
  return parseReport((await runCli(['analyze', '--json', recording], options)).stdout);
}

function isReport(value: unknown, errors: readonly string[]): value is Report {
  return value !== undefined && errors.length === 0;
}

/** The JSON that `hotspan compare --json` printed. Throws what is wrong with it by the schema. */
export function parseComparison(json: string): Comparison {
  const value: unknown = JSON.parse(json);
  const errors = comparisonErrors(value);
  if (!isComparison(value, errors)) throw new Error(errors.join('\n'));
  return value;
}

function isComparison(value: unknown, errors: readonly string[]): value is Comparison {
  return value !== undefined && errors.length === 0;
}
