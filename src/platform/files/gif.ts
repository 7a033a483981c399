import type { Steps, Turn } from '../json/turns';
import { PARTS_AT_ONCE } from './image-size';
import type { ImageSize } from './image-size';

const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Position behind a list of sub-blocks. */
function* skipBlocks(bytes: Buffer, start: number, turn: Turn): Steps<number> {
  let at = start;
  for (let length = bytes.readUInt8(at), parts = 1; length !== 0; length = bytes.readUInt8(at), parts += 1) {
    if (parts % PARTS_AT_ONCE === 0 && turn.over) yield;
    at += 1 + length;
  }
  return at + 1;
}

/** Walks the blocks: at least one image, and the trailer last with nothing behind it. */
export function* gifSize(bytes: Buffer, turn: Turn): Steps<ImageSize | null> {
  const signature = bytes.toString('latin1', 0, 6);
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return null;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasImage = false;
  for (let at = 13 + tableBytes(bytes.readUInt8(10)), parts = 1; ; parts += 1) {
    if (parts % PARTS_AT_ONCE === 0 && turn.over) yield;
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return hasImage && at + 1 === bytes.length ? size : null;
    if (block === 0x21) {
      at = yield* skipBlocks(bytes, at + 2, turn);
    } else if (block === 0x2c) {
      hasImage = true;
      // Descriptor, colour table, one byte of code size, then the data.
      at = yield* skipBlocks(bytes, at + 10 + tableBytes(bytes.readUInt8(at + 9)) + 1, turn);
    } else {
      return null;
    }
  }
}
