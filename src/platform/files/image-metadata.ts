import { crc32 } from 'node:zlib';
import type { ImageKind } from './image-size';

/**
 * Returns a valid image without EXIF, XMP, IPTC and comments, which may name the place where a
 * picture was taken, and without what follows the picture. The orientation is kept, since browsers
 * turn the picture by it, and so are colours and animations.
 */
export const withoutMetadata = (bytes: Buffer, kind: ImageKind): Buffer => WITHOUT[kind](bytes);

type Cleaner = (bytes: Buffer) => Buffer;

const WITHOUT: Readonly<Record<ImageKind, Cleaner>> = {
  jpg: jpegWithout,
  png: pngWithout,
  webp: webpWithout,
  gif: gifWithout,
};

/** The parts of a file that are kept; neighbours are joined, since a file may have millions. */
class KeptParts {
  private readonly pieces: Buffer[] = [];
  private from = 0;
  private to = 0;

  constructor(private readonly bytes: Buffer) {}

  keep(from: number, to: number): void {
    if (from !== this.to) {
      this.flush();
      this.from = from;
    }
    this.to = to;
  }

  add(piece: Buffer | null): void {
    this.flush();
    if (piece !== null) this.pieces.push(piece);
  }

  all(): Buffer {
    this.flush();
    return this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
  }

  private flush(): void {
    if (this.to > this.from) this.pieces.push(this.bytes.subarray(this.from, this.to));
    this.from = this.to;
  }
}

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION_TAG = 0x0112;
const MAX_ENTRIES = 1_000;

/**
 * Returns EXIF data (TIFF) with nothing but the orientation of the given one; null if the picture
 * is upright.
 */
function orientationOf(exif: Buffer): Buffer | null {
  const tiff = isExif(exif, 0) ? exif.subarray(EXIF.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null;
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = Math.min(short(directory), MAX_ENTRIES);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + 12 * entry;
    if (short(at) !== ORIENTATION_TAG) continue;
    const value = short(at + 8);
    return value > 1 && value <= 8 ? orientationTiff(value) : null;
  }
  return null;
}

function orientationTiff(value: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION_TAG, 10);
  // A SHORT, once.
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(value, 18);
  return tiff;
}

const APP_0 = 0xe0;
const APP_1 = 0xe1;
const APP_2 = 0xe2;
const APP_14 = 0xee;
const APP_15 = 0xef;
const COMMENT = 0xfe;
const SCAN = 0xda;
const END = 0xd9;

/** JFIF (APP0), colour profiles and Adobe's colour transform (APP14) decide how it looks. */
function isShown(bytes: Buffer, marker: number, at: number): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP_0 || marker > APP_15) return true;
  if (marker === APP_2) return bytes.toString('latin1', at + 4, at + 15) === 'ICC_PROFILE';
  return marker === APP_0 || marker === APP_14;
}

function jpegWithout(bytes: Buffer): Buffer {
  const parts = new KeptParts(bytes);
  parts.keep(0, 2);
  let turned = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    // Behind the first scan, the structure was not checked.
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (isShown(bytes, marker, at)) parts.keep(at, end);
    else if (marker === APP_1 && !turned) {
      const tiff = isExif(bytes, at + 4) ? orientationOf(bytes.subarray(at + 4, end)) : null;
      turned = tiff !== null;
      if (tiff !== null) parts.add(jpegSegment(APP_1, Buffer.concat([EXIF, tiff])));
    }
    at = end;
    if (marker !== SCAN) continue;
    at = nextMarker(bytes, end);
    parts.keep(end, at);
  }
  parts.add(Buffer.from([0xff, END]));
  return parts.all();
}

const isExif = (bytes: Buffer, at: number): boolean =>
  bytes.subarray(at, at + EXIF.length).equals(EXIF);

function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Skips the data of a scan, in which 0xFF is followed by 0 or a restart marker. */
function nextMarker(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7))
      return at;
  }
  return bytes.length;
}

const PNG_METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf'].map(numberOf));
const PNG_EXIF = numberOf('eXIf');

/** Names of chunks as numbers, for speed. */
function numberOf(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE();
}

function pngWithout(bytes: Buffer): Buffer {
  const parts = new KeptParts(bytes);
  parts.keep(0, 8);
  for (let at = 8; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.readUInt32BE(at + 4);
    if (!PNG_METADATA.has(type)) parts.keep(at, end);
    else if (type === PNG_EXIF) parts.add(pngExif(orientationOf(bytes.subarray(at + 8, end - 4))));
    at = end;
  }
  return parts.all();
}

function pngExif(tiff: Buffer | null): Buffer | null {
  if (tiff === null) return null;
  const content = Buffer.concat([Buffer.from('eXIf', 'latin1'), tiff]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(tiff.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

const WEBP_EXIF = numberOf('EXIF');
const WEBP_XMP = numberOf('XMP ');
const WEBP_EXTENDED = numberOf('VP8X');
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

function webpWithout(bytes: Buffer): Buffer {
  const parts = new KeptParts(bytes);
  const end = 8 + bytes.readUInt32LE(4);
  let exif: Buffer | null = null;
  parts.keep(0, 12);
  for (let at = 12; at < end;) {
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    const type = bytes.readUInt32BE(at);
    if (type === WEBP_EXIF) {
      exif = webpExif(orientationOf(bytes.subarray(at + 8, at + 8 + length)));
      parts.add(exif);
    } else if (type !== WEBP_XMP) parts.keep(at, next);
    at = next;
  }
  const clean = parts.all();
  if (clean.length === bytes.length) return clean;
  const picture = Buffer.from(clean);
  picture.writeUInt32LE(picture.length - 8, 4);
  if (picture.readUInt32BE(12) === WEBP_EXTENDED)
    picture[20] = (picture[20] & ~(EXIF_FLAG | XMP_FLAG)) | (exif === null ? 0 : EXIF_FLAG);
  return picture;
}

function webpExif(tiff: Buffer | null): Buffer | null {
  if (tiff === null) return null;
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}

/** Extensions that animations and colours need, by their application. */
const GIF_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

function gifWithout(bytes: Buffer): Buffer {
  const parts = new KeptParts(bytes);
  let at = 13 + gifTable(bytes[10]);
  parts.keep(0, at);
  while (bytes[at] !== 0x3b) {
    const isExtension = bytes[at] === 0x21;
    const start = isExtension ? at + 2 : at + 11 + gifTable(bytes[at + 9]);
    const end = skipBlocks(bytes, start);
    const isComment = isExtension && bytes[at + 1] === COMMENT;
    const isOther =
      isExtension &&
      bytes[at + 1] === 0xff &&
      !GIF_APPLICATIONS.has(bytes.toString('latin1', at + 3, at + 14));
    if (!isComment && !isOther) parts.keep(at, end);
    at = end;
  }
  parts.keep(at, bytes.length);
  return parts.all();
}

/** Bytes of a colour table, by its flags. */
export const gifTable = (flags: number): number =>
  (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);

/** Returns the position after a list of sub-blocks of a GIF. */
export function skipBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    at += 1 + length;
  }
  return at + 1;
}
