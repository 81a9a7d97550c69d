import type { Page } from 'playwright-core';

export interface Pair {
  /** What is read, and on what. */
  readonly where: string;
  readonly ratio: number;
}

/** WCAG contrast of the text of each kind of frame on its fill, on the lines of its pattern, and on a faded one. */
export function frameContrasts(page: Page): Promise<readonly Pair[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const labels = [...document.querySelectorAll('.d3-flame-graph-label')];
    const label = labels[0];
    if (canvas === null || label === undefined) throw new Error('Nothing is drawn');
    const page = getComputedStyle(document.body).backgroundColor;
    const text = getComputedStyle(label).color;
    const fills = [...document.querySelectorAll('pattern[data-category]')].flatMap((pattern) => {
      const ground = getComputedStyle(pattern.querySelector('.fill-ground') ?? pattern).fill;
      const lines = getComputedStyle(pattern.querySelector('.fill-lines') ?? pattern).stroke;
      return [
        [`${pattern.id} ground`, ground],
        [`${pattern.id} lines`, lines],
      ] as const;
    });
    const root = getComputedStyle(document.querySelector('g.frame[data-id=""] rect') ?? label).fill;
    const grounds = [...fills, ['root', root], ['faded', page]] as const;
    return grounds.map(([where, ground]) => {
      const [light = 0, dark = 0] = [luminance([page, ground]), luminance([page, ground, text])].toSorted(
        (a, b) => b - a,
      );
      return { where, ratio: (light + 0.05) / (dark + 0.05) };
    });

    /** Relative luminance of colours painted over each other, 0 to 1. */
    function luminance(colours: readonly string[]): number {
      if (canvas === null) return Number.NaN;
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  });
}

/** What is drawn of a tier or a change, with the WCAG luminance of each colour, 0 to 1. */
export interface DrawnPaint {
  readonly key: string;
  readonly ground: number;
  readonly lines: number;
  readonly text: number;
  /** Around the frame: what parts it from its neighbours. */
  readonly stroke: number;
  /** Contrast of its own edge, inside. */
  readonly edge: number;
  /** The path of its pattern. */
  readonly pattern: string;
}

/** The drawn colours of each tier or change that has a frame, from its first one. `page` is what they are drawn on. */
export function drawnPaints(
  page: Page,
  kind: 'tier' | 'change',
): Promise<{ readonly page: number; readonly paints: readonly DrawnPaint[] }> {
  return page.evaluate((attribute) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const ground = getComputedStyle(document.body).backgroundColor;
    const paints = [...document.querySelectorAll(`pattern[data-${attribute}]`)].flatMap((pattern) => {
      const key = pattern.getAttribute(`data-${attribute}`) ?? '';
      const frame = document.querySelector(`g.frame[data-${attribute}="${key}"]`);
      if (frame === null) return [];
      const [rect, label] = [frame.querySelector('rect'), frame.querySelector('.d3-flame-graph-label')];
      const path = pattern.querySelector('.fill-lines');
      return {
        key,
        ground: luminance(styleOf(pattern.querySelector('.fill-ground')).fill),
        lines: luminance(styleOf(path).stroke),
        text: luminance(styleOf(label).color),
        stroke: luminance(styleOf(rect).stroke),
        edge: luminance(styleOf(rect).outlineColor),
        pattern: path?.getAttribute('d') ?? '',
      };
    });
    return { page: luminance(ground), paints };

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- in the page, which gets this one function alone
    function styleOf(one: Element | null): CSSStyleDeclaration {
      if (one === null) throw new Error('It is not drawn');
      return getComputedStyle(one);
    }

    function luminance(colour: string): number {
      if (canvas === null) return Number.NaN;
      canvas.fillStyle = ground;
      canvas.fillRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }, kind);
}

/** WCAG contrast of two luminances, 1 to 21. */
export function contrastOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
