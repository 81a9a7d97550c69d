import { isRecord, listOf, parseJson, textOrNull, type Fields } from '../../../protocol/json-value.ts';
import type { LeftOut, PlannedRequest } from './request-plan.ts';

/**
 * The GET operations of an OpenAPI 3 description, in JSON, with the examples, defaults or first allowed values of
 * their required parameters. Their urls begin with the path of their first server, and have no origin. A text that
 * continues the file's name, `is not …`, where it is not such a description.
 */
export function requestsOfApi(
  text: string,
): { readonly requests: readonly PlannedRequest[]; readonly leftOut: readonly LeftOut[] } | string {
  const api = parseJson(text);
  if (!isRecord(api)) return 'is not JSON.';
  if ('swagger' in api) return 'is Swagger 2: convert it to OpenAPI 3 (npx swagger2openapi).';
  if (textOrNull(api['openapi'])?.startsWith('3.') !== true) return 'is not an OpenAPI 3 description.';
  const found = Object.entries(isRecord(api['paths']) ? api['paths'] : {}).flatMap(([template, item]) => {
    const path = at(api, item);
    return Object.keys(path)
      .filter((key) => verbs.has(key))
      .map((verb) => operationOf(api, { template, path, verb }));
  });
  return { requests: found.filter((one) => 'url' in one), leftOut: found.filter((one) => 'reason' in one) };
}

const verbs: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The path of the first server of the innermost list: `https://api.example.com/v{version}` with its defaults: `/v1`. */
function pathOfServer(levels: readonly Fields[]): string {
  const server = levels.map(({ servers }) => listOf(servers)[0]).find((one) => one !== undefined);
  if (!isRecord(server)) return '';
  const variables = isRecord(server['variables']) ? server['variables'] : {};
  const url = (textOrNull(server['url']) ?? '').replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isRecord(variable) ? String(variable['default']) : whole;
  });
  return url.replace(/^(\w+:)?\/\/[^/]*/, '').replace(/\/+$/, '');
}

interface Operation {
  readonly template: string;
  readonly path: Fields;
  readonly verb: string;
}

function operationOf(api: Fields, { template, path, verb }: Operation): PlannedRequest | LeftOut {
  const title = `${verb.toUpperCase()} ${template}`;
  if (verb !== 'get') return { title, reason: 'may change data, as it is not a GET: write it into a .http file' };
  const operation = at(api, path[verb]);
  const headers: Record<string, string> = {};
  const [query, cookies]: readonly [string[], string[]] = [[], []];
  let filled = pathOfServer([operation, path, api]) + template;
  for (const parameter of parametersOf(api, path, operation)) {
    const name = textOrNull(parameter['name']) ?? '';
    const place = parameter['in'];
    if (place !== 'path' && parameter['required'] !== true) continue;
    const values = exampleOf(api, parameter);
    if (values === null) return { title, reason: `has no example or default for "${name}"` };
    const joined = values.map(encoded).join(',');
    if (place === 'path') filled = filled.replaceAll(`{${name}}`, joined);
    else if (place === 'query') query.push(...values.map((one) => `${encoded(name)}=${encoded(one)}`));
    else if (place === 'cookie') cookies.push(`${name}=${joined}`);
    else headers[name.toLowerCase()] = values.join(',');
  }
  if (filled.includes('{')) return { title, reason: `does not describe ${/\{[^{}]*\}?/.exec(filled)?.[0]}` };
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const url = `${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  return { name: title, method: 'GET', url: url.startsWith('/') ? url : `/${url}`, headers, body: null };
}

/** A lone surrogate, which no url can have, becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/** The parameters of the operation, and those of its path that it does not replace. */
function parametersOf(api: Fields, path: Fields, operation: Fields): readonly Fields[] {
  const all = [path, operation].flatMap((one) => listOf(one['parameters']).map((parameter) => at(api, parameter)));
  return [...new Map(all.map((one) => [`${String(one['in'])} ${String(one['name'])}`, one])).values()];
}

/** The values of an example, one for each element of an array; null without one. */
function exampleOf(api: Fields, parameter: Fields): readonly string[] | null {
  const schema = at(api, parameter['schema']);
  const [example] = Object.values(isRecord(parameter['examples']) ? parameter['examples'] : {});
  const value = [
    parameter['example'],
    at(api, example)['value'],
    ...[
      schema['example'],
      listOf(schema['examples'])[0],
      schema['default'],
      schema['const'],
      listOf(schema['enum'])[0],
    ],
  ].find((one) => one !== undefined && one !== null);
  if (value === undefined) return null;
  const values = listOf(Array.isArray(value) ? value : [value]);
  return values.some((one) => typeof one === 'object') ? null : values.map(String);
}

/** The object, or what its `$ref` into the same file leads to; empty for anything else. */
function at(api: Fields, value: unknown, depth = 0): Fields {
  if (!isRecord(value)) return {};
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  if (!reference.startsWith('#/') || depth > MAX_REFERENCES) return {};
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), api);
  return at(api, found, depth + 1);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // It has a `%` of its own.
  }
}

const MAX_REFERENCES = 20;
