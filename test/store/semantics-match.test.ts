import { BSONRegExp, Code, DBRef, Decimal128, MaxKey, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues } from '../../src/embedded-mongo/semantics/compare';
import { compileFilter } from '../../src/embedded-mongo/semantics/match';
import { typeRank } from '../../src/embedded-mongo/semantics/order';
import { requireSupportedTypes, requireValidId } from '../../src/embedded-mongo/semantics/values';
import type { Doc } from '../../src/embedded-mongo/semantics/values';
import { nested, paths, values } from './support/arbitrary-values';
import { codeOf, messageOf } from './support/errors';
import { filterErrors, matchCases } from './support/match-cases';

const matches = (filter: Doc, doc: Doc): boolean => compileFilter(filter).test(doc);

describe('a filter', () => {
  test.each(matchCases.flatMap(({ filter, yes = [] }) => yes.map((doc) => [filter, doc] as const)))('%j matches %j', (filter, doc) => {
    expect(matches(filter, doc)).toBe(true);
  });

  test.each(matchCases.flatMap(({ filter, no = [] }) => no.map((doc) => [filter, doc] as const)))('%j does not match %j', (filter, doc) => {
    expect(matches(filter, doc)).toBe(false);
  });

  test.each(filterErrors)('%p fails with %p', (filter, code) => {
    expect(codeOf(() => compileFilter(filter))).toBe(code);
  });

  test.each(['$expr', '$where', '$text', '$jsonSchema'])('names the refused %s and the way out', (operator) => {
    expect(messageOf(() => compileFilter({ [operator]: 1 }))).toMatch(
      new RegExp(`\\${operator} .*not supported by the embedded store; set MONGODB_URI to a MongoDB replica set$`));
  });

  test('deeper than any document is refused', () => {
    const deep = Array.from({ length: 200 }).reduce<Doc>((inner) => ({ $and: [inner] }), { a: 1 });
    expect(codeOf(() => compileFilter(deep))).toBe(2);
  });
});

describe('on a plain field', () => {
  const operators = { $gt: (x: number) => x > 0, $gte: (x: number) => x >= 0, $lt: (x: number) => x < 0, $lte: (x: number) => x <= 0, $eq: (x: number) => x === 0 };
  const plain = values.filter((value) => !Array.isArray(value) && value !== null && !Number.isNaN(value));

  test.each(Object.entries(operators))('%s is the order of values within one type', (operator, accepts) => {
    fc.assert(fc.property(plain, plain, (value, operand) => {
      const sameType = typeRank(value) === typeRank(operand);
      expect(matches({ a: { [operator]: operand } }, { a: value })).toBe(sameType && accepts(compareValues(value, operand)));
    }));
  });

  test('equality by literal, $eq and $in agree, and an array matches through its elements', () => {
    const operand = values.filter((value) => !(typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$')));
    fc.assert(fc.property(operand, operand, (value, wanted) => {
      const equal = matches({ a: wanted }, { a: value });
      expect(matches({ a: { $eq: wanted } }, { a: value })).toBe(equal);
      expect(matches({ a: { $in: [wanted] } }, { a: value })).toBe(equal);
      if (equal) expect(matches({ a: wanted }, { a: [value] }) || Array.isArray(value)).toBe(true);
    }));
  });
});

describe('on documents of any shape', () => {
  const small = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null));

  test('negations are the opposite', () => {
    fc.assert(fc.property(nested, paths, small, (doc, path, value) => {
      const equal = matches({ [path]: value }, doc);
      expect(matches({ [path]: { $ne: value } }, doc)).toBe(!equal);
      expect(matches({ [path]: { $not: { $eq: value } } }, doc)).toBe(!equal);
      expect(matches({ [path]: { $nin: [value] } }, doc)).toBe(!equal);
      expect(matches({ $nor: [{ [path]: value }] }, doc)).toBe(!equal);
      expect(matches({ [path]: { $exists: true } }, doc)).toBe(!matches({ [path]: { $exists: false } }, doc));
    }));
  });

  test('$in is any, $all is every, $and and $or are what they say', () => {
    fc.assert(fc.property(nested, paths, fc.array(small, { minLength: 1, maxLength: 3 }), (doc, path, wanted) => {
      const each = wanted.map((value) => ({ [path]: value }));
      const some = each.some((filter) => matches(filter, doc));
      const every = each.every((filter) => matches(filter, doc));
      expect(matches({ [path]: { $in: wanted } }, doc)).toBe(some);
      expect(matches({ $or: each }, doc)).toBe(some);
      expect(matches({ [path]: { $all: wanted } }, doc)).toBe(every);
      expect(matches({ $and: each }, doc)).toBe(every);
    }));
  });

  test('a long list for $in finds what a short one finds', () => {
    fc.assert(fc.property(values, fc.array(values, { minLength: 9, maxLength: 12 }), (value, list) => {
      const some = list.some((wanted) => matches({ a: { $in: [wanted] } }, { a: value }));
      expect(matches({ a: { $in: list } }, { a: value })).toBe(some);
    }));
  });

  test('the position of a match is an element that matches', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }), fc.integer({ min: 0, max: 3 }), (array, wanted) => {
      const index = array.indexOf(wanted);
      const position = index < 0 ? undefined : index;
      expect(compileFilter({ a: wanted }).positionOf({ a: array })).toBe(position);
      expect(compileFilter({ a: { $elemMatch: { $eq: wanted } } }).positionOf({ a: array })).toBe(position);
      expect(compileFilter({ 'a.b': wanted }).positionOf({ a: array.map((b) => ({ b })) })).toBe(position);
      expect(compileFilter({ a: { $in: [wanted, 9] } }).positionOf({ a: array })).toBe(position);
    }));
  });
});

