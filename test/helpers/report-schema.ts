import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Report } from '../../protocol/report.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { projectFile } from './project.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const schema = parseJson(readFileSync(projectFile('docs/report.schema.json'), 'utf8'));
const validate = ajv.compile(isRecord(schema) ? schema : {});

/** What is wrong with a value by `docs/report.schema.json`; empty when nothing is. */
export function schemaErrors(value: unknown): readonly string[] {
  if (!isRecord(schema)) return ['The schema is no object.'];
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** The JSON that `hotspan analyze --json` printed. Throws what is wrong with it by the schema. */
export function parseReport(json: string): Report {
  const value: unknown = JSON.parse(json);
  const errors = schemaErrors(value);
  if (!isReport(value, errors)) throw new Error(errors.join('\n'));
  return value;
}

function isReport(value: unknown, errors: readonly string[]): value is Report {
  return value !== undefined && errors.length === 0;
}
