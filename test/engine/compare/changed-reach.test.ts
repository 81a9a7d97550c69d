import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangedReach } from '../../../engine/compare/changed-reach.ts';
import type { FunctionIdentity } from '../../../engine/compare/match-functions.ts';
import { OwnCalls } from '../../../engine/compare/own-calls.ts';
import { identity, sideOf } from '../../helpers/drawn-sides.ts';

/** Each function, null for one of a package, is called by the node of that number; the first one is node 4. */
function callsOf(fns: readonly (FunctionIdentity | null)[], ...parents: readonly number[]): OwnCalls {
  const calls = new OwnCalls();
  const parent = Int32Array.from([-1, 0, 0, 0, ...parents]);
  const functionId = Int32Array.from([-1, -1, -1, -1, ...fns.keys()]);
  calls.add({ size: parent.length, parent, functionId, ticks: () => assert.fail() }, fns);
  return calls;
}

const namesOf = (fns: ReadonlySet<FunctionIdentity>) => [...fns].flatMap(({ name }) => name ?? []).join(' ');

test('functions on a stack with changed code are reached: what it calls, and what calls it', () => {
  const fns = ['test', 'edited', 'callee', 'other'].map((name) => identity({ name }));
  // test → a package → edited → callee; test → other
  const calls = callsOf([...fns.slice(0, 1), null, ...fns.slice(1)], 0, 4, 5, 6, 4);
  assert.equal(namesOf(calls.besides(new Set(fns.slice(1, 2)))), 'test edited callee');
});

test('functions are reached where they, or what calls them, name changed code that is on no stack', async () => {
  const code: Readonly<Record<string, string>> = {
    '/was/limits.js': 'exports.rounds = 2;',
    '/app/limits.js': 'exports.rounds = 3;',
    '/app/cart.js': "exports.checkout = () => require('./sums').total(require('./limits.js').rounds);",
    '/app/cart.test.js': `test('ranks', () => rank());
      test('orders', () => rank(require('./cart.js').checkout())); const rank = require('./rank');`,
  };
  const files = { checkout: 'cart.js', total: 'sums.js', ranks: 'cart.test.js', rank: 'rank.js' };
  const functions = Object.entries(files).flatMap(([name, file]) =>
    sideOf({ [name]: { runs: [file === 'cart.js' ? 1 : 40], file, isTest: name === 'ranks' } }),
  );
  const identities = functions.map((fn) => fn.identity);
  // checkout → total; ranks → rank
  const calls = callsOf(identities, 0, 4, 0, 6);
  const textOf = (limits: string) => async (path: string) => code[path.replace('/app/lim', limits)] ?? null;
  const side = { collector: { functions: () => functions, calls }, roots: ['/app'] };
  const reach = new ChangedReach({ ...side, textOf: textOf('/app/lim') }, { ...side, textOf: textOf('/was/lim') });
  assert.equal(namesOf((await reach.reachedBy())(new Set())), 'checkout total');
});

test('what a file runs while it loads is reached by what it calls, and not by what it loads', () => {
  const [main, loaded] = ['src/main.js', 'src/loaded.js'].map((file) => identity({ file, name: null, names: '' }));
  const edited = identity({ name: 'edited' });
  assert.ok(main !== undefined && loaded !== undefined);
  // main → the loader → loaded → edited
  const calls = callsOf([main, null, loaded, edited], 0, 4, 5, 6);
  assert.deepEqual(calls.besides(new Set([edited])), new Set([loaded, edited]));
  assert.deepEqual(calls.besides(new Set([loaded])), new Set([edited]));
});
