import { BSONRegExp, Code, DBRef, Decimal128, MaxKey, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues, typeRank } from '../src/values/compare';
import { compileFilter } from '../src/query/filter';
import { requireSupportedTypes, requireValidId } from '../src/values/values';
import type { Doc } from '../src/values/values';
import { nested, paths, values } from './support/arbitrary-values';
import { codeOf, messageOf } from './support/errors';
import { filterErrors, matchCases } from './support/match-cases';

const matches = (filter: Doc, doc: Doc): boolean => compileFilter(filter).test(doc);

describe('a filter', () => {
  test.each(matchCases.flatMap(({ filter, yes = [] }) => yes.map((doc) => [filter, doc] as const)))(
    '%j matches %j',
    (filter, doc) => {
      expect(matches(filter, doc)).toBe(true);
    },
  );

  test.each(matchCases.flatMap(({ filter, no = [] }) => no.map((doc) => [filter, doc] as const)))(
    '%j does not match %j',
    (filter, doc) => {
      expect(matches(filter, doc)).toBe(false);
    },
  );

  test.each(filterErrors)('%p fails with %p', (filter, code) => {
    expect(codeOf(() => compileFilter(filter))).toBe(code);
  });

  test.each(['$expr', '$where', '$text', '$jsonSchema'])(
    'names the refused %s and the way out',
    (operator) => {
      expect(messageOf(() => compileFilter({ [operator]: 1 }))).toMatch(
        new RegExp(
          `\\${operator} .*not supported by the embedded store; set MONGODB_URI to a MongoDB replica set$`,
        ),
      );
    },
  );

  test('deeper than any document is refused', () => {
    const deep = Array.from({ length: 200 }).reduce<Doc>((inner) => ({ $and: [inner] }), { a: 1 });
    expect(codeOf(() => compileFilter(deep))).toBe(2);
  });
});

describe('on a plain field', () => {
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

  test.each(Object.entries(operators))(
    '%s is the order of values within one type',
    (operator, accepts) => {
      fc.assert(
        fc.property(plain, plain, (value, operand) => {
          const sameType = typeRank(value) === typeRank(operand);
          expect(matches({ a: { [operator]: operand } }, { a: value })).toBe(
            sameType && accepts(compareValues(value, operand)),
          );
        }),
      );
    },
  );

  test('equality by literal, $eq and $in agree, and an array matches through its elements', () => {
    const operand = values.filter(
      (value) =>
        !(typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$')),
    );
    fc.assert(
      fc.property(operand, operand, (value, wanted) => {
        const equal = matches({ a: wanted }, { a: value });
        expect(matches({ a: { $eq: wanted } }, { a: value })).toBe(equal);
        expect(matches({ a: { $in: [wanted] } }, { a: value })).toBe(equal);
        if (equal)
          expect(matches({ a: wanted }, { a: [value] }) || Array.isArray(value)).toBe(true);
      }),
    );
  });
});

describe('on documents of any shape', () => {
  const small = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null));

  test('negations are the opposite', () => {
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

  test('$in is any, $and and $or are what they say', () => {
    fc.assert(
      fc.property(
        nested,
        paths,
        fc.array(small, { minLength: 1, maxLength: 3 }),
        (doc, path, wanted) => {
          const each = wanted.map((value) => ({ [path]: value }));
          const some = each.some((filter) => matches(filter, doc));
          const every = each.every((filter) => matches(filter, doc));
          expect(matches({ [path]: { $in: wanted } }, doc)).toBe(some);
          expect(matches({ $or: each }, doc)).toBe(some);
          expect(matches({ $and: each }, doc)).toBe(every);
        },
      ),
    );
  });

  test('a long list for $in finds what a short one finds', () => {
    fc.assert(
      fc.property(values, fc.array(values, { minLength: 9, maxLength: 12 }), (value, list) => {
        const some = list.some((wanted) => matches({ a: { $in: [wanted] } }, { a: value }));
        expect(matches({ a: { $in: list } }, { a: value })).toBe(some);
      }),
    );
  });
});

describe('regular expressions', () => {
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

  test('read a plain text as itself once it is escaped', () => {
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

  test('do not depend on an earlier match', () => {
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
  ])('%s is refused rather than guessed or left to run', (pattern) => {
    expect(codeOf(() => test1(pattern, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'))).toBe(115);
  });

  test.each(['x', 'm'])('refuse the option %s', (option) => {
    expect(codeOf(() => test1('a', 'a', option))).toBe(115);
  });

  test('are looked for in texts of any length without delay', () => {
    expect(test1('abc', `${'ab'.repeat(1_000_000)}abc`)).toBe(true);
    expect(test1('ABC$', `${'ab'.repeat(1_000_000)}abc`, 'i')).toBe(true);
    expect(test1('a(?![^"]{0,100}b)', `${'ab'.repeat(1_000_000)}a`, 'i')).toBe(true);
  });

  test('of a BSON type are read with their options', () => {
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

  test.each(refused)('refuse %p by name', (value, name) => {
    expect(messageOf(() => requireSupportedTypes({ a: { b: [value] } }))).toContain(name);
    expect(codeOf(() => requireSupportedTypes({ a: value }))).toBe(115);
    expect(codeOf(() => compileFilter({ a: { $gt: [value] } }))).toBe(115);
  });

  test('take everything on the list', () => {
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
  ])('_id %p: %p', (id, code) => {
    expect(codeOf(() => requireValidId(id))).toBe(code);
  });
});
