import { BSONRegExp, Code, DBRef, Decimal128, MaxKey, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues, typeRank } from '../../src/values/compare';
import { compileFilter } from '../../src/query/filter';
import { requireSupportedTypes, requireValidId } from '../../src/values/values';
import type { Doc } from '../../src/values/values';
import { nested, paths, values } from '../support/arbitrary-values';
import { codeOf, messageOf } from '../support/errors';
import { filterErrors } from '../support/match-cases';

const matches = (filter: Doc, doc: Doc): boolean => compileFilter(filter).test(doc);

describe('a filter', () => {
  test.each(filterErrors)('%p fails with %p', (filter, code) => {
    expect(codeOf(() => compileFilter(filter))).toBe(code);
  });

  test.each(['$expr', '$where', '$text', '$jsonSchema'])(
    'names the rejected %s and an alternative',
    (operator) => {
      expect(messageOf(() => compileFilter({ [operator]: 1 }))).toMatch(
        new RegExp(
          `\\${operator} .*not supported by the embedded store; set MONGODB_URI to a MongoDB replica set$`,
        ),
      );
    },
  );

  test('deeper than any document is rejected', () => {
    const deep = Array.from({ length: 200 }).reduce<Doc>((inner) => ({ $and: [inner] }), { a: 1 });
    expect(codeOf(() => compileFilter(deep))).toBe(2);
  });
});

describe('a filter on a scalar field', () => {
  const operators = {
    $gt: (x: number) => x > 0,
    $gte: (x: number) => x >= 0,
    $lt: (x: number) => x < 0,
    $lte: (x: number) => x <= 0,
    $eq: (x: number) => x === 0,
  };
  const plain = values.filter(
    (value) => !Array.isArray(value) && value !== null && !Number.isNaN(value),
  );

  test.each(Object.entries(operators))('compares with %s within one type', (operator, accepts) => {
    fc.assert(
      fc.property(plain, plain, (value, operand) => {
        const sameType = typeRank(value) === typeRank(operand);
        expect(matches({ a: { [operator]: operand } }, { a: value })).toBe(
          sameType && accepts(compareValues(value, operand)),
        );
      }),
    );
  });

  test('matches a literal, $eq and $in alike, and arrays by their elements', () => {
    const operand = values.filter(
      (value) =>
        !(typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$')),
    );
    fc.assert(
      fc.property(operand, operand, (value, expected) => {
        const equal = matches({ a: expected }, { a: value });
        expect(matches({ a: { $eq: expected } }, { a: value })).toBe(equal);
        expect(matches({ a: { $in: [expected] } }, { a: value })).toBe(equal);
        if (equal)
          expect(matches({ a: expected }, { a: [value] }) || Array.isArray(value)).toBe(true);
      }),
    );
  });
});

describe('a filter on documents of any shape', () => {
  const small = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null));

  test('is negated to the opposite', () => {
    fc.assert(
      fc.property(nested, paths, small, (doc, path, value) => {
        const equal = matches({ [path]: value }, doc);
        expect(matches({ [path]: { $ne: value } }, doc)).toBe(!equal);
        expect(matches({ [path]: { $nin: [value] } }, doc)).toBe(!equal);
        expect(matches({ $nor: [{ [path]: value }] }, doc)).toBe(!equal);
        expect(matches({ [path]: { $exists: true } }, doc)).toBe(
          !matches({ [path]: { $exists: false } }, doc),
        );
      }),
    );
  });

  test('means any with $in, and its words with $and and $or', () => {
    fc.assert(
      fc.property(
        nested,
        paths,
        fc.array(small, { minLength: 1, maxLength: 3 }),
        (doc, path, members) => {
          const each = members.map((value) => ({ [path]: value }));
          const some = each.some((filter) => matches(filter, doc));
          const every = each.every((filter) => matches(filter, doc));
          expect(matches({ [path]: { $in: members } }, doc)).toBe(some);
          expect(matches({ $or: each }, doc)).toBe(some);
          expect(matches({ $and: each }, doc)).toBe(every);
        },
      ),
    );
  });

  test('finds the same with a long list for $in as with a short one', () => {
    fc.assert(
      fc.property(values, fc.array(values, { minLength: 9, maxLength: 12 }), (value, list) => {
        const some = list.some((member) => matches({ a: { $in: [member] } }, { a: value }));
        expect(matches({ a: { $in: list } }, { a: value })).toBe(some);
      }),
    );
  });
});

