import { type Picture, type PictureBox, type PictureFill, type PictureLine, tileSize } from './picture-data.ts';
import { fontOf } from './text-width.ts';

/** Most pixels of a side, and of all: what Chromium can draw. */
const mostOfSide = 16_384;
const mostPixels = 120_000_000;
/** Pixels of the picture for each px of the page: sharp on other screens, too. */
const usualScale = 2;

/** A picture as PNG in base 64; null where it is too large for that. */
export async function pngOf(picture: Picture): Promise<string | null> {
  const scale = scaleOf(picture);
  if (scale < 1) return null;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.floor(picture.width * scale), Math.floor(picture.height * scale)];
  const paint = canvas.getContext('2d');
  if (paint === null) return null;
  paint.scale(scale, scale);
  draw(paint, picture);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? null : base64Of(blob);
}

/** How large it can be drawn; below 1 it would not be sharp. */
function scaleOf({ width, height }: Pick<Picture, 'width' | 'height'>): number {
  return Math.min(usualScale, mostOfSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
}

function draw(
  paint: CanvasRenderingContext2D,
  { width, height, background, font, lines, boxes, patterns }: Picture,
): void {
  const canvasPaint = paint;
  const tiles = patterns.map(({ ground, lines: color, lineWidth, path }) => {
    const tile = new OffscreenCanvas(tileSize * usualScale, tileSize * usualScale);
    const onTile = tile.getContext('2d');
    if (onTile === null) return null;
    onTile.scale(usualScale, usualScale);
    onTile.fillStyle = ground;
    onTile.fillRect(0, 0, tileSize, tileSize);
    onTile.strokeStyle = color;
    onTile.lineWidth = lineWidth;
    onTile.stroke(new Path2D(path));
    const pattern = canvasPaint.createPattern(tile, 'repeat');
    pattern?.setTransform(new DOMMatrix().scale(1 / usualScale));
    return pattern;
  });
  const styleOf = (fill: PictureFill): string | CanvasPattern =>
    fill.type === 'color' ? fill.color : (tiles[fill.pattern] ?? background);
  canvasPaint.fillStyle = background;
  canvasPaint.fillRect(0, 0, width, height);
  for (const box of boxes) drawBox(canvasPaint, box, styleOf(box.fill));
  for (const line of [...lines, ...boxes.flatMap(({ label }) => label)]) drawLine(canvasPaint, line, font);
}

function drawBox(paint: CanvasRenderingContext2D, box: PictureBox, style: string | CanvasPattern): void {
  const canvasPaint = paint;
  const { x, y, width, height, opacity, edge } = box;
  canvasPaint.globalAlpha = opacity;
  canvasPaint.fillStyle = style;
  canvasPaint.fillRect(x, y, width, height);
  canvasPaint.globalAlpha = 1;
  if (edge === null || width < 2 * edge.width || height < 2 * edge.width) return;
  canvasPaint.strokeStyle = edge.color;
  canvasPaint.lineWidth = edge.width;
  canvasPaint.setLineDash(edge.isDashed ? [3, 2] : []);
  canvasPaint.strokeRect(x + edge.width / 2, y + edge.width / 2, width - edge.width, height - edge.width);
}

function drawLine(
  paint: CanvasRenderingContext2D,
  { x, y, text, size, weight, color }: PictureLine,
  font: string,
): void {
  const canvasPaint = paint;
  canvasPaint.font = fontOf({ size, weight, font });
  canvasPaint.fillStyle = color;
  canvasPaint.fillText(text, x, y);
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, piece) =>
    String.fromCharCode(...bytes.subarray(piece * pieceSize, (piece + 1) * pieceSize)),
  );
  return btoa(pieces.join(''));
}

/** Fewer bytes than a call may have arguments. */
const pieceSize = 1 << 14;
