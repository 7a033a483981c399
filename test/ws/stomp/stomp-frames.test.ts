import fc from 'fast-check';
import { InvalidFrame, unescaped, VERSIONS, writeFrame } from '../../../src/platform/stomp/frame';
import type { Frame, Version } from '../../../src/platform/stomp/frame';
import { FrameReader } from '../../../src/platform/stomp/frame-reader';
import { rounds } from '../../support/rounds';

const LONGEST = 64 * 1024;

function read(
  pieces: readonly Uint8Array[],
  version: Version = '1.2',
  longest = LONGEST,
): { frames: Frame[]; refused: InvalidFrame | null } {
  const reader = new FrameReader(longest);
  reader.version = version;
  const frames: Frame[] = [];
  try {
    for (const piece of pieces) for (const frame of reader.read(piece)) frames.push(frame);
    return { frames, refused: null };
  } catch (error) {
    if (!(error instanceof InvalidFrame)) throw error;
    return { frames, refused: error };
  }
}
const readText = (text: string, version?: Version, longest?: number) =>
  read([Buffer.from(text)], version, longest);

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, nth) => bytes.subarray(nth === 0 ? 0 : at[nth - 1], end));
}

const COMMAND = fc.constantFrom('SUBSCRIBE', 'UNSUBSCRIBE', 'SEND', 'ACK');
const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\\', '\n', ':', '\r', 'c', 'n', 'é', '🚰'),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((one) => !one.includes('\0')),
  ),
  maxLength: 20,
});
const HEADERS = fc.dictionary(
  TEXT.filter((name) => name !== 'content-length' && name !== '__proto__'),
  TEXT,
  { maxKeys: 8 },
);
const BODY = fc.string({ maxLength: 50 });

it('FrameReader reads frames as they were written, however the stream is split', () => {
  const frame = fc.record({
    command: COMMAND,
    headers: HEADERS,
    body: BODY,
    rest: fc.constantFrom('', '\n', '\r\n\n'),
  });
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 5 }),
      fc.array(fc.nat(10_000), { maxLength: 20 }),
      (frames, places) => {
        const bytes = Buffer.from(
          frames
            .map(
              ({ command, headers, body, rest }) =>
                writeFrame(command, headers, '1.2', body) + rest,
            )
            .join(''),
        );
        const { frames: readFrames, refused } = read(cut(bytes, places));
        expect(refused).toBeNull();
        expect(
          readFrames.map(({ command, headers }) => [
            command,
            Object.fromEntries([...headers].filter(([name]) => name !== 'content-length')),
          ]),
        ).toEqual(frames.map(({ command, headers }) => [command, { ...headers }]));
      },
    ),
    { numRuns: rounds(1_000) },
  );
});

it('FrameReader returns the same frames and error for any split of any input', () => {
  const noise = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'CONNECT',
          '\n',
          '\n\n',
          '\0',
          ':',
          '\\',
          '\\t',
          '\r\n',
          'content-length:',
          '3',
          '-1',
          '99999999999',
          'id:1\n',
          'SEND\n',
          'accept-version:1.2\n',
        ),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => Buffer.from(parts.join('')));
  const bytes = fc.oneof(
    noise,
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  );
  fc.assert(
    fc.property(
      bytes,
      fc.array(fc.nat(1_000), { maxLength: 10 }),
      fc.constantFrom(...VERSIONS),
      (all, places, version) => {
        const [full, pieces] = [read([all], version, 300), read(cut(all, places), version, 300)];
        expect([pieces.frames, pieces.refused?.message]).toEqual([
          full.frames,
          full.refused?.message,
        ]);
      },
    ),
    { numRuns: rounds(3_000) },
  );
});

it.each([
  ['1.2', '\\r\\n\\c\\\\', '\r\n:\\'],
  ['1.1', '\\n\\c\\\\', '\n:\\'],
  ['1.0', '\\n\\c\\t', '\\n\\c\\t'],
  ['1.1', '\\r\\', '\\r\\'],
  ['1.2', '\\t', null],
  ['1.2', 'a\\', null],
] as const)('version %s decodes the escapes %j as %j', (version, written, expected) => {
  expect(unescaped(written, 'SUBSCRIBE', version)).toBe(expected);
});

it('a CONNECT frame has no escapes', () => {
  expect(readText('CONNECT\npasscode:a\\tb\n\n\0').frames[0]?.headers.get('passcode')).toBe(
    'a\\tb',
  );
});

it('the first of two equal headers counts', () => {
  expect([...(readText('SEND\na:1\na:2\n\n\0').frames[0]?.headers ?? [])]).toEqual([['a', '1']]);
});

it('lines may end with CR LF and a body with a length may contain NUL', () => {
  expect(
    readText('SEND\r\ncontent-length:3\r\n\r\na\0b\0\r\n\r\nACK\r\n\r\n\0').frames.map(
      ({ command }) => command,
    ),
  ).toEqual(['SEND', 'ACK']);
});

it.each([
  ['a NUL among the headers', 'SEND\na:b\0', 4400],
  ['a header without a colon', 'SEND\nabc\n\n\0', 4400],
  ['an escape that is none', 'SEND\na:\\t\n\n\0', 4400],
  ['a length that is shorter than the body', 'SEND\ncontent-length:1\n\nab\0', 4400],
  ['a length that is none', 'SEND\ncontent-length:-1\n\n\0', 4400],
  ['a length in hexadecimal', 'SEND\ncontent-length:0x2\n\nab\0', 4400],
  [
    'a length that is too large, before a byte of the body has come',
    'SEND\ncontent-length:999999999\n\n',
    1009,
  ],
  ['a body without an end', `SEND\n\n${'x'.repeat(LONGEST)}`, 1009],
  ['a command without an end', 'S'.repeat(17 * 1024), 1009],
  ['too many headers', `SEND\n${'a:b\n'.repeat(65)}\n\0`, 4400],
])('FrameReader rejects %s', (_what, text, code) => {
  expect(readText(text)).toMatchObject({ frames: [], refused: { closeCode: code } });
});

it('FrameReader rejects invalid UTF-8', () => {
  expect(read([Buffer.from([0x53, 0xff, 0x0a, 0x0a, 0])]).refused?.closeCode).toBe(4400);
});

it('FrameReader does not buffer a body in advance of its bytes', () => {
  const reader = new FrameReader(10_000_000);
  for (const _frame of reader.read(Buffer.from('SEND\ncontent-length:9000000\n\n')))
    throw new Error('The frame has no end.');
  const piece = Buffer.alloc(1_000, 120);
  for (let nth = 0; nth < 9_000; nth += 1) expect([...reader.read(piece)]).toEqual([]);
  expect([...reader.read(Buffer.from('\0'))]).toHaveLength(1);
});
