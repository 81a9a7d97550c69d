import { failed, type Failure } from '../../../protocol/failure.ts';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, parseJson, type Fields } from '../../../protocol/json-value.ts';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import { withoutComments } from '../packages/literals.ts';
import { requestsOfApi } from './open-api.ts';
import { type BodyLine, parseRequestFile, type WrittenRequest } from './request-file.ts';
import { isLocal, type LeftOut, methods, originOf, type PlannedRequest, titleOf } from './request-plan.ts';
import { hasPlaceholders, type Resolved, resolveText, type Scope } from './placeholders.ts';

export interface RequestsToRead {
  /** Absolute path of a `.http`, `.rest` or `.json` file. */
  readonly file: string;
  /** Name of an environment of `http-client.env.json`, or of REST Client's settings; null: the only one, if it is needed. */
  readonly environment: string | null;
  readonly env: NodeJS.ProcessEnv;
}

export type ReadRequests =
  | {
      readonly type: 'read';
      /** At least one. A url without an origin (`/orders`) belongs to the server that is measured: see `withOrigin`. */
      readonly requests: readonly PlannedRequest[];
      readonly leftOut: readonly LeftOut[];
      /** Sentences about what was read in another way than its author may expect. */
      readonly notes: readonly string[];
    }
  /** One sentence that says what to do instead. */
  | Failure;

/** Reads the requests of a request file, or of an OpenAPI 3 description. */
export async function readRequests(wanted: RequestsToRead): Promise<ReadRequests> {
  const name = path.basename(wanted.file);
  const text = await textOf(wanted.file);
  if (text === null) return failed(`${wanted.file} cannot be read: name a .http, .rest or OpenAPI file.`);
  if (/\.ya?ml$/i.test(name))
    return failed(`${name} is YAML, which is not read: convert it to JSON (npx js-yaml ${name}).`);
  if (text === undefined) return failed(`${name} is not text in UTF-8: save it as such.`);
  if (/\.json$/i.test(name)) return read(name, requestsOfApi(text), []);
  if (!/\.(http|rest)$/i.test(name)) return failed(`${name} is no .http, .rest or .json file.`);
  const { requests, variables, hasScripts } = parseRequestFile(text);
  if (requests.length === 0)
    return failed(`${name} has no request: write one as in "GET http://localhost:3000/orders".`);
  const environments = await environmentsFor(wanted.file);
  const chosen = chooseEnvironment(wanted.environment, environments);
  if (typeof chosen === 'string') return failed(chosen);
  const scope: Scope = {
    variables: new Map([...chosen.values, ...variables]),
    secrets: chosen.secrets,
    env: wanted.env,
    dotenv: await dotenvFor(wanted.file),
    names: new Set(requests.flatMap((request) => request.name ?? [])),
  };
  const built = await Promise.all(requests.map(async (request) => build(request, scope, wanted.file)));
  const notes = hasScripts ? [`The scripts in ${name} do not run.`] : [];
  const missing = built.some((one) => 'reason' in one && one.reason.endsWith('has no value'));
  if (missing && wanted.environment === null && environments.names.length > 1)
    notes.push(`${name} needs an environment: choose one by --env (${environments.names.join(', ')}).`);
  const titled = withNumbers(built, name);
  const found = { requests: titled.filter((one) => 'url' in one), leftOut: titled.filter((one) => 'reason' in one) };
  return read(name, found, notes);
}

/** Gives requests with the same title their numbers in the file: their queries, in which they differ, may be secret. */
function withNumbers(
  built: readonly (PlannedRequest | LeftOut)[],
  file: string,
): readonly (PlannedRequest | LeftOut)[] {
  const titles = built.map((one) => ('reason' in one ? one.title : titleOf(one)));
  return built.map((one, at) => {
    const title = titles[at] ?? '';
    const numbered = `${title} (request ${at + 1} of ${file})`;
    const isAlone = titles.indexOf(title) === titles.lastIndexOf(title);
    if (isAlone) return one;
    return 'reason' in one ? { ...one, title: numbered } : { ...one, name: numbered };
  });
}

