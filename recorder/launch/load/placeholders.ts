import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { PlannedRequest } from './request-plan.ts';

/** `{{name}}`. Spaces around the name do not count; a pattern with them took minutes for a long row of spaces. */
const reference = /\{\{([^{}]+)\}\}/g;

/** Whether requests differ from each other at each sending. */
export function isDynamic({ url, headers, body }: PlannedRequest): boolean {
  return [url, body ?? '', ...Object.values(headers)].some(hasPlaceholders);
}

export function hasPlaceholders(text: string): boolean {
  return fillIn(text) !== text;
}

/** The request with a new value for each placeholder, such as `{{$guid}}`. */
export function filledIn(request: PlannedRequest): PlannedRequest {
  const { url, headers, body } = request;
  return {
    ...request,
    url: fillIn(url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillIn(value)])),
    body: body === null ? null : fillIn(body),
  };
}

function fillIn(text: string, encode = (value: string): string => value): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(reference, (whole, name: string) => {
    const value = newValue(name.trim());
    return value === null ? whole : encode(value);
  });
}

/**
 * A new value of a dynamic variable of VS Code's REST Client (`$randomInt 1 9`) or of JetBrains' HTTP client
 * (`$random.integer(1, 9)`); null where it is none.
 */
function newValue(reference: string): string | null {
  const [, name = '', rest = ''] = /^\$([a-z][\w.]*)(.*)$/is.exec(reference) ?? [];
  return makers.get(name)?.(rest.split(/[\s,()]+/).filter((word) => word !== '')) ?? null;
}

type Maker = (words: readonly string[]) => string | null;

const makers: ReadonlyMap<string, Maker> = new Map(
  Object.entries<Maker>({
    guid: () => randomUUID(),
    uuid: () => randomUUID(),
    'random.uuid': () => randomUUID(),
    timestamp: (words) => shifted(words, (at) => String(Math.floor(at / 1000))),
    isoTimestamp: () => new Date().toISOString(),
    datetime: ([format, ...words]) => shifted(words, (at) => dateText(format, new Date(at))),
    randomInt: integerIn,
    'random.integer': integerIn,
    'random.float': ([min = '0', max = '1000']) =>
      isRange(min, max) ? (Number(min) + Math.random() * (Number(max) - Number(min))).toFixed(3) : null,
    'random.alphabetic': ([length]) => textOf(letters, length),
    'random.alphanumeric': ([length]) => textOf(`${letters}0123456789_`, length),
    'random.hexadecimal': ([length]) => textOf('0123456789abcdef', length),
    'random.email': () => `${randomBytes(6).toString('hex')}@example.com`,
  }),
);

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A text of the present time (ms since the epoch), moved by an offset such as `-3 h`; null for an unknown unit. */
function shifted([amount = '0', unit = 's']: readonly string[], textAt: (at: number) => string | null): string | null {
  const ms = Number(amount) * (units[unit] ?? Number.NaN);
  return Number.isFinite(ms) ? textAt(Date.now() + ms) : null;
}

/** In ms; months and years are not equally long, and not known here. */
const units: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
};

function dateText(format: string | undefined, date: Date): string | null {
  return format === 'iso8601' ? date.toISOString() : format === 'rfc1123' ? date.toUTCString() : null;
}

/** An integer from `min` to below `max`. */
function integerIn([min = '0', max = '1000']: readonly string[]): string | null {
  const [least, limit] = [Number(min), Number(max)];
  return isRange(min, max) && Number.isInteger(least) && Number.isInteger(limit)
    ? String(randomInt(least, limit))
    : null;
}

function isRange(min: string, max: string): boolean {
  return Number(max) > Number(min) && Math.abs(Number(max)) + Math.abs(Number(min)) < 2 ** 47;
}

