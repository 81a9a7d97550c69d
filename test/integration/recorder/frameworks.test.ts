import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { install } from '../../../lab/toolchains/install.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { projectFile } from '../../helpers/project.ts';
import { bare, program, recorded, requestLinesOf, routesOf } from './recorded.ts';

const packages = { express: '^5', 'fastify-4': 'npm:fastify@^4', 'fastify-5': 'npm:fastify@^5', koa: '^3', hono: '^4' };
const more = { '@koa/router': '^15', 'koa-mount': '^4', '@hono/node-server': '^2' };
const frameworks = { name: 'frameworks', packages: { ...packages, ...more }, files: {} };
const installed = install(frameworks, projectFile('.cache/toolchains'));

const fastify = (name: string): string => `
const app = require('${name}')();
app.get('/users/:id', async (request) => 'user ' + request.params.id);
app.register(async (shops) => shops.get('/:shop/items/:item', async (request) => Object.keys(request).join()), { prefix: '/shops' });
app.listen({ port: 0 }, () => ask(app.server));
`;

/** A user, and an item in a router of its own, which says what a program can see of it. */
const servers = {
  'express 5': `
const express = require('express');
const app = express();
app.get('/users/:id', (request, response) => response.send('user ' + request.params.id));
app.use('/shops', express.Router().get('/:shop/items/:item', (request, response) => response.send(Object.keys(request).join())));
const server = app.listen(0, () => ask(server));
`,
  'fastify 4': fastify('fastify-4'),
  'fastify 5': fastify('fastify-5'),
  'koa 3': `
const [Koa, { Router }, mount] = [require('koa'), require('@koa/router'), require('koa-mount')];
const app = new Koa();
app.use(new Router().get('/users/:id', (context) => void (context.body = 'user ' + context.params.id)).routes());
const shops = new Koa();
shops.use(new Router().get('/:shop/items/:item', (context) => void (context.body = Object.keys(context).join())).routes());
app.use(mount('/shops', shops));
const server = app.listen(0, () => ask(server));
`,
};

const byPath = `
const { Hono } = require('hono');
const app = new Hono().get('/users/:id', (context) => context.text('user ' + context.req.param('id')));
app.get('/shops/:shop/items/:item', (context) => context.text(context.req.param('item')));
const server = require('@hono/node-server').serve({ fetch: app.fetch, port: 0 }, () => ask(server));
`;

const ask = `
async function ask(server) {
  const http = require('node:http');
  for (const path of ['/users/ada?secret=1', '/users/bob', '/shops/77/items/lamp']) {
    const answer = await new Promise((resolve) => http.get({ port: server.address().port, path }, resolve));
    for await (const chunk of answer) process.stdout.write(chunk);
  }
  http.globalAgent.destroy();
  server.close();
}
`;

for (const { node, version } of testedVersions()) {
  for (const [name, server] of Object.entries(servers)) {
    test(`${name}: routes are named by its own patterns, and it sees nothing of that (Node ${version})`, async (t) => {
      const folder = program(t, { 'server.js': ask + server });
      symlinkSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'));
      const { directory, stdout, stderr } = await recorded(folder, [node, 'server.js']);
      const unrecorded = await bare(folder, [node, 'server.js']);
      assert.match(stdout, /^user adauser bob./);
      assert.deepEqual([stdout, stderr], [unrecorded.stdout, unrecorded.stderr]);
      assert.deepEqual(routesOf(directory), ['GET /users/:id', 'GET /shops/:shop/items/:item']);
      assert.doesNotMatch(JSON.stringify(requestLinesOf(directory)), /secret/);
    });
  }
}

test('where no framework tells, paths are grouped by what looks like an id', async (t) => {
  const folder = program(t, { 'server.js': ask + byPath });
  symlinkSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'));
  const { directory, stdout } = await recorded(folder, [process.execPath, 'server.js']);
  assert.equal(stdout, 'user adauser boblamp');
  assert.deepEqual(routesOf(directory), ['GET /users/ada', 'GET /users/bob', 'GET /shops/*/items/lamp']);
});
