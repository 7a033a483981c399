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

/** EXIF data with an orientation and a text. */
function exif(orientation: number, text: string): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return Buffer.concat([tiff, Buffer.from(text)]);
}

const riff = (type: string, content: Buffer): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};

/** The pictures above with a text in all kinds of metadata, and an orientation. */
export function withMetadata(text: string, orientation: number): Record<string, Buffer> {
  const [plainJpeg, plainPng, plainGif, plainWebp] = [jpeg(), png(), gif(), webp()];
  const data = [...Buffer.from(text)];
  const extended = Buffer.from([0x0c, 0, 0, 0, 15, 0, 0, 15, 0, 0]);
  const chunks = Buffer.concat([
    riff('VP8X', extended),
    plainWebp.subarray(12),
    riff('EXIF', exif(orientation, text)),
    riff('XMP ', Buffer.from(text)),
  ]);
  return {
    jpg: Buffer.concat([
      plainJpeg.subarray(0, 2),
      segment(0xe1, [...Buffer.from('Exif\0\0'), ...exif(orientation, text)]),
      segment(0xe1, [...Buffer.from('http://ns.adobe.com/xap/1.0/\0'), ...data]),
      segment(0xed, data),
      segment(0xfe, data),
      plainJpeg.subarray(2),
      Buffer.from(text),
      plainJpeg,
      Buffer.from([0xff, 0xd9]),
    ]),
    png: Buffer.concat([
      plainPng.subarray(0, 33),
      chunk('eXIf', exif(orientation, text)),
      chunk('tEXt', Buffer.from(`Comment\0${text}`)),
      chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0${text}`)),
      plainPng.subarray(33),
    ]),
    gif: Buffer.concat([
      plainGif.subarray(0, 19),
      Buffer.from([0x21, 0xfe, data.length, ...data, 0]),
      Buffer.from([0x21, 0xff, 11, ...Buffer.from('XMP DataXMP'), data.length, ...data, 0]),
      plainGif.subarray(19),
    ]),
    webp: Buffer.concat([riff('RIFF', Buffer.concat([Buffer.from('WEBP'), chunks]))]),
  };
}
