import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { analyze } from '../../engine/analyze.ts';
import { reportOf } from '../../show/report/report.ts';
import type { Report } from '../../protocol/report.ts';
import { milliseconds } from '../../protocol/units.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { plantedCulprits } from '../helpers/planted-culprits.ts';
import { copyFixture, type FixtureName } from '../helpers/recording-fixtures.ts';
import { lineOf } from '../helpers/source-line.ts';

type Program = keyof typeof plantedCulprits;

const marker = '// PLANTED';

/** Report of a recorded program, and the program's file. */
async function reportOfProgram(program: Program): Promise<{ report: Report; file: string }> {
  const name: FixtureName = `planted/${program}`;
  const { project, recording } = copyFixture(name);
  const options = { thresholdUs: milliseconds(10), roots: [project], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  assert.ok(result.type === 'analyzed', `${program} is analyzed`);
  return { report: reportOf(result.analysis), file: path.join(project, `${program}.cjs`) };
}

/** The line that a finding leads to: that of its function where the marker is there, else the hottest one inside. */
function lineOfFinding({ findings, lines }: Report, file: string): number | undefined {
  const url = pathToFileURL(file).href;
  const text = readFileSync(file, 'utf8')
    .split('\n')
    .find((line) => line.includes(marker));
  if (text?.startsWith('function ') === true) return findings[0]?.line;
  return lines.filter((line) => line.url === url).toSorted((a, b) => b.worstUs - a.worstUs)[0]?.line;
}

for (const program of Object.keys(plantedCulprits).filter(isProgram)) {
  const { name, cause, words } = plantedCulprits[program];
  test(`the first finding in ${program}.cjs is ${name}, and its cause is said`, async () => {
    const { report, file } = await reportOfProgram(program);
    const [first] = report.findings;
    assert.equal(first?.label, name);
    assert.equal(first?.url, pathToFileURL(file).href);
    assert.equal(lineOfFinding(report, file), lineOf(file, marker));
    assert.deepEqual([first?.open, first?.cause.kind], [true, cause]);
    assert.ok(first?.cause.text.includes(words), first?.cause.text);
  });
}

function isProgram(name: string): name is Program {
  return name in plantedCulprits;
}