test.each([
  [{ 'a.b': 2 }, { a: [{ b: 1 }, { b: [0, 2] }] }, 1],
  [{ a: 5 }, { a: 5 }, undefined],
  [{ a: { $ne: 5 } }, { a: [1] }, undefined],
  [{ a: [1] }, { a: [1] }, undefined],
  [{ 'a.1': 7 }, { a: [0, 7] }, 1],
  [{ x: 1, a: 2 }, { x: 1, a: [1, 2] }, 1],
  [{ $or: [{ a: 9 }, { a: 2 }] }, { a: [1, 2] }, 1],
])('%j finds %j at position %p', (filter, doc, position) => {
  expect(compileFilter(filter).positionOf(doc)).toBe(position);
});

describe('regular expressions', () => {
  const test1 = (pattern: string, text: string, $options = ''): boolean => matches({ a: { $regex: pattern, $options } }, { a: text });

  test.each([
    ['^\\d{3}-\\w+$', '123-ab_1', true], ['[^\\]x]+', ']', false], ['[\\w-x]+$', 'a-', true], ['[\\s-]', '-', true], ['[a\\-z]', 'b', false], ['[\\x41-\\x43]', 'B', true], ['[\\d.-]+', '-', true], ['\\x41\\x{1F600}', 'A\u{1F600}', true], ['a|b', 'b', true],
    ['(?:ab)+c', 'ababc', true], ['^(\\d{1,3}\\.){3}\\d{1,3}$', '10.0.0.1', true], ['^(?:cat|dog|cow)s?$', 'dogs', true], ['(a|b)(c|d)', 'bc', true], ['^a{2,3}$', 'aaaa', false], ['(?=x)x', 'x', true], ['\\s', '\u00a0', false], ['\\s', '\t', true], ['\\S', '\u00a0', true], ['a{2}', 'aa', true], ['a{x}', 'a{x}', true],
    ['^.$', '\u{1F600}', true], ['\\.', 'x', false], ['\\/', '/', true], ['\\-\\@\\"', '-@"', true], ['[]]', ']', true], ['x*?y', 'xxy', true], ['\\bfoo\\b', 'a foo b', true],
  ])('%s on %j: %p', (pattern, text, expected) => {
    expect(test1(pattern, text)).toBe(expected);
  });

  test('read a plain text as itself once it is escaped', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')), (text) => {
      const escaped = text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
      expect(test1(escaped, `<${text}>`)).toBe(true);
    }));
  });

  test('do not depend on an earlier match', () => {
    const filter = compileFilter({ a: /x/g });
    expect([filter.test({ a: 'x' }), filter.test({ a: 'x' })]).toEqual([true, true]);
  });

  test.each([
    '(a+)+b', '(a?){30}a{30}', '(?:a|a){20}b', `${'a?'.repeat(20)}${'a'.repeat(20)}`, '((a|b){4}){4}', '(a+){3}', '(a?a?a?a?a?a?a?){4}', '(a{0,99}){3}', '(a|ab)*c', '((x)*y)*', '(a*){2,}', '(?i)abc', '(?>a)', 'a++', '\\Aab', 'ab\\z', '\\p{L}', '(a)\\1', '[[:alpha:]]', '(?<name>x)', 'x'.repeat(1_001), '.*a.*b.*c.*d.*e',
  ])('%s is refused rather than guessed or left to run', (pattern) => {
    expect(codeOf(() => test1(pattern, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'))).toBe(115);
  });

  test('refuse the option x and texts too long for the repetitions in the pattern', () => {
    expect(codeOf(() => test1('a', 'a', 'x'))).toBe(115);
    expect(test1('abc', `${'x'.repeat(100_000)}abc`)).toBe(true);
    expect(test1('^x.*abc$', `x${'y'.repeat(100_000)}abc`)).toBe(true);
    expect(codeOf(() => test1('.*abc', 'x'.repeat(100_000)))).toBe(115);
    expect(codeOf(() => test1('.*a.*b', 'x'.repeat(2_000)))).toBe(115);
  });

  test('of a BSON type are read with their options', () => {
    expect(matches({ a: new BSONRegExp('ABC', 'i') }, { a: 'abc' })).toBe(true);
    expect(codeOf(() => matches({ a: new BSONRegExp('a b', 'x') }, { a: 'ab' }))).toBe(115);
  });
});

describe('the types of a document', () => {
  const refused: ReadonlyArray<readonly [unknown, string]> = [
    [Decimal128.fromString('1'), 'decimal'], [new Timestamp({ t: 1, i: 1 }), 'timestamp'], [new MaxKey(), 'maxKey'], [/x/, 'regex'], [undefined, 'undefined'],
    [new Code('x'), 'javascript'], [new DBRef('c', 1 as never), 'DBRef'], [1n, 'bigint'], [Symbol('x'), 'symbol'], [{ _bsontype: 'Long' }, '_bsontype'],
    [new Date(NaN), 'dates outside'],
  ];

  test.each(refused)('refuse %p by name', (value, name) => {
    expect(messageOf(() => requireSupportedTypes({ a: { b: [value] } }))).toContain(name);
    expect(codeOf(() => requireSupportedTypes({ a: value }))).toBe(115);
    expect(codeOf(() => compileFilter({ a: { $gt: [value] } }))).toBe(115);
  });

  test('take everything on the list', () => {
    fc.assert(fc.property(values, (value) => {
      expect(codeOf(() => requireSupportedTypes({ value }))).toBe('no error');
    }));
  });

  test('nest at most 100 levels', () => {
    const deep = (levels: number): Doc => Array.from({ length: levels - 1 }).reduce<Doc>((a) => ({ a }), {});
    expect(codeOf(() => requireSupportedTypes(deep(100)))).toBe('no error');
    expect(codeOf(() => requireSupportedTypes(deep(150)))).toBe(15);
  });

  test.each([[[1], 53], [/x/, 53], [undefined, 53], [{ $a: 1 }, 52], [{ a: { $b: 1 } }, 52], [{ a: 1 }, 'no error'], [null, 'no error'], ['x', 'no error']])(
    '_id %p: %p', (id, code) => {
      expect(codeOf(() => requireValidId(id))).toBe(code);
    });
});
