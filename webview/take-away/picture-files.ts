import type { Picture, PictureBox, PictureLine, PicturePattern, Place } from './picture.ts';
import { fontOf, TILE_SIZE } from './picture.ts';

/**
 * A picture as a self-contained SVG file: no style sheet, no script, only system fonts. Texts stay texts, and each frame
 * has its sentence as a tooltip.
 */
export function makeSvg(picture: Picture): string {
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
  const size = `width="${TILE_SIZE}" height="${TILE_SIZE}"`;
  const drawn =
    path === '' ? '' : `<path d="${escapeXml(path)}" fill="none" stroke="${lines}" stroke-width="${lineWidth}"/>`;
  return `<pattern id="fill-${number}" ${size} patternUnits="userSpaceOnUse"><rect ${size} fill="${ground}"/>${drawn}</pattern>`;
}

function boxText({ fill, opacity, edge, title, label, ...place }: PictureBox): string {
  const paint = typeof fill === 'string' ? fill : `url(#fill-${fill})`;
  const faded = opacity < 1 ? ` fill-opacity="${opacity}"` : '';
  const tooltip = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
  const dashes = edge?.isDashed === true ? ' stroke-dasharray="3 2"' : '';
  const border =
    edge === null
      ? ''
      : `<rect ${placeText(inside(place, edge.width))} fill="none" stroke="${edge.color}" stroke-width="${edge.width}"${dashes}/>`;
  const rect = `<rect ${placeText(place)} fill="${paint}"${faded}/>`;
  return `<g>${tooltip}${rect}${border}${label.map(lineText).join('')}</g>`;
}

/** The middle of a line inside of a box: a line on its border would cover half of its neighbour's. */
function inside({ x, y, width, height }: Place, line: number): Place {
  return { x: x + line / 2, y: y + line / 2, width: width - line, height: height - line };
}

function placeText({ x, y, width, height }: Place): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

function lineText({ x, y, text, size, weight, color }: PictureLine): string {
  const bold = weight === '400' ? '' : ` font-weight="${escapeXml(weight)}"`;
  return `<text x="${short(x)}" y="${short(y)}" font-size="${size}"${bold} fill="${color}" xml:space="preserve">${escapeXml(text)}</text>`;
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** An untrusted text as XML: nothing in it becomes an element, an attribute or an entity. */
function escapeXml(text: string): string {
  return text.replaceAll(notInXml, '\ufffd').replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Characters that XML forbids, even escaped. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** What Chromium can draw: pixels of a side, and of the whole canvas. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 120_000_000;
/** Pixels of the picture for each px of the page: sharp on other screens, too. */
const USUAL_SCALE = 2;

/** A picture as PNG in base 64; null if it is too large to be sharp. */
export async function makePng(picture: Picture): Promise<string | null> {
  const { width, height } = picture;
  const scale = Math.min(USUAL_SCALE, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  if (scale < 1) return null;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.floor(width * scale), Math.floor(height * scale)];
  const paint = canvas.getContext('2d');
  if (paint === null) return null;
  paint.scale(scale, scale);
  draw(paint, picture);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? null : encodeBase64(blob);
}

function draw(paint: CanvasRenderingContext2D, picture: Picture): void {
  const { width, height, background, font, lines, boxes } = picture;
  const canvasPaint = paint;
  const patterns = picture.patterns.map((pattern) => canvasPattern(paint, pattern));
  canvasPaint.fillStyle = background;
  canvasPaint.fillRect(0, 0, width, height);
  for (const { fill, opacity, edge, ...place } of boxes) {
    canvasPaint.globalAlpha = opacity;
    canvasPaint.fillStyle = typeof fill === 'string' ? fill : (patterns[fill] ?? background);
    canvasPaint.fillRect(place.x, place.y, place.width, place.height);
    canvasPaint.globalAlpha = 1;
    if (edge === null) continue;
    const { x, y, width: innerWidth, height: innerHeight } = inside(place, edge.width);
    canvasPaint.strokeStyle = edge.color;
    canvasPaint.lineWidth = edge.width;
    canvasPaint.setLineDash(edge.isDashed ? [3, 2] : []);
    canvasPaint.strokeRect(x, y, innerWidth, innerHeight);
  }
  for (const line of [...lines, ...boxes.flatMap(({ label }) => label)]) {
    canvasPaint.font = fontOf(line, font);
    canvasPaint.fillStyle = line.color;
    canvasPaint.fillText(line.text, line.x, line.y);
  }
}

function canvasPattern(
  paint: CanvasRenderingContext2D,
  { ground, lines, lineWidth, path }: PicturePattern,
): CanvasPattern | null {
  const tile = new OffscreenCanvas(TILE_SIZE * USUAL_SCALE, TILE_SIZE * USUAL_SCALE);
  const onTile = tile.getContext('2d');
  if (onTile === null) return null;
  onTile.scale(USUAL_SCALE, USUAL_SCALE);
  onTile.fillStyle = ground;
  onTile.fillRect(0, 0, TILE_SIZE, TILE_SIZE);
  onTile.strokeStyle = lines;
  onTile.lineWidth = lineWidth;
  onTile.stroke(new Path2D(path));
  const pattern = paint.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / USUAL_SCALE));
  return pattern;
}

async function encodeBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_SIZE) }, (_, piece) =>
    String.fromCharCode(...bytes.subarray(piece * PIECE_SIZE, (piece + 1) * PIECE_SIZE)),
  );
  return btoa(pieces.join(''));
}

/** Fewer bytes than a call may have arguments. */
const PIECE_SIZE = 1 << 14;
