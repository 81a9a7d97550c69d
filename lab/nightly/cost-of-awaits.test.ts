import assert from 'node:assert/strict';
import test from 'node:test';
import { nodeVersions } from '../../test/helpers/node-versions.ts';
import { program, recording, turnLinesOf } from '../../test/integration/recorder/recorded.ts';

for (const { node, version } of nodeVersions()) {
  test(`a million awaits are one turn, of which the recorder took little (Node ${version})`, async (t) => {
    const text = `
      setTimeout(async () => { for (let i = 0; i < 1e6; i++) await null; }, 50);
      setTimeout(async () => { const next = () => { if (++i < 1e6) process.nextTick(next); }; let i = 0; next(); }, 1000);
    `;
    const folder = program(t, { 'program.js': text });
    const { ended, directory } = recording(folder, [node, 'program.js']);
    assert.equal((await ended).exitCode, 0);
    const long = turnLinesOf(directory).toSorted((a, b) => b[2] - b[1] - (a[2] - a[1]));
    for (const [, start, end, , own = 0] of long.slice(0, 2))
      assert.ok(own * 3 < end - start, `${own} of ${end - start} µs`);
  });
}
