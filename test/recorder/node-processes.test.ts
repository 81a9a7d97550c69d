import assert from 'node:assert/strict';
import test from 'node:test';
import { nodeProcessesIn } from '../../recorder/launch/attach/find-inspector.ts';
import { assertEach } from '../helpers/assert-each.ts';

const ports = (text: string) => nodeProcessesIn(text).map(({ pid, port }) => [pid, port]);

test('Node processes are found among all, with the port that their command line tells', () => {
  const text = `    1 /sbin/init
   17 node server.js
  230 /usr/local/bin/node --inspect app.js
  231 node --inspect=127.0.0.1:9300 app.js
  232 node --inspect-brk=9301 app.js
  233 nodemon app.js
  234 python node
`;
  assert.deepEqual(ports(text), [
    [17, null],
    [230, 9229],
    [231, 9300],
    [232, 9301],
  ]);
});

test("the editor's own processes are not programs of the person", () => {
  assert.deepEqual(
    ports(
      ' 9 /opt/code-server/lib/node --type=extensionHost x\n 10 node /home/me/.vscode-server/extensions/a/server.js\n' +
        ' 11 node /home/me/.vscode/extensions/a/server.js\n 12 node /x/node_modules/hotspan/dist/cli.cjs record',
    ),
    [],
  );
  const own = ' 9 node /app/dist/server.cjs\n 10 node /srv/extensions/a/main.js\n 11 node app.js --type=worker';
  assertEach(ports(own), ([pid]) => pid, [9, 10, 11]);
});

test('a process with a title of its own is found by its file; those that start programs are not', () => {
  const text = ' 9 my shop\n 10 my database\n 11 npm run dev\n 12 PM2 v6.0.8: God Daemon (/srv/.pm2)\n';
  const node = '/usr/bin/node';
  const files = new Map([
    [9, `${node} (deleted)`],
    [10, '/usr/bin/postgres'],
    [11, node],
    [12, node],
  ]);
  assert.deepEqual(nodeProcessesIn(text, files), [{ pid: 9, command: 'my shop', port: null }]);
});
