import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fewerEscapes, plainText } from '../../language-server/editors/commands.ts';
import { codeSpan, escapeMarkdown } from '../../words/formats/foreign-text.ts';

test('a text in a terminal has no escapes that mean nothing, and code none less', () => {
  const text = `${escapeMarkdown('all 1.8 s of it in JSON, line 23, below test > a (src/a-b.js:5).')} ${codeSpan(String.raw`/\./`)}`;
  assert.equal(fewerEscapes(text), 'all 1.8 s of it in JSON, line 23, below test > a (src/a-b.js:5). `/\\./`');
  assert.equal(plainText(text), fewerEscapes(text).replaceAll('`', ''));
});

test('a plain text has no marks of Markdown, and all that is in them', () => {
  const text = `**${escapeMarkdown('**a**')}** · *${codeSpan('b`*')}*  \n---\n\n\`\`\`js\n  return a * \`b\`;\n\`\`\`\n\n- c`;
  assert.equal(plainText(text), '**a** · b`*\n  return a * `b`;\n\n- c');
});

test('a name cannot become a link, an image, emphasis, a list or a heading', () => {
  for (const name of [
    '[a](https://evil.example)',
    '![a](x)',
    'https://evil.example',
    'www.evil.example',
    'a@evil.example',
    '<img src=x>',
    '**a** _b_ ~~c~~ `d`',
    '# a',
    '- a',
    '> a',
    '1. a',
    '1) a',
  ]) {
    const shown = fewerEscapes(escapeMarkdown(name));
    assert.doesNotMatch(shown, /(?<!\\)[[\]<*_~`]|^[#>-]|^\d[.)] |(?<!\\):\/\/|www\.|(?<!\\)@/, shown);
    assert.equal(plainText(escapeMarkdown(name)), name);
  }
});
