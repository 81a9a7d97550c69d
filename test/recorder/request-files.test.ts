import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { readRequests } from '../../recorder/launch/load/read-requests.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { shown } from './shown-requests.ts';
import { assertEach } from '../helpers/assert-each.ts';

/** A request file as people write them, and what is sent. */
interface Form {
  readonly file: string;
  /** `METHOD url`, then the headers and the body where there are any. */
  readonly sent: readonly string[];
  /** `title reason` of what is left out. */
  readonly leftOut?: readonly string[];
  readonly notes?: readonly string[];
  /** Other files by their paths from that of the request file. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly environment?: string;
}

const forms: Readonly<Record<string, Form>> = {
  'an address alone is a GET': { file: 'http://localhost:3000/orders\n', sent: ['GET http://localhost:3000/orders'] },
  'several requests, split by ### with or without a title, and numbered where they differ by their queries': {
    file: 'GET http://localhost:3000/a?n={{n}}\n\n###\n\nGET http://localhost:3000/a?n=2 HTTP/1.1\n\n### Third one\nDELETE localhost:3000/c\n###\nGET http://localhost:3000/a\n',
    sent: [
      'GET /a (request 2 of requests.http): GET http://localhost:3000/a?n=2',
      'Third one: DELETE http://localhost:3000/c',
      'GET /a (request 4 of requests.http): GET http://localhost:3000/a',
    ],
    leftOut: ['GET http://localhost:3000/a needs {{n}}, which has no value'],
  },
  'headers, a JSON body, comments of both kinds': {
    file: `# orders
// of the shop
post http://localhost:3000/orders HTTP/1.1
Content-Type: application/json
# X-Old: 1
Accept: */*

{
  "note": "# no comment",

  "count": 2
}


`,
    sent: [
      'POST http://localhost:3000/orders content-type=application/json accept=*/* {\n  "note": "# no comment",\n\n  "count": 2\n}',
    ],
  },
  'Windows line ends, and a byte order mark': {
    file: '\uFEFFGET http://localhost:3000/a\r\nAccept: text/html\r\n\r\n###\r\nGET http://localhost:3000/b\r\n',
    sent: ['GET http://localhost:3000/a accept=text/html', 'GET http://localhost:3000/b'],
  },
  'file variables, also in each other': {
    file: '@host = localhost:3000\n@base=http://{{host}}/api\n\nGET {{base}}/orders/{{ id }}\n\n###\n@id = 7\n',
    sent: ['GET http://localhost:3000/api/orders/7'],
  },
  'a query on following lines, in both styles': {
    file: 'GET http://localhost:3000/search\n    ?q=a b\n    &page=2\nAccept: text/html\n\n###\nGET http://localhost:3000\n    /api\n    /list\n    ?x=1\n',
    sent: [
      'GET http://localhost:3000/search?q=a%20b&page=2 accept=text/html',
      'GET http://localhost:3000/api/list?x=1',
    ],
  },
  'names, in three spellings': {
    file: '# @name first\nGET http://localhost/1\n###\n// @name=second\nGET http://localhost/2\n### title\n#@name third\nGET http://localhost/3\n',
    sent: ['first: GET http://localhost/1', 'second: GET http://localhost/2', 'third: GET http://localhost/3'],
  },
  'a path alone, for the server that is measured': { file: 'GET /orders?limit=5\n', sent: ['GET /orders?limit=5'] },
  'a path with a Host header': {
    file: 'GET /orders HTTP/1.1\nHost: localhost:8080\n',
    sent: ['GET http://localhost:8080/orders host=localhost:8080'],
  },
  'dynamic variables of both tools': {
    file: 'POST http://localhost/{{$guid}}/{{$uuid}}/{{$random.uuid}}?at={{$timestamp}}&t={{$timestamp -1 d}}\nX-Id: {{$randomInt 5 6}}{{$random.integer(7, 8)}}\n\n{{$isoTimestamp}} {{$datetime iso8601}} {{$random.alphabetic(3)}} {{$random.hexadecimal(4)}}\n',
    sent: ['POST http://localhost/ID/ID/ID?at=N&t=N x-id=57 DATE DATE AAA HHHH'],
  },
  'values of the environment and of .env': {
    file: 'GET http://localhost/{{$processEnv STAGE}}\nAuthorization: Bearer {{$env.TOKEN}}\nX-Key: {{$dotenv API_KEY}}\n',
    beside: { '../.env': '# keys\nexport API_KEY="k 1" # mine\nOTHER=2\n' },
    sent: ['GET http://localhost/test authorization=Bearer s3cret x-key=k 1'],
  },
  'the chosen environment of http-client.env.json, and its private part': {
    file: 'GET {{host}}/a\nX-Token: {{token}}\n',
    beside: {
      'http-client.env.json': '{ "dev": { "host": "http://localhost:1" }, "prod": { "host": "https://example.com" } }',
      'http-client.private.env.json': '{ "dev": { "token": "t1" } }',
    },
    environment: 'dev',
    sent: ['GET http://localhost:1/a x-token=t1'],
  },
  'the only environment needs no choice': {
    file: 'GET {{host}}/a\n',
    beside: {
      'http-client.env.json': `\uFEFF{ "dev": { "host": "http://localhost:{{port}}", ${' '.repeat(32_000)} "port": 81 } }`,
    },
    sent: ['GET http://localhost:81/a'],
  },
  "environments in REST Client's settings": {
    file: 'GET {{host}}/{{version}}\n',
    beside: {
      '../.vscode/settings.json': `{ // comments
        "rest-client.environmentVariables": { "$shared": { "version": "v1" }, "local": { "host": "localhost:9" }, },
      }`,
    },
    environment: 'local',
    sent: ['GET http://localhost:9/v1'],
  },
  'an environment that was not chosen': {
    file: 'GET {{host}}/a\n###\nGET http://localhost/b\n',
    beside: { 'http-client.env.json': '{ "dev": { "host": "a" }, "prod": { "host": "b" } }' },
    sent: ['GET http://localhost/b'],
    leftOut: ['GET {{host}}/a needs {{host}}, which has no value'],
    notes: ['requests.http needs an environment: choose one by --env (dev, prod).'],
  },
  'a request that needs the answer of another one': {
    file: `# @name login
POST http://localhost/login
Content-Type: application/json

{"user":"a"}

###
@token = {{login.response.body.token}}
# @name me
GET http://localhost/me
Authorization: Bearer {{token}}

###
GET http://localhost/raw
X: {{login.response.headers.X-Id}}
`,
    sent: ['login: POST http://localhost/login content-type=application/json {"user":"a"}'],
    leftOut: [
      'me needs the answer of "login", and requests are not chained',
      'GET http://localhost/raw needs the answer of "login", and requests are not chained',
    ],
  },
  "JetBrains' scripts": {
    file: `### Log in
< {%
  request.variables.set("x", 1);

%}
GET http://localhost/a
Accept: application/json

> {%
  client.test("ok", function () {
    client.assert(response.status === 200);
  });

  client.global.set("token", response.body.token);
%}

<> 2024-05-01T101010.200.json

### Next
POST http://localhost/b

hello
> ./check.js

>> answer.json
`,
    sent: ['Log in: GET http://localhost/a accept=application/json', 'Next: POST http://localhost/b hello'],
    notes: ['The scripts in requests.http do not run.'],
  },
  'a body in a file, without and with variables': {
    file: '@n = 3\nPOST http://localhost/a\n\n< ./data/order.json\n###\nPOST http://localhost/b\n\n<@ ./data/order.json\n',
    beside: { 'data/order.json': '{"n":{{n}}}' },
    sent: ['POST http://localhost/a {"n":{{n}}}', 'POST http://localhost/b {"n":3}'],
  },
  'many spaces behind braces': {
    file: `GET http://localhost/\nX: a{{${' '.repeat(5000)}b\n`,
    sent: [`GET http://localhost/ x=a{{${' '.repeat(5000)}b`],
  },
  'a form on several lines': {
    file: 'POST http://localhost/login\nContent-Type: application/x-www-form-urlencoded\n\nname=foo bar\n&password={{$randomInt 5 6}}\n',
    sent: ['POST http://localhost/login content-type=application/x-www-form-urlencoded name=foo%20bar&password=5'],
  },
  'several parts': {
    file: 'POST http://localhost/up\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="f"; filename="a.txt"\n\n< a.txt\n--b--\n',
    beside: { 'a.txt': 'one\n' },
    sent: [
      'POST http://localhost/up content-type=multipart/form-data; boundary=b --b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\none\r\n\r\n--b--',
    ],
  },
  'basic authentication by name and password, and kinds that need more': {
    file: 'GET http://localhost/a\nAuthorization: Basic user pass word\n###\nGET http://localhost/b\nAuthorization: Digest user pass\n',
    sent: ['GET http://localhost/a authorization=Basic dXNlcjpwYXNzIHdvcmQ='],
    leftOut: ['GET http://localhost/b needs the authentication Digest, which is not supported'],
  },
  'headers that autocannon sets itself, and one that comes twice': {
    file: 'POST http://localhost/\nContent-Length: 99\nConnection: close\nCookie: a=1\nCookie: b=2\nX-List: 1\nX-List: 2\n\nhi\n',
    sent: ['POST http://localhost/ cookie=a=1; b=2 x-list=1, 2 hi'],
  },
  'an encoded variable, letters beyond ASCII, a fragment': {
    file: '@q = a&b\nGET http://localhost/größe?q={{%q}}#top\n',
    sent: ['GET http://localhost/gr%C3%B6%C3%9Fe?q=a%26b'],
  },
  'tags that change nothing here': {
    file: '# @no-redirect\n# @no-cookie-jar\n# @timeout 600\nGET http://localhost/a\n',
    sent: ['GET http://localhost/a'],
  },
  'only a comment': { file: 'GET http://localhost/\n###\n# only a comment\n', sent: ['GET http://localhost/'] },
};

