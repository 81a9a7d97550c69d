import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactArguments, redactText, redacted } from '../../recorder/command-lines/redact.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const random = ['q8Zt3LmX0v', 'Rk7YbN2sWc', '5HdJ1pGf'].join('');
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');

test('arguments that look like secrets are redacted', () => {
  const secrets = [
    ['--password=hunter2'],
    ['--db-password=hunter2'],
    ['--token', 'abc'],
    ['--api-key', 'abc'],
    ['-e', 'API_KEY=abc node x.js'],
    ['sh', '-c', 'node x.js --token abc --port 80'],
    ['-H', 'Authorization: Bearer abc'],
    ['postgres://user:abc@db/shop'],
    ['https://abc@host/path'],
    [['ghp', 'a'.repeat(36)].join('_')],
    [['sk', 'a'.repeat(30)].join('-')],
    [`AKIA${'A1'.repeat(8)}`],
    [jwt],
    [random],
    [`--key=${random}`],
    ['0123456789abcdef'.repeat(2)],
  ];
  for (const secret of secrets) {
    const text = redactArguments(secret).join(' ');
    assert.ok(text.includes(redacted), secret.join(' '));
    for (const value of ['hunter2', 'abc ', ' abc', '=abc', ':abc', 'aaaaaaaa', 'A1A1A1', jwt, random, '0123456789'])
      if (!['-e', 'sh'].includes(secret[0] ?? '')) assert.ok(!text.includes(value), text);
  }
  assert.deepEqual(redactArguments(['--token', 'abc', '--port', '80']), ['--token', redacted, '--port', '80']);
  assert.equal(redactText('postgres://user:abc@db/shop'), `postgres://${redacted}@db/shop`);
  assert.equal(redactText('node x.js --token abc --port 80'), `node x.js --token ${redacted} --port 80`);
  assert.equal(redactText('API_KEY=abc node x.js'), `API_KEY=${redacted} node x.js`);
});

/** Arguments of which so much is left; none has the secret. */
type Redacted = readonly (readonly [args: readonly string[], rest: string])[];

function assertRedacted(cases: Redacted): void {
  for (const [args, rest] of cases) {
    const text = redactArguments(args).join(' ');
    assert.equal(text, rest);
    assert.ok(!text.includes('hunter2'), text);
  }
}

test('headers, cookies, JSON, connection strings and the options of clients have no secrets', () => {
  assertRedacted([
    [['http://localhost:3000/a?page=2&token=hunter2&x=1'], 'http://localhost:3000/a?page=2&token=[redacted]&x=1'],
    [['https://h/b?X-Amz-Signature=hunter2'], 'https://h/b?X-Amz-Signature=[redacted]'],
    [['--header', 'Authorization: Basic hunter2=='], '--header Authorization: [redacted]'],
    [['--header', 'X-Api-Key: hunter2'], '--header X-Api-Key: [redacted]'],
    [['--header=Authorization: token hunter2'], '--header=Authorization: [redacted]'],
    [['sh', '-c', 'curl -H "Authorization: Digest me, hunter2" /x'], 'sh -c curl -H "Authorization: [redacted]" /x'],
    [['-H', 'Cookie: a=hunter2; b=hunter2'], '-H Cookie: [redacted]'],
    [['--cookie', 'sid=hunter2'], '--cookie [redacted]'],
    [['curl', '-u', 'me:hunter2', '/x'], 'curl -u me:[redacted] /x'],
    [['curl', '--user=me:hunter2'], 'curl --user=me:[redacted]'],
    [['sh', '-c', 'curl -u me:hunter2 /x'], 'sh -c curl -u me:[redacted] /x'],
    [['mysql', '-uroot', '-phunter2', 'shop'], 'mysql -uroot -p[redacted] shop'],
    [['sh', '-c', 'mysqldump -h db -phunter2 shop'], 'sh -c mysqldump -h db -p[redacted] shop'],
    [['sshpass', '-p', 'hunter2', 'ssh', 'me@h'], 'sshpass -p [redacted] ssh me@h'],
    [['redis-cli', '-a', 'hunter2'], 'redis-cli -a [redacted]'],
    [['openssl', '-passin', 'pass:hunter2'], 'openssl -passin [redacted]'],
    [['sh', '-c', 'PGPASSWORD=hunter2 psql -h db'], 'sh -c PGPASSWORD=[redacted] psql -h db'],
    [['sh', '-c', `FOO_TOKEN='hunter2 hunter2' node x.js`], 'sh -c FOO_TOKEN=[redacted] node x.js'],
    [['DB_PASSWORD=hunter2&hunter2;hunter2'], 'DB_PASSWORD=[redacted]'],
    [['--password=hunter2 hunter2'], '--password=[redacted]'],
    [['--authToken=hunter2'], '--authToken=[redacted]'],
    [['{"user":"me","password":"hunter2 \\"hunter2"}'], '{"user":"me","password":[redacted]}'],
    [['{"auth":{"user":"me","pass":"hunter2"}}'], '{"auth":{"user":"me","pass":[redacted]}}'],
    [['sh', '-c', '"{\\"apiKey\\":\\"hunter2\\"}"'], 'sh -c "{\\"apiKey\\":[redacted]}"'],
    [['{user: me, token: hunter2}'], '{user: me, token: [redacted]}'],
    [['password: hunter2'], 'password: [redacted]'],
    [['postgres://me:hunter2/@hunter2@db/shop'], 'postgres://[redacted]@db/shop'],
    [['redis://:hunter2@db:6379/0'], 'redis://[redacted]@db:6379/0'],
    [['AccountName=me;AccountKey=hunter2/hunter2==;Endpoint=x'], 'AccountName=me;AccountKey=[redacted];Endpoint=x'],
    [['Server=db;User Id=me;Pwd=hunter2;Database=shop'], 'Server=db;User Id=me;Pwd=[redacted];Database=shop'],
  ]);
});

