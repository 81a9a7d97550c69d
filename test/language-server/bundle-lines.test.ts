import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis } from '../../engine/analysis.ts';
import { annotationsOf, noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import { mapOf } from '../helpers/code-map.ts';
import { type PlacedFile, placeAnnotations } from '../../language-server/features/placed-file.ts';
import { type DrawnOptions, hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';
import { lineMarks } from '../../language-server/features/marks.ts';

const text = 'spin();\n'.repeat(10);

/** As a source map has it of a bundle's body: lines of a source, of a function that has no place in any. */
async function bundled(drawing: string, options: DrawnOptions = {}): Promise<Analysis> {
  const { analysis } = await hotspotsOf(drawing, options);
  return { ...analysis, lines: analysis.lines.map((line) => ({ ...line, url: 'file:///app/src/part.ts' })) };
}

function fileOf(analysis: Analysis): PlacedFile {
  return placeAnnotations(
    annotationsOf(analysis, noKeptMarks, { path: '/app/src/part.ts', text, index: null }),
    mapOf(text),
  );
}

function marksOf(analysis: Analysis): readonly string[] {
  return lineMarks(fileOf(analysis), 'worst').marks.map((mark) => `${mark.text} (${mark.tone})`);
}

test("lines of a bundle's body have the tone of that function, and its words", async () => {
  assert.deepEqual(marksOf(await bundled('test#<module> test#<module> test#<module>')), ['≈3 ms · 1× · 1 stack (dim)']);
  assert.deepEqual(marksOf(await bundled('main.ts#<module> main.ts#<module> main.ts#<module>')), [
    '≈3 ms · 1× · 1 stack (plain)',
  ]);
  const background = await bundled('app.ts#<module> app.ts#<module> app.ts#<module>', { worker: 'background' });
  assert.match(marksOf(background).join(''), /\(background\)$/);
  const cold = await bundled('ms 9 1 1\napp.ts#<module> (idle) app.ts#<module>');
  assert.match(marksOf(cold).join(''), /^first call ≈?9 ms \(dim\)$/);
});

test("lines of a bundle's body that is another text now say so", async () => {
  const analysis = await bundled('app.ts#<module> app.ts#<module> app.ts#<module>');
  const changed = { ...analysis.changed, functionIds: new Set([0]) };
  assert.match(marksOf({ ...analysis, changed }).join(''), /^was ≈3 ms · .+ \(dim\)$/);
});

test("a line of a bundle's body tells whose it is, for the hover", async () => {
  const analysis = await bundled('app.ts#<module> app.ts#<module> app.ts#<module>');
  const [line] = fileOf(analysis).lines;
  assert.deepEqual([line?.owner, line?.item.elsewhere?.functionId, line?.item.elsewhere?.worstUs], [null, 0, ms(3)]);
});
