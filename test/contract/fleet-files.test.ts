import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type HistogramLine, turnClassBounds } from '../../protocol/recording-lines.ts';
import { Metrics } from '../../recorder/preload/turns/metrics.ts';
import { assertEach, assertNone } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';

const folder = projectFile('docs/fleet');
const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
const page = { name: 'production.md', text: readFileSync(projectFile('docs/production.md'), 'utf8') };

test('the dashboard, the alerts and the docs ask only for metrics and bounds that the recorder writes', () => {
  const metrics = new Metrics();
  metrics.add(['histogram', 0, 1, [0, 0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 20_000, 0, 0]], 20_000);
  metrics.add(['gc', 0, 1, 'Scavenge', 1, 1000, 1000, 2, 1], 0);
  const written = new Set(metrics.text().match(/hotspan_\w+|le="[^"]+"/g));
  for (const { name, text } of [...files, page]) {
    const asked = [...text.replaceAll('\\"', '"').matchAll(/\bhotspan_\w+|\ble="[^"]+"/g)].map(([metric]) => metric);
    assertNone(asked, (metric) => !written.has(metric));
    assert.equal(asked.length > 0, !name.endsWith('.sql'), name);
  }
  const dashboard: unknown = JSON.parse(files.find(({ name }) => name === 'grafana.json')?.text ?? '');
  assert.ok(typeof dashboard === 'object' && dashboard !== null && 'panels' in dashboard);
});

test('the queries read the fields of the log, and count turns of 10 ms and more', () => {
  const line: HistogramLine = {
    hotspan: 'histogram',
    at: '2026-01-31T12:00:10.000Z',
    pid: 12,
    seconds: 10,
    belowUs: [...turnClassBounds, null],
    turns: [],
    sumUs: [],
    longestUs: 0,
  };
  const queries = files.filter(({ name }) => name.endsWith('.sql'));
  assertEach(queries, ({ name }) => name, ['clickhouse.sql', 'duckdb.sql']);
  for (const { text } of queries) {
    const columns = [...text.matchAll(/(\w+)"?:? (?:'(?:VARCHAR|TIMESTAMP|INTEGER|BIGINT)|DateTime64|UInt|Array)/g)];
    assert.ok(columns.length >= 5);
    assertNone(
      columns.map(([, column = '']) => column),
      (column) => !(column in line),
    );
    const [, first = ''] = /(?:turns\[|sumForEach\(turns\), )(\d)/.exec(text) ?? [];
    assert.equal(turnClassBounds[Number(first) - 2], 10_000);
  }
});
