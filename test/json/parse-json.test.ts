import fc from 'fast-check';
import { JSON_LIMITS, parseJson } from '../../src/platform/json/parse-json';
import { longIt } from '../support/long';
import { rounds } from '../support/rounds';

const inPieces = (text: string | Buffer, pieceBytes: number): Promise<unknown> =>
  parseJson(Buffer.from(text as string), JSON_LIMITS, pieceBytes);

/** The result of JSON.parse, or a rejection. */
function expected(text: string): { value: unknown } | 'refused' {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'refused';
  }
}

const outcome = (parsing: Promise<unknown>): Promise<{ value: unknown } | 'refused'> =>
  parsing.then(
    (value) => ({ value }),
    () => 'refused' as const,
  );

/** Keys and texts that resemble structure. */
const text = fc
  .oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      '',
      '"',
      '\\',
      '\\"',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      'é',
      '\u{1F600}',
      '\uFEFF',
      '\u2028',
      'constructor',
    ),
  )
  .filter((name) => name !== '__proto__');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.constantFrom(null, true, false, 0.5, -1e21, 1e-7),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 6 }),
})).value;
const printed = fc
  .tuple(json, fc.constantFrom(undefined, 1, '\t', '\n \r'))
  .map(([value, space]) => JSON.stringify(value, null, space));
const pieceBytes = fc.integer({ min: 1, max: 40 });