test('all of a value is redacted, whatever stands in it', () => {
  assertRedacted([
    [['--password=hunter2 hunter2; hunter2'], '--password=[redacted]'],
    [['PASSWORD=hunter2 hunter2;hunter2,hunter2'], 'PASSWORD=[redacted]'],
    [['--env=PASSWORD=hunter2 hunter2'], '--env=PASSWORD=[redacted]'],
    [['-c', 'password=hunter2 hunter2'], '-c password=[redacted]'],
    [['bash', '-lc', 'PASSWORD=a,hunter2 node x.js; ls'], 'bash -lc PASSWORD=[redacted] node x.js; ls'],
    [['sh', '-c', 'TOKEN=a"b hunter2" node x.js'], 'sh -c TOKEN=[redacted] node x.js'],
    [['sh', '-c', 'TOKEN=a\\ hunter2 node x.js'], 'sh -c TOKEN=[redacted] node x.js'],
    [['sh', '-c', 'TOKEN="hunter2 hunter2'], 'sh -c TOKEN=[redacted]'],
    [['sh', '-c', 'sh -c "export TOKEN=hunter2" && ls'], 'sh -c sh -c "export TOKEN=[redacted]" && ls'],
    [['sh', '-c', `jest '--password=a hunter2' x`], `sh -c jest '--password=[redacted]' x`],
    [['sh', '-c', 'docker run -e "TOKEN=a \\"hunter2 b" x'], 'sh -c docker run -e "TOKEN=[redacted]" x'],
    [['cmd.exe', '/d', '/s', '/c', 'x --token hunter2 & dir'], 'cmd.exe /d /s /c x --token [redacted] & dir'],
    [['-H', 'Authorization: Token hunter2'], '-H Authorization: [redacted]'],
    [['-H', 'authorization: Digest a="hunter2", b="hunter2"'], '-H authorization: [redacted]'],
    [['-H', 'Proxy-Authorization:hunter2'], '-H Proxy-Authorization:[redacted]'],
    [['-H', 'Cookie: a="hunter2"; b=hunter2'], '-H Cookie: [redacted]'],
    [['-H', 'X-Api-Key: a hunter2'], '-H X-Api-Key: [redacted]'],
    [['sh', '-c', `curl -H 'Authorization: Token hunter2' /x`], `sh -c curl -H 'Authorization: [redacted]' /x`],
    [['sh', '-c', 'curl -H "X-Api-Key: a hunter2" /x'], 'sh -c curl -H "X-Api-Key: [redacted]" /x'],
    [[`{headers: {authorization: 'Token hunter2'}, a: 1}`], '{headers: {authorization: [redacted]}, a: 1}'],
    [['https://me:a@hunter2@h/x'], 'https://[redacted]@h/x'],
    [['https://a@hunter2@h/x'], 'https://[redacted]@h/x'],
  ]);
});

