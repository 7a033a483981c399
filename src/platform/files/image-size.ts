import type { Steps, Turn } from '../json/turns';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Parses an image from the first byte to the last. Returns null if it is invalid or truncated. */
export type ImageReader = (bytes: Buffer, turn: Turn) => Steps<ImageSize | null>;

/** Parts between two checks of the time: a file may have millions of parts of a few bytes. */
export const PARTS_AT_ONCE = 4_096;