describe('a regular expression', () => {
  const test1 = (pattern: string, text: string, $options = ''): boolean =>
    matches({ a: { $regex: pattern, $options } }, { a: text });

  test.each([
    ['a-b', 'xa-by', true],
    ['^ab', 'abc', true],
    ['^ab', 'xab', false],
    ['ab$', 'xab', true],
    ['ab$', 'ab\n', true],
    ['ab$', 'abc', false],
    ['^ab$', 'ab', true],
    ['^$', '', true],
    ['^', 'x', true],
    ['\\$', 'a$', true],
    ['\\$', 'a', false],
    ['\\^a', '^a', true],
    ['\\.', 'x', false],
    ['\\.', 'x.', true],
    ['\\/', '/', true],
    ['\\-\\@\\"', '-@"', true],
    ['\\\\', 'a\\b', true],
    ['\u{1F600}', 'x\u{1F600}', true],
    ['a(?!b)', 'ab', false],
    ['a(?!b)', 'abac', true],
    ['a(?!b)', 'a', true],
    ['a(?!b)(?!c)', 'ac', false],
    ['a(?!b)(?!c)', 'ad', true],
    ['a(?!\\)\\})', 'a)}', false],
    ['(?!b)', 'b', true],
    ['a(?![^"]{0,3}",)', 'a12",', false],
    ['a(?![^"]{0,3}",)', 'a1234",', true],
    ['a(?![^"\\\\]{0,9}"[^\\}])', 'a":', false],
    ['a(?![^"\\\\]{0,9}"[^\\}])', 'a\\":', true],
    ['a(?![^"\\\\]{0,9}"[^\\}])', 'a\n"}', true],
    ['\u{1F600}(?!\u{1F601})', '\u{1F600}\u{1F601}', false],
    ['a(?!)', 'a', false],
    ['a(?![^\\]\\^\\-\\/])', 'a]', true],
    ['a(?![^\\]\\^\\-\\/])', 'ab', false],
  ])('%s on %j: %p', (pattern, text, expected) => {
    expect(test1(pattern, text)).toBe(expected);
  });

  test('matches a plain text that is escaped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
        (text) => {
          const escaped = text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
          expect(test1(escaped, `<${text}>`)).toBe(true);
        },
      ),
    );
  });

  test('does not depend on an earlier match', () => {
    const filter = compileFilter({ a: /x/g });
    expect([filter.test({ a: 'x' }), filter.test({ a: 'x' })]).toEqual([true, true]);
  });

  test.each([
    '(a+)+b',
    'a+',
    'a*',
    'a?',
    'a{2}',
    'a.b',
    '[ab]',
    '(ab)',
    'a|b',
    '\\d',
    '\\w',
    '\\bab',
    '\\x41',
    '(?i)abc',
    '\\Aab',
    'ab\\z',
    '\\p{L}',
    '(a)\\1',
    '[[:alpha:]]',
    'a^',
    '$a',
    'x'.repeat(1_001),
    'a(?!b)c',
    'a(?!b)$',
    '$(?!b)',
    'a(?=b)',
    'a(?<!b)',
    'a(?!b|c)',
    'a(?!(?!b))',
    'a(?!b*)',
    'a(?![b])',
    'a(?![^b])',
    'a(?![^"-,])',
    'a(?![^"]*)',
    'a(?![^"]+)',
    'a(?![^"]{2,})',
    'a(?![^"]{0,1000})',
    'a(?![^\\"])',
    'a(?![^\\d])',
    'a(?!.)',
    'a(?![^])',
    '[^"]',
    'a(?!{0,3})',
  ])('%s is rejected', (pattern) => {
    expect(codeOf(() => test1(pattern, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'))).toBe(115);
  });

  test.each(['x', 'm'])('rejects the option %s', (option) => {
    expect(codeOf(() => test1('a', 'a', option))).toBe(115);
  });

  test('is matched in long texts in linear time', () => {
    expect(test1('abc', `${'ab'.repeat(1_000_000)}abc`)).toBe(true);
    expect(test1('ABC$', `${'ab'.repeat(1_000_000)}abc`, 'i')).toBe(true);
    expect(test1('a(?![^"]{0,100}b)', `${'ab'.repeat(1_000_000)}a`, 'i')).toBe(true);
  });

  test('of a BSON type includes its options', () => {
    expect(matches({ a: new BSONRegExp('ABC', 'i') }, { a: 'abc' })).toBe(true);
    expect(codeOf(() => matches({ a: new BSONRegExp('a b', 'x') }, { a: 'ab' }))).toBe(115);
  });
});

describe('the types of a document', () => {
  const refused: ReadonlyArray<readonly [unknown, string]> = [
    [Decimal128.fromString('1'), 'decimal'],
    [new Timestamp({ t: 1, i: 1 }), 'timestamp'],
    [new MaxKey(), 'maxKey'],
    [/x/, 'regex'],
    [undefined, 'undefined'],
    [new Code('x'), 'javascript'],
    [new DBRef('c', 1 as never), 'DBRef'],
    [1n, 'bigint'],
    [Symbol('x'), 'symbol'],
    [{ _bsontype: 'Long' }, '_bsontype'],
    [new Date(NaN), 'dates outside'],
  ];

  test.each(refused)('exclude %p, with its name in the error', (value, name) => {
    expect(messageOf(() => requireSupportedTypes({ a: { b: [value] } }))).toContain(name);
    expect(codeOf(() => requireSupportedTypes({ a: value }))).toBe(115);
    expect(codeOf(() => compileFilter({ a: { $gt: [value] } }))).toBe(115);
  });

  test('include everything on the list', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(codeOf(() => requireSupportedTypes({ value }))).toBe('no error');
      }),
    );
  });

  test('nest at most 100 levels', () => {
    const deep = (levels: number): Doc =>
      Array.from({ length: levels - 1 }).reduce<Doc>((a) => ({ a }), {});
    expect(codeOf(() => requireSupportedTypes(deep(100)))).toBe('no error');
    expect(codeOf(() => requireSupportedTypes(deep(150)))).toBe(15);
  });

  test.each([
    [[1], 53],
    [/x/, 53],
    [undefined, 53],
    [{ $a: 1 }, 52],
    [{ a: { $b: 1 } }, 52],
    [{ a: 1 }, 'no error'],
    [null, 'no error'],
    ['x', 'no error'],
  ])('allow _id %p: %p', (id, code) => {
    expect(codeOf(() => requireValidId(id))).toBe(code);
  });
});
