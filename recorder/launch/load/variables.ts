import { newValue, reference } from './placeholders.ts';

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
  /** Why there is no value. Continues a sentence: `needs {{token}}, which has no value`. */
  | { readonly type: 'unknown'; readonly reason: string; readonly name: string };

/** Replaces the variables of a text, and those in their values. */
export function resolveText(text: string, scope: Scope): Resolved {
  const known = new Map<string, Resolved>();
  return resolveIn(text, scope, known, []);
}

function resolveIn(text: string, scope: Scope, known: Map<string, Resolved>, open: readonly string[]): Resolved {
  const parts = { text: '', shown: '' };
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(reference)) {
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
  if (plain !== undefined) return { value: env[plain] };
  if (kind === undefined) return null;
  const key = indirect === '%' ? (variables.get(name) ?? '') : name;
  return { value: kind === 'dotenv' ? dotenv[key] : env[key] };
}

function encoded(value: Resolved): Resolved {
  return value.type === 'text'
    ? { ...value, text: encodeURIComponent(value.text), shown: encodeURIComponent(value.shown) }
    : value;
}
