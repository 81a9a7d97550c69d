import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { pageHtml } = await import('../../extension/flamegraph/flamegraph.ts');

const parts = {
  scriptUri: 'https://x/flamegraph.js',
  styleUri: 'https://x/flamegraph.css',
  cspSource: 'https://x',
  nonce: 'n0nce',
  language: 'en',
};

test('the page may load its one script and its style sheet, and nothing else', () => {
  const html = pageHtml(parts);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
  assert.equal(
    policy,
    "default-src 'none'; style-src https://x 'unsafe-inline'; script-src 'nonce-n0nce'; font-src https://x",
  );
  assert.deepEqual(html.match(/<script[^>]*>/g), ['<script nonce="n0nce" src="https://x/flamegraph.js">']);
});

test('nothing that is put into the page can leave its attribute', () => {
  const html = pageHtml({ ...parts, language: '"><script>' });
  assert.equal(html.match(/<script/g)?.length, 1);
});
