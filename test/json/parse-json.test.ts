import fc from 'fast-check';
import { parseJson } from '../../src/platform/json/parse-json';
import { rounds } from '../support/rounds';

type Outcome = { readonly value: unknown } | 'refused';

function outcome(parse: () => unknown): Outcome {
  try {
    return { value: parse() };
  } catch {
    return 'refused';
  }
}
const ours = (text: string): Outcome => outcome(() => parseJson(Buffer.from(text)));
const expected = (text: string): Outcome => outcome(() => JSON.parse(text));
const codeOf = (bytes: Buffer | string): unknown => {
  try {
    parseJson(Buffer.from(bytes as string));
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

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

describe('the JSON parser', () => {
  it('returns the result of JSON.parse in the same order', () => {
    fc.assert(
      fc.property(printed, (source) => {
        expect(JSON.stringify(parseJson(Buffer.from(source)))).toBe(
          JSON.stringify(JSON.parse(source)),
        );
      }),
      { numRuns: rounds(500) },
    );
  });

  it('rejects what JSON.parse rejects', () => {
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
    fc.assert(
      fc.property(printed, fc.array(damage, { minLength: 1, maxLength: 3 }), (source, damages) => {
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
        expect(ours(broken)).toEqual(expected(broken));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it.each([
    '{"__proto__":1}',
    '{"\\u005f_proto__":{}}',
    '{"a":{"__proto__":{"x":[1,2,3]}}}',
    '1e999',
    '[12345678901234567891]',
    '-1e-999',
    '['.repeat(100) + ']'.repeat(100),
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xc3, 0x22]),
  ])('rejects names, numbers, depths and bytes that would do harm: %s', (bad) => {
    const around = Buffer.concat([
      Buffer.from('{"a":[1,{"b":"\\"x","c":['),
      Buffer.from(bad as string),
      Buffer.from(',{}]},"y"],"d":2}'),
    ]);
    expect(codeOf(around)).toBe('BAD_REQUEST');
  });
});
