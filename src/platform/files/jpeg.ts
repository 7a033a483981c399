import type { Steps, Turn } from '../json/turns';
import { PARTS_AT_ONCE } from './image-size';
import type { ImageSize } from './image-size';

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Walks the segments up to the first scan, then asks for an end marker. Cameras append previews behind it, so that is allowed. */
export function* jpegSize(bytes: Buffer, turn: Turn): Steps<ImageSize | null> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let size: ImageSize | null = null;
  for (let at = 2, parts = 1; ; parts += 1) {
    if (parts % PARTS_AT_ONCE === 0 && turn.over) yield;
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + length;
    if (marker === 0xda) return at < bytes.length && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) >= at ? size : null;
  }
}