function textOf(alphabet: string, length = '10'): string | null {
  const count = Number(length);
  if (!Number.isInteger(count) || count < 1 || count > 10_000) return null;
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Where the variables of a request file have their values. */
export interface Scope {
  /** `@name = value` of the file, then the chosen environment; the values may have variables themselves. */
  readonly variables: ReadonlyMap<string, string>;
  /** Names of variables whose values are secret: from `http-client.private.env.json`. */
  readonly secrets: ReadonlySet<string>;
  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Of the `.env` file. */
  readonly dotenv: Readonly<Record<string, string | undefined>>;
  /** Names of the file's requests, whose answers others may refer to. */
  readonly names: ReadonlySet<string>;
}

export type Resolved =
  /** Placeholders such as `{{$guid}}` are left in it. `shown` has `*` for values of the environment, `.env` and secrets. */
  | { readonly type: 'text'; readonly text: string; readonly shown: string }
  /** The reason, where the value is missing; it continues a sentence: `needs {{token}}, which has no value`. */
  | { readonly type: 'unknown'; readonly reason: string; readonly name: string };

/** Replaces the variables of a text, and those in their values. */
export function resolveText(text: string, scope: Scope): Resolved {
  const known = new Map<string, Resolved>();
  return resolveIn(text, scope, known, []);
}

function resolveIn(text: string, scope: Scope, known: Map<string, Resolved>, open: readonly string[]): Resolved {
  const parts = { text: '', shown: '' };
  let end = 0;
  for (const { 0: whole, 1: written = '', index } of text.matchAll(reference)) {
    const name = written.trim();
    const value = known.get(name) ?? valueOf(name, scope, known, open);
    known.set(name, value);
    if (value.type === 'unknown') return value;
    const before = text.slice(end, index);
    parts.text += before + value.text;
    parts.shown += before + value.shown;
    end = index + whole.length;
  }
  return { type: 'text', text: parts.text + text.slice(end), shown: parts.shown + text.slice(end) };
}

function valueOf(written: string, scope: Scope, known: Map<string, Resolved>, open: readonly string[]): Resolved {
  const unknown = (reason: string): Resolved => ({ type: 'unknown', reason, name: written });
  if (written.startsWith('%')) return encoded(resolveIn(`{{${written.slice(1)}}}`, scope, known, open));
  if (written.startsWith('$')) {
    const secret = fromEnvironment(written, scope);
    if (secret !== null)
      return secret.value === undefined
        ? unknown(`needs {{${written}}}, which is not set`)
        : { type: 'text', text: secret.value, shown: '*' };
    const kept = `{{${written}}}`;
    return newValue(written) === null
      ? unknown(`needs {{${written}}}, which is not supported`)
      : { type: 'text', text: kept, shown: kept };
  }
  const value = scope.variables.get(written);
  if (value === undefined || open.includes(written)) {
    const [, request = ''] = /^([\w-]+)\.(request|response)\b/.exec(written) ?? [];
    return unknown(
      scope.names.has(request)
        ? `needs the ${written.includes('.request.') ? 'values' : 'answer'} of "${request}", and requests are not chained`
        : `needs {{${written}}}, which has no value`,
    );
  }
  const resolved = resolveIn(value, scope, known, [...open, written]);
  return resolved.type === 'text' && scope.secrets.has(written) ? { ...resolved, shown: '*' } : resolved;
}

/** `$processEnv NAME`, `$env.NAME`, `$dotenv NAME`; `%NAME` is the variable that has the name. Null for another one. */
function fromEnvironment(
  written: string,
  { env, dotenv, variables }: Scope,
): { readonly value: string | undefined } | null {
  const [, kind, indirect, name = ''] = /^\$(processEnv|dotenv)\s+(%?)(\S+)$/.exec(written) ?? [];
  const [, plain] = /^\$env\.(\S+)$/.exec(written) ?? [];
  if (plain === undefined && kind === undefined) return null;
  const values = kind === 'dotenv' ? dotenv : env;
  const key = plain ?? (indirect === '%' ? (variables.get(name) ?? '') : name);
  return { value: Object.hasOwn(values, key) ? values[key] : undefined };
}

function encoded(value: Resolved): Resolved {
  return value.type === 'text'
    ? { ...value, text: encodeURIComponent(value.text), shown: encodeURIComponent(value.shown) }
    : value;
}
