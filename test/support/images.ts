import { deflateSync } from 'node:zlib';

const chunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content, Buffer.alloc(4)]);
};

/** A PNG of one colour without valid checksums. */
export function png(width = 2, height = 2): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.min(width, 64) + 1) * Math.min(height, 64));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF of one pixel. */
export const gif = (): Buffer =>
  Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const segment = (marker: number, content: number[]): Buffer =>
  Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff, ...content]);

/** The segments of a grey JPEG of 8 by 8 pixels. */
export const jpeg = (): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    segment(0xc4, [0, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([0x3f, 0xff, 0xd9]),
  ]);

/** A lossless WebP of 16 by 16 pixels. */
export const webp = (): Buffer =>
  Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
