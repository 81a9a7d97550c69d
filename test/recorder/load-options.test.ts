import assert from 'node:assert/strict';
import test from 'node:test';
import { parseAddress, parseLoad } from '../../recorder/launch/load/load-options.ts';
import type { RequestPlan } from '../../recorder/launch/load/request-plan.ts';

const ready = new URL('http://localhost:3000/health');

function load(text: string): RequestPlan {
  const parsed = parseLoad(text, ready);
  return parsed.type === 'load' ? parsed.load : assert.fail(parsed.message);
}

const complaint = (text: string): string => {
  const parsed = parseLoad(text, ready);
  return parsed.type === 'invalid' ? parsed.message : 'taken';
};

test('a load says what is sent, in the words of autocannon', () => {
  const text = `-c 20 -a 5000 -m post -H "content-type: application/json" -H 'x-a: 1' -b '{"q":"a b&c"}' '/orders?a=1&b=2'`;
  assert.deepEqual(load(text), {
    requests: [
      {
        ...{ name: null, method: 'POST', url: 'http://localhost:3000/orders?a=1&b=2' },
        headers: { 'content-type': 'application/json', 'x-a': '1' },
        body: '{"q":"a b&c"}',
      },
    ],
    ...{ connections: 20, rate: null, amount: 5000, durationS: null, warmUpS: 0 },
  });
});

test('quotes inside double quotes are escaped as in a shell', () => {
  assert.equal(load(String.raw`-b "{\"a\": 1}"`).requests[0]?.body, '{"a": 1}');
});

test('what is not said is usual: a thousand requests over ten connections, to the address that was waited for', () => {
  const { requests, connections, amount } = load('');
  assert.deepEqual([requests[0]?.url, requests[0]?.method, connections, amount], [ready.href, 'GET', 10, 1000]);
  assert.equal(load('-R 50').rate, 50);
  assert.equal(
    load('"/{{$guid}}/a b?t={{$env.ID}}"').requests[0]?.url,
    `${ready.origin}/{{$guid}}/a%20b?t={{$env.ID}}`,
  );
  assert.equal(load('-a 2').connections, 2);
  assert.deepEqual([load('-d 5').amount, load('-d 5').durationS], [null, 5]);
});

test('what cannot be meant is refused in one sentence', () => {
  assert.match(complaint('-c 0'), /whole numbers above 0 .* not "0"/);
  assert.match(complaint('-a 10 -d 5'), /both -a and -d/);
  assert.match(complaint('-m PSOT'), /knows GET, POST, .*, not the method "PSOT"/);
  assert.match(complaint('-c 20 -a 5'), /more connections \(-c 20\) than requests \(-a 5\)/);
  assert.match(complaint('-d 99999999 -c 5'), /takes more than 2147483 s \(-d 99999999\)/);
  assert.match(complaint('-d 5 -c 99999'), /more than 65535 connections \(-c 99999\)/);
  assert.match(complaint('-H nonsense'), /not "Name: value"/);
  assert.match(complaint('/a /b'), /two addresses/);
  for (const address of ['ftp://host/', 'http://{{$env.HOST}}/', '{{$env.BASE}}/a'])
    assert.match(complaint(address), /cannot be sent/);
  assert.match(complaint('--pipelining 3'), /not understood \(Unknown option '--pipelining'\)/);
});

test('an address may be a port, a host and port, or all of it', () => {
  assert.equal(parseAddress('3000')?.href, 'http://localhost:3000/');
  assert.equal(parseAddress('app:3000/x')?.href, 'http://app:3000/x');
  assert.equal(parseAddress('https://app/')?.href, 'https://app/');
  assert.equal(parseAddress(''), null);
});
