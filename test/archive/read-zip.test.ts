import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { readZip, ZIP_LIMITS } from '../../src/platform/archive/read-zip';
import type { ZipLimits } from '../../src/platform/archive/read-zip';
import { zipOf, zipWithNames } from '../support/documents/zips';

async function filesOf(archive: Buffer, limits?: ZipLimits): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, bytes } of readZip(archive, limits)) files[name] = bytes.toString();
  return files;
}

const codeOf = async (archive: Buffer, limits?: ZipLimits): Promise<unknown> =>
  filesOf(archive, limits).then(
    () => 'read',
    (error: { code?: string }) => error.code ?? error,
  );

describe('the zip reader', () => {
  it('returns the files without directories and macOS metadata', async () => {
    const archive = await zipOf({
      'a.xml': '<a/>',
      'deep/': '',
      'deep/b.xml': '<b/>',
      '__MACOSX/._a.xml': 'junk',
      'deep/._b.xml': 'junk',
      'empty.xml': '',
    });
    expect(await filesOf(archive)).toEqual({
      'a.xml': '<a/>',
      'deep/b.xml': '<b/>',
      'empty.xml': '',
    });
  });

  it('returns no files for an empty archive', async () => {
    expect(await filesOf(await zipOf({}))).toEqual({});
  });

  it.each([
    '../evil.xml',
    'a/../../evil.xml',
    '/etc/evil.xml',
    'C:/evil.xml',
    '..\\evil.xml',
    'a\\..\\..\\evil.xml',
    '\\\\host\\evil.xml',
    'C:\\evil.xml',
    'a\u0000.xml',
    'a\u202egpj.xml',
    '..',
    `${'n'.repeat(300)}.xml`,
  ])('rejects an entry named %j', async (name) => {
    expect(await codeOf(await zipWithNames([name]))).toBe('ZIP_INVALID');
  });

  it('reads backslashes as slashes', async () => {
    expect(await filesOf(await zipWithNames(['a\\b\\c.xml', 'a\\empty\\']))).toEqual({
      'a/b/c.xml': '<a/>',
    });
    expect(await codeOf(await zipWithNames(['a/b.xml', 'a\\b.xml']))).toBe('ZIP_INVALID');
  });

  it('rejects a duplicate name', async () => {
    expect(await codeOf(await zipWithNames(['a.xml', 'b.xml', 'a.xml']))).toBe('ZIP_INVALID');
  });

  it('rejects data that is not an archive', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('PK'),
      Buffer.from('<invoker/>'),
      Buffer.alloc(1000),
    ])
      expect(await codeOf(bytes)).toBe('ZIP_FILE_REQUIRED');
  });

  it('rejects an archive truncated at any position', async () => {
    const archive = await zipOf({ 'a.xml': '<a/>'.repeat(50), 'b.xml': '<b/>'.repeat(50) });
    const codes = new Set<unknown>();
    for (let length = 4; length < archive.length; length += 1)
      codes.add(await codeOf(archive.subarray(0, length)));
    expect([...codes]).toEqual(['ZIP_INVALID']);
  });

  it('returns complete files or rejects, for damage to any byte', async () => {
    const files = { 'a.xml': '<a>some text</a>'.repeat(20) };
    const archive = await zipOf(files);
    for (let at = 0; at < archive.length; at += 1) {
      const damaged = Buffer.from(archive);
      damaged.writeUInt8(archive.readUInt8(at) ^ 0xff, at);
      const read = await filesOf(damaged).then(
        (files) => files,
        (error: { code?: string }) => error.code ?? 'a fault',
      );
      const text = typeof read === 'string' ? read : Object.values(read).join('');
      expect([
        'ZIP_INVALID',
        'ZIP_FILE_REQUIRED',
        'PAYLOAD_TOO_LARGE',
        '',
        Object.values(files).join(''),
      ]).toContain(text);
    }
  });

  it('rejects more entries, a larger entry or a larger total than allowed', async () => {
    const archive = await zipOf({ a: '12345', b: '12345', c: '12345' });
    expect(await codeOf(archive, { entries: 2, entryBytes: 10, totalBytes: 100 })).toBe(
      'PAYLOAD_TOO_LARGE',
    );
    expect(await codeOf(archive, { entries: 3, entryBytes: 4, totalBytes: 100 })).toBe(
      'PAYLOAD_TOO_LARGE',
    );
    expect(await codeOf(archive, { entries: 3, entryBytes: 10, totalBytes: 14 })).toBe(
      'PAYLOAD_TOO_LARGE',
    );
    expect(await codeOf(archive, { entries: 3, entryBytes: 5, totalBytes: 15 })).toBe('read');
  });

  it.each<[string, ZipLimits, string]>([
    [
      'per file',
      { entries: 3, entryBytes: 4, totalBytes: 100 },
      'A file of an archive may have 4 bytes at most when it is unpacked; a has more.',
    ],
    [
      'per file when it equals the total limit',
      { entries: 3, entryBytes: 4, totalBytes: 4 },
      'A file of an archive may have 4 bytes at most when it is unpacked; a has more.',
    ],
    [
      'of all together',
      { entries: 3, entryBytes: 10, totalBytes: 14 },
      'The files of an archive may have 14 bytes at most together when they are unpacked; with c they have more.',
    ],
  ])('names the limit %s, not its remainder', async (_what, limits, message) => {
    await expect(
      filesOf(await zipOf({ a: '12345', b: '12345', c: '12345' }), limits),
    ).rejects.toThrow(message);
  });

  it('stops decompressing a bomb at the limit', async () => {
    const archive = await zipOf({ bomb: Buffer.alloc(20 * 1024 * 1024) });
    expect(await codeOf(archive, { ...ZIP_LIMITS, entryBytes: 1024 * 1024 })).toBe(
      'PAYLOAD_TOO_LARGE',
    );
  });

  it('rejects an entry larger than its declared size', async () => {
    const archive = await zipOf({ bomb: Buffer.alloc(10 * 1024 * 1024) });
    const central = archive.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    archive.writeUInt32LE(10, central + 24);
    archive.writeUInt32LE(10, 22);
    expect(await codeOf(archive)).toBe('ZIP_INVALID');
  });

  it('rejects an encrypted entry', async () => {
    const archive = await zipOf({ 'a.xml': '<a/>' });
    const central = archive.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    archive.writeUInt16LE(archive.readUInt16LE(central + 8) | 1, central + 8);
    expect(await codeOf(archive)).toBe('ZIP_INVALID');
  });

  it('reads archives with sizes after the entries', async () => {
    const zip = new ZipFile();
    zip.addReadStream(Readable.from([Buffer.from('<a/>')]), 'a.xml');
    zip.end();
    expect(await filesOf(await buffer(zip.outputStream))).toEqual({ 'a.xml': '<a/>' });
  });
});
