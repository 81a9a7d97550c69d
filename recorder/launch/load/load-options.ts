import { parseArgs } from 'node:util';
import { splitWords } from '../npm-scripts/script-text.ts';
import { MAX_CONNECTIONS, MAX_DURATION_S, methods, type RequestPlan } from './request-plan.ts';

export type ParsedLoad =
  | { readonly type: 'load'; readonly load: RequestPlan }
  /** One sentence that says what to do instead. */
  | { readonly type: 'invalid'; readonly message: string };

/**
 * Parses the words of `--load`, which are autocannon's: `-c 20 -a 5000 -m POST -H "content-type: application/json" -b "{}"
 * /orders`. A path is relative to the server at `ready`, which is the default; without `ready` its url begins with `/`.
 */
export function parseLoad(text: string, ready: URL | null): ParsedLoad {
  const parsed = parseWords(splitWords(text));
  if (typeof parsed === 'string') return invalid(parsed);
  const { values, positionals } = parsed;
  if (positionals.length > 1) return invalid(`names two addresses, "${positionals.join('" and "')}"`);
  if (values.amount !== undefined && values.duration !== undefined) return invalid('has both -a and -d: choose one');
  const numbers = [values.connections, values.amount, values.duration, values.overallRate].filter(
    (value) => value !== undefined,
  );
  const wrong = numbers.find((value) => !/^[1-9]\d{0,7}$/.test(value));
  if (wrong !== undefined) return invalid(`needs whole numbers above 0 for -c, -a, -d and -R, not "${wrong}"`);
  const headers = (values.headers ?? []).map((header) => /^([^:=\s]+)\s*[:=]\s*(.*)$/.exec(header));
  if (headers.includes(null)) return invalid('has a header that is not "Name: value"');
  const url = targetUrl(positionals[0] ?? '', ready ?? unknownServer);
  if (url === null) return invalid(`cannot be sent to "${positionals[0]}"`);
  const method = methods.find((one) => one === (values.method ?? 'GET').toUpperCase());
  if (method === undefined) return invalid(`knows ${methods.join(', ')}, not the method "${values.method}"`);
  const durationS = values.duration === undefined ? null : Number(values.duration);
  const amount = durationS === null ? Number(values.amount ?? 1000) : null;
  const connections = Number(values.connections ?? Math.min(10, amount ?? Infinity));
  if (connections > MAX_CONNECTIONS) return invalid(`has more than ${MAX_CONNECTIONS} connections (-c ${connections})`);
  if ((durationS ?? 0) > MAX_DURATION_S) return invalid(`takes more than ${MAX_DURATION_S} s (-d ${durationS})`);
  if (amount !== null && connections > amount)
    return invalid(`has more connections (-c ${connections}) than requests (-a ${amount})`);
  return {
    type: 'load',
    load: {
      requests: [
        {
          ...{ name: null, method, url },
          headers: Object.fromEntries(headers.map((header) => [header?.[1] ?? '', header?.[2] ?? ''])),
          body: values.body ?? null,
        },
      ],
      ...{ connections, rate: values.overallRate === undefined ? null : Number(values.overallRate), amount, durationS },
      warmUpS: 0,
    },
  };
}

/** The url of what is typed, with its placeholders as they are; null for other text, and for one before its path. */
function targetUrl(typed: string, base: URL): string | null {
  const placeholders = typed.match(placeholder) ?? [];
  const url = urlOf(typed.replaceAll(placeholder, mark), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.host.includes(mark) || typed.startsWith('{{')) return null;
  const whole = url.origin === unknownServer.origin ? url.pathname + url.search : url.href;
  const [first = '', ...rest] = whole.split(mark);
  return first + rest.map((text, at) => `${placeholders[at] ?? mark}${text}`).join('');
}

const placeholder = /\{\{[^{}]*\}\}/g;
/** Stands for a placeholder where a url would encode it. */
const mark = 'hotspan-placeholder';

const unknownServer = new URL('http://unknown.invalid/');

/** `3000`, `localhost:3000` or an address as in a browser; null for anything else. */
export function parseAddress(text: string): URL | null {
  const address = /^\d+$/.test(text)
    ? `http://localhost:${text}`
    : /^https?:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const url = text === '' ? null : urlOf(address);
  return url === null || url.hostname === '' ? null : url;
}

function urlOf(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base) : null;
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split(/\.?\s*\n|\.\s/) : [];
    return `was not understood (${reason})`;
  }
}

const options = {
  connections: { type: 'string', short: 'c' },
  amount: { type: 'string', short: 'a' },
  duration: { type: 'string', short: 'd' },
  overallRate: { type: 'string', short: 'R' },
  method: { type: 'string', short: 'm' },
  headers: { type: 'string', short: 'H', multiple: true },
  body: { type: 'string', short: 'b' },
} as const;

/** Whether this is one of the short options in the words of `--load`: `-c`. */
export function isLoadOption(option: string): boolean {
  return Object.values(options).some(({ short }) => option === `-${short}`);
}

function invalid(what: string): ParsedLoad {
  return {
    type: 'invalid',
    message: `--load ${what}: as in --load "-c 10 -a 1000 /path"; see "hotspan record --help".`,
  };
}