const env = { TOKEN: 's3cret', STAGE: 'test' };

/** What is read of `requests.http` in a folder with the files beside it. */
async function readBeside(file: string, beside: Form['beside'] = {}, environment: string | null = null) {
  const files = Object.entries(beside).map(([name, text]) => [path.join('api', name), text] as const);
  const folder = temporaryProject({ 'api/requests.http': file, ...Object.fromEntries(files) });
  return shown(await readRequests({ file: path.join(folder, 'api/requests.http'), environment, env }));
}

for (const [name, { file, beside, environment, ...expected }] of Object.entries(forms)) {
  test(`a request file: ${name}`, async () => {
    assert.deepEqual(await readBeside(file, beside, environment), { leftOut: [], notes: [], ...expected });
  });
}

/** Requests that are not sent, with `title reason` of each. */
const notSent: Readonly<Record<string, string>> = {
  'GET http://localhost/{{$constructor}}':
    'GET http://localhost/{{$constructor}} needs {{$constructor}}, which is not supported',
  "GET http://localhost/{{$datetime 'YYYY-MM-DD'}}":
    "GET http://localhost/{{$datetime 'YYYY-MM-DD'}} needs {{$datetime 'YYYY-MM-DD'}}, which is not supported",
  '# @name private\nGET http://localhost/p\nX: {{$processEnv toString}}':
    'private needs {{$processEnv toString}}, which is not set',
  '@a = {{b}}\n@b = {{a}}\nGET http://localhost/{{a}}': 'GET http://localhost/{{a}} needs {{a}}, which has no value',
  'POST http://localhost/\n\n{"text": "Hello {{#if name}}"}':
    'POST http://localhost/ needs {{#if name}}, which has no value',
  'POST http://localhost/a\n\n< ../outside.json':
    'POST http://localhost/a sends the file ../outside.json, which is not below the folder of the request file',
  'POST http://localhost/b\n\n< missing.json':
    'POST http://localhost/b sends the file missing.json, which does not exist',
  'POST http://localhost/c\n\n< ids.json':
    'POST http://localhost/c sends the file ids.json, whose placeholders are filled in only behind "<@"',
  'GRAPHQL http://localhost/graphql\n\nquery { a }':
    'GRAPHQL http://localhost/graphql has the method GRAPHQL, which autocannon cannot send',
  'WEBSOCKET ws://localhost/live':
    'WEBSOCKET ws://localhost/live has the method WEBSOCKET, which autocannon cannot send',
  'HEAD http://localhost/head': 'HEAD http://localhost/head has the method HEAD, which autocannon cannot send',
  'GET http://localhost/two HTTP/2': 'GET http://localhost/two asks for HTTP/2, and the load is sent by HTTP/1.1',
  'curl -X POST http://localhost/x -d a=1':
    'curl -X POST http://localhost/x -d a=1 is a curl command: write it as a request',
  'import other.http': 'import other.http takes requests of another file: name that file',
  'POST http://localhost/q\nX-REQUEST-TYPE: GraphQL\n\nquery { a }':
    'POST http://localhost/q is GraphQL: write its body as JSON',
  'GET http://localhost/a\nthis is not a header':
    'GET http://localhost/a has a line that is not a header: "this is not a header"',
  'not an address at all': 'not an address at all has no address that can be read: "not an address at all"',
  '# @disabled\nGET http://localhost/b': 'GET http://localhost/b is marked @disabled',
};

