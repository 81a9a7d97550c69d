/**
 * The frames that are shown, as plain data: what is drawn of them, with the colours and widths that they have on screen.
 * SVG and PNG are both made of it. Lengths are in px, colours `#rrggbb`.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly font: string;
  /** What a screen reader says of it. */
  readonly title: string;
  readonly lines: readonly PictureLine[];
  readonly boxes: readonly PictureBox[];
  readonly patterns: readonly PicturePattern[];
}

export interface PictureLine {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: string;
  readonly color: string;
}

export interface PictureBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: PictureFill;
  /** Of the fill, 0 to 1. */
  readonly opacity: number;
  readonly edge: { readonly color: string; readonly width: number; readonly isDashed: boolean } | null;
  /** All that is known of the frame, as a sentence; `''` for a square of the legend. */
  readonly title: string;
  readonly label: readonly PictureLine[];
}

/** A pattern is named by its number in `Picture.patterns`. */
export type PictureFill =
  | { readonly type: 'color'; readonly color: string }
  | { readonly type: 'pattern'; readonly pattern: number };

/** A tile of 8 × 8 px. */
export interface PicturePattern {
  readonly ground: string;
  readonly lines: string;
  readonly lineWidth: number;
  readonly path: string;
}

export const tileSize = 8;
