import type { Steps, Turn } from '../json/turns';
import { gifSize } from './gif';
import type { ImageReader, ImageSize } from './image-size';
import { jpegSize } from './jpeg';
import { pngSize } from './png';
import { webpSize } from './webp';

/** The kinds of image that are accepted. No SVG: it is a program in disguise. */
export type ImageKind = 'png' | 'jpg' | 'gif' | 'webp';

export const IMAGE_TYPES: Readonly<Record<ImageKind, string>> = {
  png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp',
};

/** Larger than any picture of a person; a few kilobytes can claim gigabytes of pixels. */
const MOST_PIXELS = 100_000_000;

const READERS: readonly (readonly [ImageKind, ImageReader])[] = [
  ['png', pngSize], ['jpg', jpegSize], ['gif', gifSize], ['webp', webpSize],
];

/**
 * What a file is, judged by its content alone: the signature, and a structure that can be walked from the first byte to the last.
 * Null: no image we accept, or one that was cut off or carries something behind its end.
 */
export function* imageKind(bytes: Buffer, turn: Turn): Steps<ImageKind | null> {
  for (const [kind, read] of READERS) {
    const size = yield* readSafely(read, bytes, turn);
    if (size) return size.width > 0 && size.height > 0 && size.width * size.height <= MOST_PIXELS ? kind : null;
  }
  return null;
}

const PAST_THE_END: ReadonlySet<string> = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** A read past the end is how a cut-off file shows itself. */
function* readSafely(read: ImageReader, bytes: Buffer, turn: Turn): Steps<ImageSize | null> {
  try {
    return yield* read(bytes, turn);
  } catch (error) {
    if (PAST_THE_END.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