/** Requests given in autocannon's words, with the values of environment variables; a text where one is not set. */
export function withEnvironment(
  requests: readonly PlannedRequest[],
  env: NodeJS.ProcessEnv,
): readonly PlannedRequest[] | string {
  const scope: Scope = { variables: new Map(), secrets: new Set(), env, dotenv: {}, names: new Set() };
  const resolved = requests.map((request) => {
    const { url, headers, body } = request;
    const inUrl = resolveText(url, scope);
    const texts = [url, body ?? '', ...Object.values(headers)].map((text) => resolveText(text, scope));
    const unset = texts.find((one) => one.type === 'unknown' && /^\$(processEnv\s|env\.)/.test(one.name));
    if (unset?.type === 'unknown') return `--load ${unset.reason}.`;
    // Other braces may be meant as they are.
    const filled = (text: string): string => {
      const resolved = resolveText(text, scope);
      return resolved.type === 'text' ? resolved.text : text;
    };
    return {
      ...request,
      ...{ url: filled(url), body: body === null ? null : filled(body) },
      shownUrl: inUrl.type === 'text' ? inUrl.shown : url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    };
  });
  const missing = resolved.find((one) => typeof one === 'string');
  return missing ?? resolved.filter((one) => typeof one !== 'string');
}

function read(
  name: string,
  found: Pick<Extract<ReadRequests, { type: 'read' }>, 'requests' | 'leftOut'> | string,
  notes: readonly string[],
): ReadRequests {
  if (typeof found === 'string') return failed(`${name} ${found}`);
  if (found.requests.length > 0) return { type: 'read', ...found, notes };
  const [first] = found.leftOut;
  const why = first === undefined ? '' : `: ${first.title} ${first.reason}`;
  return failed([`No request of ${name} can be sent${why}.`, ...notes].join(' '));
}

/** A request with the values of its variables, or why there is none. */
async function build(request: WrittenRequest, scope: Scope, file: string): Promise<PlannedRequest | LeftOut> {
  const target = resolveText(request.target, scope);
  const leftOut = (reason: string): LeftOut => ({ title: request.name ?? request.line, reason });
  if (request.problem !== null) return leftOut(request.problem);
  const method = methods.find((one) => one === request.method);
  if (method === undefined) return leftOut(`has the method ${request.method}, which autocannon cannot send`);
  if (target.type === 'unknown') return leftOut(target.reason);
  const headers = headersOf(request, scope);
  if (typeof headers === 'string') return leftOut(headers);
  const url = urlOf(target.text, headers.get('host') ?? null);
  if (url === null) return leftOut(`has no address that can be read: "${request.target}"`);
  const body = await bodyText(request.body, scope, file);
  if (body.type === 'unknown') return leftOut(body.reason);
  const isForm = /x-www-form-urlencoded/i.test(headers.get('content-type') ?? '');
  const text = isForm ? formText(body.text) : isMultipart(headers) ? body.text.replaceAll(/\r?\n/g, '\r\n') : body.text;
  const sent = [...headers].filter(([name]) => !autocannonsOwn.has(name));
  return {
    ...{ name: request.name, method, url, shownUrl: shownUrlOf(url, target.shown), headers: Object.fromEntries(sent) },
    body: text === '' ? null : text,
  };
}

/** Headers that follow from the connection and the body. */
const autocannonsOwn: ReadonlySet<string> = new Set(['content-length', 'connection', 'transfer-encoding']);