for (const [request, reason] of Object.entries(notSent))
  test(`a request is left out: ${reason}`, async () => {
    const beside = { '../outside.json': '{}', 'ids.json': '{{$guid}}' };
    const read = await readBeside(`GET http://localhost/\n###\n${request}\n`, beside);
    assert.deepEqual(read, { sent: ['GET http://localhost/'], leftOut: [reason], notes: [] });
  });

test('a request file with nothing to send, or that cannot be read, says what to do', async () => {
  const folder = temporaryProject({
    'empty.http': '# nothing yet\n@a = 1\n',
    'login.http': 'GET http://localhost/{{x}}\n',
    'notes.txt': 'GET http://localhost/',
    'http-client.env.json': '{ "dev": {}, "prod": {} }',
  });
  const message = async (name: string, environment: string | null = null): Promise<unknown> =>
    shown(await readRequests({ file: path.join(folder, name), environment, env }));
  assert.equal(
    await message('empty.http'),
    'empty.http has no request: write one as in "GET http://localhost:3000/orders".',
  );
  assert.equal(
    await message('login.http'),
    'No request of login.http can be sent: GET http://localhost/{{x}} needs {{x}}, which has no value. login.http needs an environment: choose one by --env (dev, prod).',
  );
  assert.equal(await message('login.http', 'stage'), 'There is no environment "stage": choose one of dev, prod.');
  assert.equal(await message('notes.txt'), 'notes.txt is no .http, .rest or .json file.');
  assert.match(String(await message('gone.http')), /gone\.http cannot be read: name a \.http, \.rest or OpenAPI /);
  writeFileSync(path.join(folder, 'wide.http'), 'GET http://localhost/é', 'latin1');
  assert.equal(await message('wide.http'), 'wide.http is not text in UTF-8: save it as such.');
});

test('what comes from the environment is not in what is shown', async () => {
  const folder = temporaryProject({
    'a.http':
      'GET http://localhost/{{$processEnv TOKEN}}/{{key}}/{{$guid}}\n###\nGET {{base}}/a#b\n###\nGET http://{{$env.TOKEN}}:{{key}}@localhost:{{port}}?a\n###\nGET http://{{$processEnv TOKEN}}:81/a\n',
    'http-client.env.json': '{ "dev": {} }',
    'http-client.private.env.json': '{ "dev": { "key": "k9", "base": "http://localhost:81/{{key}}", "port": 81 } }',
  });
  const read = await readRequests({ file: path.join(folder, 'a.http'), environment: null, env });
  const requests = read.type === 'read' ? read.requests : [];
  assertEach(requests, ({ url, shownUrl }) => `${url} ${shownUrl}`, [
    'http://localhost/s3cret/k9/{{$guid}} http://localhost/*/*/{{$guid}}',
    'http://localhost:81/k9/a http://localhost:81/a',
    'http://s3cret:k9@localhost:81?a http://localhost:81/?a',
    'http://s3cret:81/a http://*/a',
  ]);
});
