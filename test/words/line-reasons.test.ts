import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineReason } from '../../engine/judge/lines/line-shares.ts';
import { lineReasonText } from '../../words/places.ts';

const call = { callee: 'parse', lines: 2, withoutPositions: false };

const texts: readonly (readonly [reason: LineReason, text: string])[] = [
  [{ type: 'severalLines' }, 'the built file has several lines of the source in one'],
  [{ type: 'noMap' }, 'no source map shows the line for certain'],
  [{ type: 'noFile' }, 'a line of what the bundler made: build with source maps'],
  [
    { type: 'fileGone' },
    'the file was deleted before the program had ended, and no source map tells what it was made of',
  ],
  [
    { type: 'functionNotThere' },
    'the source has no function there: it may be of another build, or the function a helper of the compiler',
  ],
  [{ type: 'splitBySamples', lines: 3 }, 'split over 3 lines by samples'],
  [{ type: 'splitBySamples', lines: 1 }, 'the rest is in code that V8 inlined'],
  [{ type: 'inlined', callee: 'parse' }, 'V8 inlined parse and counts its line for the caller'],
  [{ type: 'linesLost' }, 'V8 gave many of its samples without a line'],
  [{ type: 'splitAsElsewhere' }, 'its line was not sampled here: split as in its other calls'],
  [{ type: 'splitFromRegExp' }, 'split between a regular expression and the rest by samples'],
  [{ type: 'regExpOnLines', lines: 1 }, 'this line and others may use regular expressions'],
  [{ type: 'regExpOnLines', lines: 2 }, '2 lines use regular expressions'],
  [{ type: 'mayBeInlined', callee: 'parse' }, 'some of it may be of parse, which it calls'],
  [{ ...call, type: 'callOnLines' }, 'parse may be called on 2 lines'],
  [{ ...call, type: 'unnamedCallOnLines' }, 'a function without a name may be called on 2 lines'],
  [{ ...call, type: 'calledByAnotherName', lines: 1 }, 'parse has another name where it is called'],
  [
    { ...call, type: 'callOnLines', withoutPositions: true },
    "parse may be called on 2 lines, and V8's log has no positions of the code that ran (Sparkplug, before Node.js 26)",
  ],
  [
    { type: 'foundByName' },
    'the file may have another text than the one that ran: the function is known, its lines are not',
  ],
  [{ type: 'wholeFunction' }, 'the whole function: no one line is known to have its time'],
];

for (const [reason, text] of texts)
  test(`a line that is not exact says: ${text}`, () => {
    assert.equal(lineReasonText(reason), text);
  });
