import { type Picture, type PictureBox, type PictureLine, type PicturePattern, tileSize } from './picture-data.ts';

/**
 * A picture as a file of SVG that needs nothing else: no style sheet, no script, no font but the system's. Texts are
 * texts, and each frame has its sentence as a tooltip.
 */
export function svgOf(picture: Picture): string {
  const { width, height, background, font, title, lines, boxes, patterns } = picture;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(font)}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs>${patterns.map(patternText).join('')}</defs>`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...lines.map(lineText),
    ...boxes.map(boxText),
    '</svg>',
    '',
  ].join('\n');
}

function patternText({ ground, lines, lineWidth, path }: PicturePattern, number: number): string {
  const size = `width="${tileSize}" height="${tileSize}"`;
  const drawn =
    path === '' ? '' : `<path d="${escapeXml(path)}" fill="none" stroke="${lines}" stroke-width="${lineWidth}"/>`;
  return `<pattern id="fill-${number}" ${size} patternUnits="userSpaceOnUse"><rect ${size} fill="${ground}"/>${drawn}</pattern>`;
}

function boxText({ x, y, width, height, fill, opacity, edge, title, label }: PictureBox): string {
  const paint = fill.type === 'color' ? fill.color : `url(#fill-${fill.pattern})`;
  const faded = opacity < 1 ? ` fill-opacity="${opacity}"` : '';
  const rect = `<rect ${placeText({ x, y, width, height })} fill="${paint}"${faded}/>`;
  const tooltip = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
  return `<g>${tooltip}${rect}${edgeText({ x, y, width, height, edge })}${label.map(lineText).join('')}</g>`;
}

/** A line inside of the box: half of one on its border would lie on its neighbour. */
function edgeText({ edge, ...box }: Pick<PictureBox, 'x' | 'y' | 'width' | 'height' | 'edge'>): string {
  if (edge === null || box.width < 2 * edge.width || box.height < 2 * edge.width) return '';
  const half = edge.width / 2;
  const inside = { x: box.x + half, y: box.y + half, width: box.width - edge.width, height: box.height - edge.width };
  const dashes = edge.isDashed ? ' stroke-dasharray="3 2"' : '';
  return `<rect ${placeText(inside)} fill="none" stroke="${edge.color}" stroke-width="${edge.width}"${dashes}/>`;
}

function placeText({ x, y, width, height }: Pick<PictureBox, 'x' | 'y' | 'width' | 'height'>): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

function lineText({ x, y, text, size, weight, color }: PictureLine): string {
  const bold = weight === '400' ? '' : ` font-weight="${escapeXml(weight)}"`;
  return `<text x="${short(x)}" y="${short(y)}" font-size="${size}"${bold} fill="${color}" xml:space="preserve">${escapeXml(text)}</text>`;
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** Characters that no file of XML may have, even escaped. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A text of a stranger as a text of XML: nothing in it becomes an element, an attribute or an entity. */
function escapeXml(text: string): string {
  return text.replaceAll(notInXml, '\ufffd').replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