/** The headers by their names in lower case, or why they cannot be sent. */
function headersOf({ headers }: WrittenRequest, scope: Scope): ReadonlyMap<string, string> | string {
  const all = new Map<string, string>();
  for (const [written, template] of headers) {
    const value = resolveText(template, scope);
    if (value.type === 'unknown') return value.reason;
    const name = written.toLowerCase();
    if (name === 'x-request-type' && /graphql/i.test(value.text)) return 'is GraphQL: write its body as JSON';
    if (name === 'authorization' && /^(digest|aws|ntlm)\s/i.test(value.text))
      return `needs the authentication ${value.text.split(/\s/)[0]}, which is not supported`;
    const text = name === 'authorization' ? withBasic(value.text) : value.text;
    const before = all.get(name);
    all.set(name, before === undefined ? text : `${before}${name === 'cookie' ? '; ' : ', '}${text}`);
  }
  return all;
}

/** `Basic user password` and `Basic user:password` become what is sent. */
function withBasic(value: string): string {
  const [, user, password = ''] = /^basic\s+([^\s:]+)[\s:]+(.*)$/i.exec(value) ?? [];
  return user === undefined ? value : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function isMultipart(headers: ReadonlyMap<string, string>): boolean {
  return /^multipart\//i.test(headers.get('content-type') ?? '');
}

/** `a=1⏎&b=c d`: what is on several lines is one line, and only what a form cannot have is encoded. */
function formText(text: string): string {
  const line = text
    .split(/\r?\n/)
    .map((part) => part.trim())
    .join('');
  return encoded(line, encodeURIComponent);
}

/** An absolute url, or one that begins with `/` and belongs to the server; null where it is neither. */
function urlOf(target: string, host: string | null): string | null {
  const text = target.replace(/#.*$/s, '');
  const isPath = text.startsWith('/');
  if (isPath && host === null) return URL.canParse(text, 'http://localhost') ? encodePath(text) : null;
  const whole = isPath ? `http://${host}${text}` : /^\w+:\/\//.test(text) ? text : `http://${text}`;
  return /^https?:\/\//i.test(whole) && URL.canParse(whole) ? encodePath(whole) : null;
}

/** The url to show: the path as it is `shown`, at the address that is sent to; a secret one of another machine is `*`. */
function shownUrlOf(url: string, shown: string): string {
  const [address = ''] = /^(?:\w+:\/\/)?[^/?#]*/.exec(shown) ?? [];
  const path = encodePath(shown.slice(address.length).replace(/#.*$/s, ''));
  const isHidden = address.includes('*') && !isLocal(url);
  const origin = url.startsWith('/') ? '' : isHidden ? 'http://*' : new URL(originOf(url)).origin;
  return origin + (path.startsWith('/') ? path : `/${path}`);
}

function encodePath(url: string): string {
  return encoded(url, encodeURI);
}

/** Encodes spaces and the like; placeholders stay. */
function encoded(text: string, encode: (part: string) => string): string {
  return text.replaceAll(/\{\{[^{}]*\}\}|[^\x21-\x7E]+/gu, (part) => (part.startsWith('{{') ? part : encode(part)));
}

async function bodyText(lines: readonly BodyLine[], scope: Scope, file: string): Promise<Resolved> {
  const texts: string[] = [];
  for (const line of lines) {
    const included = line.type === 'file' ? await includedText(line.path, file) : line;
    if ('reason' in included) return { type: 'unknown', name: '', reason: included.reason };
    // A file has variables only if the line says so.
    const isLiteral = line.type === 'file' && !line.isTemplate;
    if (isLiteral && hasPlaceholders(included.text))
      return {
        type: 'unknown',
        name: '',
        reason: `sends the file ${line.path}, whose placeholders are filled in only behind "<@"`,
      };
    const text = isLiteral ? literally(included.text) : resolveText(included.text, scope);
    if (text.type === 'unknown') return text;
    texts.push(text.text);
  }
  const text = texts.join('\n');
  return { type: 'text', text, shown: text };
}

function literally(text: string): Resolved {
  return { type: 'text', text, shown: text };
}

/** The text of a file below the folder of the request file. */
async function includedText(
  named: string,
  file: string,
): Promise<{ readonly text: string } | { readonly reason: string }> {
  const folder = path.dirname(file);
  const [included, root] = await Promise.all([
    realpath(path.resolve(folder, named)).catch(() => null),
    realpath(folder),
  ]);
  if (included === null) return { reason: `sends the file ${named}, which does not exist` };
  if (!isAtOrBelow(included, root))
    return { reason: `sends the file ${named}, which is not below the folder of the request file` };
  const text = await textOf(included);
  if (text === null) return { reason: `sends the file ${named}, which cannot be read` };
  return text === undefined ? { reason: `sends the file ${named}, which is not text` } : { text };
}

/** The text of a file; null where it cannot be read, undefined where it is not UTF-8. */
async function textOf(file: string): Promise<string | null | undefined> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return null;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

interface Environments {
  readonly names: readonly string[];
  readonly of: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** REST Client's `$shared`. */
  readonly shared: ReadonlyMap<string, string>;
  /** Names of variables with a private value. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * The environments of `http-client.env.json` and of `http-client.private.env.json` beside the file or in the nearest folder
 * above, and those of REST Client in `.vscode/settings.json`.
 */
async function environmentsFor(file: string): Promise<Environments> {
  const open = withValues(await nearest(file, 'http-client.env.json'));
  const closed = withValues(await nearest(file, 'http-client.private.env.json'));
  const settings = parseLoosely(await nearest(file, '.vscode/settings.json'));
  const ofClient = environmentsIn(isRecord(settings) ? settings['rest-client.environmentVariables'] : null);
  const names = [...new Set([open, closed, ofClient].flatMap((one) => [...one.keys()]))].filter(
    (one) => one !== '$shared',
  );
  const merged = names.map((name) => {
    const values = [ofClient, open, closed].flatMap((one) => [...(one.get(name) ?? [])]);
    return [name, new Map(values)] as const;
  });
  const secrets = new Set([...closed.values()].flatMap((values) => [...values.keys()]));
  return { names, of: new Map(merged), shared: ofClient.get('$shared') ?? new Map(), secrets };
}

function chooseEnvironment(
  wanted: string | null,
  { names, of, shared, secrets }: Environments,
): { readonly values: ReadonlyMap<string, string>; readonly secrets: ReadonlySet<string> } | string {
  if (wanted !== null && !of.has(wanted))
    return names.length === 0
      ? `There is no environment "${wanted}": http-client.env.json, beside the requests, names them.`
      : `There is no environment "${wanted}": choose one of ${names.join(', ')}.`;
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  return { values: new Map([...shared, ...(of.get(name ?? '') ?? [])]), secrets };
}

function withValues(text: string | null): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return environmentsIn(parseLoosely(text));
}

/** JSON with comments and commas at ends; null for anything else. */
function parseLoosely(text: string | null): unknown {
  if (text === null) return null;
  // JSON itself may be longer than what comments are taken out of.
  return parseJson(text) ?? parseJson(withoutComments(text).replaceAll(/,(?=\s*[}\]])/g, ''));
}

function environmentsIn(json: unknown): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const entries = isRecord(json) ? Object.entries(json) : [];
  return new Map(
    entries.flatMap(([name, values]) => (isRecord(values) ? [[name, simpleValues(values)] as const] : [])),
  );
}

function simpleValues(values: Fields): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, String(value)] as const]
        : [],
    ),
  );
}

async function dotenvFor(file: string): Promise<Readonly<Record<string, string | undefined>>> {
  const text = await nearest(file, '.env');
  // Older versions of Node.js 20 have no `parseEnv`.
  const lines = (text ?? '').matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\n#]*))/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', double, single, plain]) => [name, double ?? single ?? plain?.trim()]),
  );
}

/** The text of a file in the folder of `file`, or in the nearest one above that has it. */
async function nearest(file: string, name: string): Promise<string | null> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => null);
    if (text !== null || folder === path.dirname(folder)) return text;
  }
}
