import { now } from '../host/clock.ts';

/** A request of HTTP/1 or a stream of HTTP/2, from when it was read. Times in µs. */
export interface Exchange {
  readonly of: object;
  readonly start: number;
  /** When its connection had its last answer before; −1 for its first. */
  readonly since: number;
  /** What its framework calls its route; empty where none has told. */
  pattern: string;
  readonly method: string;
  /** Url as it was asked for, because some frameworks cut it. */
  readonly url: string;
}

/** `connection`: the socket, or the session of HTTP/2. */
export interface Exchanges {
  /** Returns whether it is the connection's first. */
  readonly begin: (connection: object, of: object, method: string, url: string) => boolean;
  readonly name: (connection: object, of: object, pattern: string) => void;
  /** Ends an exchange; undefined where its beginning was not seen. */
  readonly end: (connection: object, of: object) => Exchange | undefined;
  /** It has no answer, and gets none. */
  readonly giveUp: (connection: object, of: object) => void;
}

/**
 * What goes on, by connection: a weak map of requests would be dearer, since each of them would be put in and taken out.
 * What is never answered goes with its connection.
 */
export function trackExchanges(): Exchanges {
  const connections = new WeakMap<object, Connection>();
  return {
    begin: (connection, of, method, url) => {
      const known = connections.get(connection);
      const exchange = { of, start: now(), since: known?.answered ?? -1, pattern: '', method, url };
      if (known === undefined) connections.set(connection, { answered: -1, open: [exchange] });
      else known.open.push(exchange);
      return known === undefined;
    },
    name: (connection, of, pattern) => {
      const exchange = connections.get(connection)?.open.find((one) => one.of === of);
      if (exchange !== undefined) exchange.pattern = pattern;
    },
    end: (connection, of) => {
      const known = connections.get(connection);
      if (known === undefined) return undefined;
      known.answered = now();
      return takeOut(known, of);
    },
    giveUp: (connection, of) => {
      const known = connections.get(connection);
      if (known !== undefined) takeOut(known, of);
    },
  };
}

interface Connection {
  /** When it had its last answer; −1 before the first. */
  answered: number;
  /** Open exchanges in the order in which they came. */
  readonly open: Exchange[];
}

/** Nearly always it is the only one. */
function takeOut({ open }: Connection, of: object): Exchange | undefined {
  if (open.at(-1)?.of === of) return open.pop();
  const index = open.findIndex((exchange) => exchange.of === of);
  return index < 0 ? undefined : open.splice(index, 1)[0];
}
