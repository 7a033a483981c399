function chunkSize(bytes: Buffer, type: string, at: number): ImageSize | null {
  if (type === 'VP8 ') {
    if (bytes.readUIntBE(at + 3, 3) !== 0x9d012a) return null;
    return {
      width: bytes.readUInt16LE(at + 6) & 0x3fff,
      height: bytes.readUInt16LE(at + 8) & 0x3fff,
    };
  }
  if (type === 'VP8L') {
    if (bytes.readUInt8(at) !== 0x2f) return null;
    const bits = bytes.readUInt32LE(at + 1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type === 'VP8X')
    return { width: bytes.readUIntLE(at + 4, 3) + 1, height: bytes.readUIntLE(at + 7, 3) + 1 };
  return null;
}

/** `VP8 `, `VP8L` and `ANMF` as numbers, for speed: a file may have millions of chunks. */
const PICTURES = new Set([0x56503820, 0x5650384c, 0x414e4d46]);

/** Walks the chunks of the RIFF container, which must fill the file and contain an image. */
export function webpSize(bytes: Buffer): ImageSize | null {
  if (
    bytes.length < 20 ||
    bytes.toString('latin1', 0, 4) !== 'RIFF' ||
    bytes.toString('latin1', 8, 12) !== 'WEBP'
  )
    return null;
  const end = 8 + bytes.readUInt32LE(4);
  // Some writers count the padding byte of the last chunk, some do not.
  if (bytes.length < end || bytes.length > end + 1) return null;
  let size: ImageSize | null = null;
  let hasPicture = false;
  for (let at = 12; at < end;) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return null;
    if (at === 12) size = chunkSize(bytes, bytes.toString('latin1', at, at + 4), at + 8);
    if (PICTURES.has(bytes.readUInt32BE(at))) hasPicture = true;
    at += 8 + length + (length % 2);
  }
  return hasPicture ? size : null;
}

/** Accepted image types. SVG is not accepted: it can contain scripts. */
export type ImageKind = 'png' | 'jpg' | 'gif' | 'webp';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Parses an image from the first byte to the last. Returns null if it is invalid or truncated. */
export type ImageReader = (bytes: Buffer) => ImageSize | null;
