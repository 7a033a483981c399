import type { Steps, Turn } from '../json/turns';
import { PARTS_AT_ONCE } from './image-size';
import type { ImageSize } from './image-size';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Names of chunks, read as numbers: a file may have a million of them. */
const IDAT = 0x49444154;
const IEND = 0x49454e44;

/** Walks the chunks: IHDR first, some IDAT, IEND last with nothing behind it. */
export function* pngSize(bytes: Buffer, turn: Turn): Steps<ImageSize | null> {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return null;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let hasData = false;
  for (let at = 8, parts = 1; at < bytes.length; parts += 1) {
    if (parts % PARTS_AT_ONCE === 0 && turn.over) yield;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.readUInt32BE(at + 4);
    if (type === IDAT) hasData = true;
    if (type === IEND) return hasData && end === bytes.length ? size : null;
    at = end;
  }
  return null;
}
