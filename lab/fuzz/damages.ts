import fc from 'fast-check';
import { isList, isRecord, numberOf } from '../../protocol/json-value.ts';
import type { DrawnProfile } from '../../test/helpers/drawn-profile.ts';
import { raw } from './scratches.ts';

export type Loose = Readonly<Record<string, unknown>>;

/** One thing that is wrong in a profile: what, where (taken modulo what is there), and what stands there instead. */
export interface Damage {
  readonly kind: string;
  readonly at: number;
  readonly other: number;
  readonly value: unknown;
}

export function damaged(profile: DrawnProfile, damages: readonly Damage[]): unknown {
  return damages.reduce<Loose>((changed, damage) => kinds[damage.kind]?.(changed, damage) ?? changed, { ...profile });
}

export function damageOf(): fc.Arbitrary<Damage> {
  const kind = fc.constantFrom(...Object.keys(kinds));
  return fc.record({ kind, at: fc.nat(1000), other: fc.nat(1000), value: hostileValue });
}

const million = 1 << 20;
export const hostileText = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(million), '\u{1F525}'.repeat(1000), `/${'a/'.repeat(5000)}`) },
  {
    weight: 30,
    arbitrary: fc.constantFrom(
      ...['', '\0', 'a\0b', '\uD800', '\uDC00x', '\u001B[31m', '\u202Eevil', 'a\nb\r\n', '__proto__', 'constructor'],
      ...['file://%', 'file:///%E0%A4%A', 'file:', 'file://host/x', 'file:///C:/a b.js', 'C:\\a\\b.js', '//x/y', '/'],
      ...[
        '/app/src/\uD800.js',
        '/app/../../etc/passwd',
        '/app/src/app.ts',
        'file:///app/src/app.ts?q#f',
        '/app/src/..',
      ],
      ...[
        'file:///app/node_modules/',
        'file:///app/node_modules/@',
        '/node_modules/a/node_modules/',
        'node:',
        'node:x',
      ],
      ...[
        'webpack://app/./cart.ts',
        'webpack-internal:///a',
        'evalmachine.<anonymous>',
        '[eval]',
        'data:,x',
        'http://[',
      ],
      ...[
        '(root)',
        '(program)',
        '(idle)',
        '(garbage collector)',
        '(gc)',
        '|`<script>`|',
        '](http://x)',
        'get x',
        'a.b.',
      ],
    ),
  },
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1, 2, 4, 7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, -(2 ** 53), 1e300),
  fc.constantFrom(1e9, 31_536_000e6, -31_536_000e6, 2.9e15, -2.9e15, 9e15, 5e-324),
  fc.constantFrom('1e400', '-1e400', '-0', '1E+2', '00', '01', '1.', '.5', '+1', '0x1', 'NaN', 'Infinity').map(raw),
  fc.constantFrom('123456789012345678901234567890', '0.1e-400', '1e-7', '100000e-5').map(raw),
  fc.integer({ min: -3, max: 80 }),
);
export const hostileValue = fc.oneof(
  { weight: 6, arbitrary: hostileNumber },
  { weight: 5, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { id: 1 }, { toString: 1, valueOf: 1 }, [
      { line: 0, ticks: 0 },
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      raw(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      raw(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
      ...['[1', '"a', 'tru', '', '}', '"\\u12"', '"\\', '\u0001', '[1,]', '{"a":1,}', '/**/1'].map(raw),
    ),
  },
);

type Kind = (profile: Loose, damage: Damage) => Loose;

const topKeys = ['nodes', 'samples', 'timeDeltas', 'startTime', 'endTime'];
const nodeKeys = [
  'id',
  'callFrame',
  'children',
  'parent',
  'hitCount',
  'positionTicks',
  'deoptReason',
  '__proto__',
  'x',
];
const frameKeys = ['functionName', 'url', 'lineNumber', 'columnNumber', 'scriptId', '__proto__'];

const kinds: Readonly<Record<string, Kind>> = {
  top: (profile, { at, value }) => ({ ...profile, [picked(topKeys, at)]: value }),
  topMissing: (profile, { at }) => without(profile, picked(topKeys, at)),
  unknownKey: (profile, { value }) => ({ x: value, ...profile, $vscode: value }),
  samplesFirst: (profile) => Object.fromEntries(Object.entries(profile).toReversed()),
  node: ofNode((_, { value }) => value),
  nodeKey: ofNode((node, { other, value }) => withKey(node, picked(nodeKeys, other), value)),
  nodeKeyMissing: ofNode((node, { other }) => without(node, picked(nodeKeys, other))),
  nodeGone: inList('nodes', (nodes, at) => nodes.toSpliced(at, 1)),
  nodeTwice: inList('nodes', (nodes, at) => nodes.toSpliced(at, 0, nodes[at])),
  nodesBackwards: inList('nodes', (nodes) => nodes.toReversed()),
  itself: ofNode((node) => ({ ...node, children: [...listAt(node, 'children'), node['id']] })),
  child: ofNode((node, { value }) => ({ ...node, children: [...listAt(node, 'children'), value] })),
  severalParents: ofNode((node, { other }, profile) => {
    const nodes = listAt(profile, 'nodes');
    const child = nodes[other % Math.max(1, nodes.length)];
    return { ...node, children: [...listAt(node, 'children'), isRecord(child) ? child['id'] : 1] };
  }),
  parents: (profile) => ({ ...profile, nodes: withParents(listAt(profile, 'nodes')) }),
  frameKey: ofFrame((frame, { other, value }) => withKey(frame, picked(frameKeys, other), value)),
  frameKeyMissing: ofFrame((frame, { other }) => without(frame, picked(frameKeys, other))),
  name: ofFrame((frame, { value }) => ({ ...frame, functionName: value })),
  url: ofFrame((frame, { value }) => ({ ...frame, url: value })),
  oneUrl: (profile, { value }) => mapped(profile, (frame) => ({ ...frame, url: value })),
  ticks: ofNode((node, { at, value }) => ({
    ...node,
    positionTicks: [{ line: value, ticks: at }, { line: at, ticks: value }, { line: 0, ticks: 1 }, value],
  })),
  sample: inList('samples', (samples, at, { value }) => samples.with(at, value)),
  samplesTooMany: inList('samples', (samples, at) => [...samples, ...samples.slice(at)]),
  samplesTooFew: inList('samples', (samples, at) => samples.slice(0, at)),
  delta: inList('timeDeltas', (deltas, at, { value }) => deltas.with(at, value)),
  deltasTooMany: inList('timeDeltas', (deltas, at) => [...deltas, ...deltas.slice(at)]),
  backwards: inList('timeDeltas', (deltas, at, { other }) => deltas.with(at, -other * 1000)),
  allBackwards: inList('timeDeltas', (deltas) => deltas.map((delta) => -numberOf(delta, 0))),
  jump: inList('timeDeltas', (deltas, at, { other }) => deltas.with(at, (other - 500) * 31_536_000e4)),
  endsEarly: (profile, { other }) => ({ ...profile, endTime: numberOf(profile['startTime'], 0) - other }),
};

function ofNode(change: (node: Loose, damage: Damage, profile: Loose) => unknown): Kind {
  return (profile, damage) =>
    inList('nodes', (nodes, at) => {
      const node = nodes[at];
      return isRecord(node) ? nodes.with(at, change(node, damage, profile)) : nodes;
    })(profile, damage);
}

function ofFrame(change: (frame: Loose, damage: Damage) => unknown): Kind {
  return ofNode((node, damage) => {
    const frame = node['callFrame'];
    return isRecord(frame) ? { ...node, callFrame: change(frame, damage) } : node;
  });
}

function inList(key: string, change: (list: readonly unknown[], at: number, damage: Damage) => unknown): Kind {
  return (profile, damage) => {
    const list = profile[key];
    return isList(list) && list.length > 0
      ? { ...profile, [key]: change(list, damage.at % list.length, damage) }
      : profile;
  };
}

function mapped(profile: Loose, change: (frame: Loose) => unknown): Loose {
  const nodes = listAt(profile, 'nodes').map((node) => {
    const frame = isRecord(node) ? node['callFrame'] : null;
    return isRecord(node) && isRecord(frame) ? { ...node, callFrame: change(frame) } : node;
  });
  return { ...profile, nodes };
}

/** As some writers do: each node names its parent, none its children. */
function withParents(nodes: readonly unknown[]): readonly unknown[] {
  const parents = new Map(
    nodes.filter(isRecord).flatMap((node) => listAt(node, 'children').map((child) => [child, node['id']] as const)),
  );
  return nodes.map((node) =>
    isRecord(node) ? { ...without(node, 'children'), parent: parents.get(node['id']) } : node,
  );
}

function listAt(value: Loose, key: string): readonly unknown[] {
  const list = value[key];
  return isList(list) ? list : [];
}

function withKey(value: Loose, key: string, given: unknown): Loose {
  return Object.fromEntries([...Object.entries(value), [key, given]]);
}

function without(value: Loose, key: string): Loose {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function picked(names: readonly string[], at: number): string {
  return names[at % names.length] ?? '';
}
