import type { Steps, Turn } from '../json/turns';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Walks over the parts of an image from the first byte to the last. Null: no such image, or no whole one. */
export type ImageReader = (bytes: Buffer, turn: Turn) => Steps<ImageSize | null>;

/** Parts between two looks at the clock: a file may have millions of a few bytes. */
export const PARTS_AT_ONCE = 4_096;