test('a name says that its value is secret by any of its words', () => {
  for (const name of [
    ...['--clientSecret', '--secret-key', '--jwt', '--dbPassword', '--client-secret-key', '--token2'],
    ...['--password-admin', 'accessToken', 'PGPASSWORD', 'MYSQLPASSWORD', 'MYSQL_PWD', 'SECRET_KEY', 'SECRET_KEY_BASE'],
    ...['AWS_SECRET_ACCESS_KEY', 'API_KEY_PROD', 'PASSWORD1', 'TOKEN_GITHUB', 'APP_JWT', 'SMTP_PASS'],
    'spring.datasource.password',
  ]) {
    assert.deepEqual(redactArguments([`${name}=a b`, 'c']), [`${name}=${redacted}`, 'c']);
    assert.equal(redactText(`x ${name}=abc c`), `x ${name}=${redacted} c`);
    if (name.startsWith('-')) assert.deepEqual(redactArguments([name, 'a b', 'c']), [name, redacted, 'c']);
  }
});

test('what is none stays as it was', () => {
  const plain = [
    ['--token-limit', '5', '--token-limit=5', '--keyboard', 'us', '--passthrough', 'x', '--secretary', 'me', '--key=a'],
    ['test:auth:unit', 'src/auth/token.test.ts', '--testNamePattern', 'password reset'],
    ['--testNamePattern=password reset'],
    ['sh', '-c', `jest --testNamePattern 'password reset' --token-limit 5 --passthrough x && npm run test:auth:unit`],
    ['--password-store=basic', '--password-file=a.txt', '--password-length', '8'],
    ['--token-expires-in=5', 'TOKEN_URL=/a'],
    ['--password-stdin', 'registry', '--tokenLimit=5', '--pass-with-no-tests', '{"src/token.ts":{"lines":80}}'],
    ['npm', 'run', 'test:auth:unit', 'token:refresh', 'secrets:scan'],
    ['--grep', 'token: is refreshed', '-t', 'auth: rejects a bad password', '-t', 'cookie: is set twice'],
    ['--max-tokens=5', '--tokenizer=bpe', '--sort-key=name', '--no-auth', 'src/x.js', '--bypass=all'],
    ['docker', 'run', '-u', '1000:1000', '-p', '3000:3000', 'mocha', '-u', 'bdd'],
    ['sh', '-c', 'jest mysql -p 3000 && node --no-token src/x.js -u 1:1'],
    ['http://localhost:4873/@scope/name', 'https://host:8080?next=@me', 'npm:@scope/name@1.2.3'],
    ['{"author":"me","keys":["a"],"auth":{"user":"me"},"page":2}'],
    ['src/secret/token.test.ts', 'C:\\work\\token', 'tests/[auth]/x.ts', 'file:///app/password.test.ts'],
    ['npm', 'test', '--', '--grep', 'token is refreshed'],
    ['node', '--max-old-space-size=4096', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
    ['/home/me/Projects/MyApplication2WithAVeryLongName/src/authorization/tokens.test.ts'],
    ['--author', 'me', '--passWithNoTests', '--maxWorkers=2', '--testNamePattern=shows the 2nd password field'],
    ['http://localhost:3000/orders?page=2'],
    ['src/auth.ts:12'],
    ['packages/a/token', '@scope/auth@1.2.3', 'user@example.com'],
    ['--experimental-default-type=module', '--unhandled-rejections=strict'],
  ];
  for (const args of plain) assert.deepEqual(redactArguments(args), args);
});

test('a very long text takes no time', () => {
  for (const part of [
    ...['--a_', '-a.', 'a+', 'a://', 'token ', '_', 'token', 'pass-', 'mysql ', '"', '\\"', '{ ', 'u:', 'cookie: '],
    ...['token_a', 'token_', 'token="', 'token=a"', 'token=\\', '"authorization: ', 'a=', 'a://b@'],
  ])
    assert.ok(redactText(part.repeat(100_000)).length < 10_000, part);
});