describe('the incremental JSON parser', () => {
  it('returns the result of JSON.parse in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(printed, pieceBytes, async (source, bytes) => {
        const value = await inPieces(source, bytes);
        expect(value).toEqual(JSON.parse(source));
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(source)));
      }),
      { numRuns: rounds(500) },
    );
  });

  it('rejects what JSON.parse rejects', async () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(
        '',
        ',',
        '[',
        ']',
        '{',
        '}',
        '"',
        ':',
        '\\',
        ' ',
        '1',
        '-',
        'null',
        '\uFEFF',
        '\n',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        printed,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        pieceBytes,
        async (source, damages, bytes) => {
          const broken = damages
            .reduce((whole, [place, cut, put]) => {
              const at = place % (whole.length + 1);
              return whole.slice(0, at) + put + whole.slice(at + cut);
            }, source)
            .toWellFormed();
          // A byte order mark and blanks are covered elsewhere.
          fc.pre(!broken.startsWith('\uFEFF') && broken.trim() !== '');
          // Joined digits may form a number that is rejected for another reason: see json-values.test.ts.
          const numbers =
            broken.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
          fc.pre(numbers.every((number) => number.length < 15 && !/e[+-]?\d{3}/i.test(number)));
          expect(await outcome(inPieces(broken, bytes))).toEqual(expected(broken));
        },
      ),
      { numRuns: rounds(2_000) },
    );
  });

  it('allows nothing between a key and its value', async () => {
    const before = fc.constantFrom(
      '-',
      '1',
      '-1',
      '1.',
      '1e',
      '0',
      'n',
      'nul',
      'null',
      'tru',
      'false',
      '"',
      '""',
      '"a"',
      '[',
      '[]',
      '{',
      '{}',
      ',',
      ':',
      '.',
      '+',
    );
    const value = fc.constantFrom(
      '[]',
      '{}',
      '[1,[2]]',
      '{"b":{"c":[]}}',
      '""',
      '"a long text"',
      '1',
      'null',
      'true',
    );
    const blank = fc.constantFrom('', ' ', '\n\t');
    await fc.assert(
      fc.asyncProperty(before, value, blank, pieceBytes, async (start, rest, space, bytes) => {
        for (const source of [
          `{"a":${space}${start}${rest}}`,
          `{"a":[],"b" :${start}${space}${rest},"c":1}`,
          `[${start}${space}${rest}]`,
          `[{"a":${start}${rest}}]`,
          `{"a"${start}${space}:${rest}}`,
        ]) {
          expect(await outcome(inPieces(source, bytes))).toEqual(expected(source));
        }
      }),
      { numRuns: rounds(3_000) },
    );
  });

  it('reads a long text when an escape or a character is split', async () => {
    const part = fc.constantFrom(
      'a',
      'é',
      '\u0301',
      '漢',
      '\u{1F600}',
      '\ud83d',
      '\\',
      '"',
      '\n',
      '[',
      ',',
      '__proto__',
      '\\u0041',
    );
    const long = fc.array(part, { minLength: 20, maxLength: 120 }).map((parts) => parts.join(''));
    const escaped = (value: string): string =>
      JSON.stringify(value).replace(
        /[é漢]/g,
        (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    await fc.assert(
      fc.asyncProperty(
        long,
        pieceBytes,
        fc.constantFrom(JSON.stringify, escaped),
        async (value, bytes, print) => {
          for (const source of [
            `[${print(value)}]`,
            ` {"a" : [] , "b" :\n${print(value)} , "c":1}`,
            `{"a":{"b":[1,${print(value)},${print(value)} ]}}`,
            `{${print(value)}:[${print(value)}]}`,
            print(value),
          ]) {
            expect(await outcome(inPieces(source, bytes))).toEqual(expected(source));
          }
          for (const source of [
            `["a" ${print(value)}]`,
            `{"a":1 ${print(value)}}`,
            `[${print(value)} 1]`,
            `{${print(value)}}`,
            `[[]${print(value)}]`,
            `{"a":{}${print(value)}:1}`,
            `[${print(value)}`,
            `{"a" ${print(value)}}`,
          ]) {
            expect(await outcome(inPieces(source, bytes))).toBe('refused');
          }
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  it('rejects __proto__, inexact numbers and invalid UTF-8 at any chunk boundary', async () => {
    const around = (inner: string): string => `{"a":[1,{"b":"x","c":[[],${inner},{}]},"y"],"d":2}`;
    for (const bad of [
      '{"__proto__":1}',
      '{"\\u005f_proto__":{}}',
      '{"a":{"__proto__":{"x":[1,2,3,4,5,6,7]}}}',
      '1e999',
      '[12345678901234567891]',
      '-1e-999',
    ]) {
      for (let bytes = 1; bytes < 60; bytes += 1)
        await expect(inPieces(around(bad), bytes)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    const source = Buffer.from(around('"?"'));
    for (const wrong of [0xff, 0x80, 0xc3]) {
      source[source.indexOf('?')] = wrong;
      for (let bytes = 1; bytes < 60; bytes += 1)
        await expect(inPieces(source, bytes)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  const MEBIBYTE = 1024 * 1024;
  const list = (entry: string, bytes: number): string =>
    `[${Array(Math.floor(bytes / (entry.length + 1)))
      .fill(entry)
      .join(',')}]`;
  longIt.each([
    [
      'steps of a workflow',
      list(
        JSON.stringify({
          id: 'abc',
          name: 'step',
          request: {
            method: 'GET',
            header: { Accept: 'x' },
            body: { fields: { a: 1, b: [1, 2, 3] } },
          },
        }),
        6 * MEBIBYTE,
      ),
    ],
    ['nested lists', list('['.repeat(90) + ']'.repeat(90), MEBIBYTE)],
    [
      'distinct keys',
      `[${Array.from({ length: 8 }, (_one, object) => `{${Array.from({ length: 29_000 }, (_two, nth) => `"${object}${nth.toString(36)}":1`).join(',')}}`).join(',')}]`,
    ],
    [
      'objects of every shape',
      `[${Array.from({ length: 150_000 }, (_, nth) => `{"${nth.toString(36)}":1}`).join(',')}]`,
    ],
  ])('yields while it reads %s', async (_name, source) => {
    const bytes = Buffer.from(source);
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns += 1;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    await parseJson(bytes);
    reading = false;
    expect(turns).toBeGreaterThan(1);
  });
});
