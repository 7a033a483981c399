import { Binary, BSON, Double, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { Elements, decodeDocument, fieldReader } from '../../src/values/bson-elements';
import { compileProjection } from '../../src/query/projection';
import type { Doc } from '../../src/values/values';
import { documents, nested } from '../support/arbitrary-values';
import { codeOf } from '../support/errors';
import { projectionErrors } from '../support/project-cases';

const bytesOf = (doc: Doc): Buffer => Buffer.from(BSON.serialize(doc));
const project = (projection: Doc, doc: Doc): Doc =>
  decodeDocument(compileProjection(projection)(bytesOf(doc)));

describe('a projection', () => {
  test.each(projectionErrors)('%p fails with %p', (projection, code) => {
    expect(codeOf(() => compileProjection(projection))).toBe(code);
  });

  test('keeps the order of the document', () => {
    expect(Object.keys(project({ c: 1, a: 1 }, { _id: 1, a: 1, b: 2, c: 3 }))).toEqual([
      '_id',
      'a',
      'c',
    ]);
  });

  test('keeps stored types of doubles and the order of numeric field names', () => {
    const stored = new Map<string, unknown>([
      ['_id', 1],
      ['10', 'x'],
      ['2', new Double(3)],
      [
        'a',
        new Map<string, unknown>([
          ['b', new Double(4)],
          ['c', 1],
        ]),
      ],
    ]);
    const expected = new Map<string, unknown>([
      ['_id', 1],
      ['10', 'x'],
      ['2', new Double(3)],
      ['a', new Map([['b', new Double(4)]])],
    ]);
    const bytes = (of: Map<string, unknown>): Buffer => Buffer.from(BSON.serialize(of));
    expect(compileProjection({ 10: 1, 2: 1, 'a.b': 1 })(bytes(stored))).toEqual(bytes(expected));
    expect(compileProjection({ 'a.c': 0 })(bytes(stored))).toEqual(bytes(expected));
  });

  test('with fields and one without them are complementary', () => {
    fc.assert(
      fc.property(nested, fc.subarray(['a', 'b', 'c'], { minLength: 1 }), (doc, names) => {
        const projection = (value: 0 | 1): Doc =>
          Object.fromEntries(names.map((name) => [name, value]));
        const included = project(projection(1), doc);
        const rest = project(projection(0), doc);
        expect({ ...rest, ...included }).toEqual(doc);
        expect(Object.keys(included).filter((name) => Object.hasOwn(rest, name))).toEqual([]);
      }),
    );
  });

  test('with dotted fields is well-formed, and its exclusion keeps the rest', () => {
    const paths = fc.constantFrom('a.b', 'b.a', 'a.b.c', 'c.0', '0.a');
    const merged = (part: unknown, rest: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries([
        ...Object.entries(rest as Doc),
        ...Object.entries(part).map(([name, value]) => [
          name,
          Object.hasOwn(rest as Doc, name) ? merged(value, (rest as Doc)[name]) : value,
        ]),
      ]);
    };
    const withoutArrays = nested.filter((doc) => !JSON.stringify(doc).includes('['));
    fc.assert(
      fc.property(nested, paths, (doc, path) => {
        for (const value of [0, 1]) expect(() => project({ [path]: value }, doc)).not.toThrow();
      }),
    );
    fc.assert(
      fc.property(withoutArrays, paths, (doc, path) => {
        expect(merged(project({ [path]: 1 }, doc), project({ [path]: 0 }, doc))).toEqual(doc);
      }),
    );
  });
});

describe('reading single fields', () => {
  test('gives the result of decoding the whole document', () => {
    fc.assert(
      fc.property(documents, fc.subarray(['a', 'b', 'c', 'none']), (doc, names) => {
        const bytes = bytesOf({ _id: 1, ...doc });
        const decoded = decodeDocument(bytes);
        expect(fieldReader(names)(bytes)).toEqual(
          Object.fromEntries(Object.entries(decoded).filter(([name]) => names.includes(name))),
        );
      }),
    );
  });

  test('supports every type of the store', () => {
    const doc = {
      a: 1,
      b: 1.5,
      c: 'ä',
      d: { x: [1] },
      e: [{ y: null }],
      f: new Binary(Buffer.from([1, 255])),
      g: new ObjectId(),
      h: true,
      i: new Date(-5),
      j: null,
      k: Long.MIN_VALUE,
      l: new Date(8.64e15),
      m: -(2 ** 31),
      n: '',
      o: {},
      p: [],
      q: -0,
    };
    expect(fieldReader(Object.keys(doc))(bytesOf(doc))).toEqual(decodeDocument(bytesOf(doc)));
    const named = JSON.parse('{ "__proto__": 1, "x": { "__proto__": 2 } }') as Doc;
    expect(fieldReader(['__proto__', 'x'])(bytesOf(named))).toEqual(named);
  });

  test('skips elements of any size', () => {
    fc.assert(
      fc.property(documents, (doc) => {
        const bytes = bytesOf(doc);
        const names: string[] = [];
        for (const elements = new Elements(bytes); elements.next();)
          names.push(bytes.toString('utf8', elements.start + 1, elements.nameEnd));
        expect(names).toEqual(Object.keys(decodeDocument(bytes)));
      }),
    );
  });
});
