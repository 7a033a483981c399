import fc from 'fast-check';
import { holdsRoundedNumber, NumberTooLarge, parseExactJson } from '../../../src/engine/exact-json';
import { Cursor } from '../../../src/engine/reference/cursor';
import { readTarget } from '../../../src/engine/reference/parse-reference';
import { resolveReference } from '../../../src/engine/reference/resolve';
import type { Exchange, LoopFrame } from '../../../src/engine/reference/scope';
import { parseTemplate, renderText, soleSources } from '../../../src/engine/text/template';
import { readJsonText } from '../../../src/engine/request/body';
import { toJson, toText } from '../../../src/engine/value';
import type { Value } from '../../../src/engine/value';
import { forLoop, keyLoop, scopeOf, splitLoop, valueOf } from '../support/expressions';
import { rounds } from '../../support/rounds';

const body: Value = {
  state: { id: 4, 'long name': 'x' },
  tickets: [
    { title: 'a', tags: ['p', 'q'] },
    { title: 'b', tags: ['r'] },
    { other: true, tags: [] },
  ],
  byId: { k1: { n: 1 }, k2: { n: 2 } },
  csv: 'red,green,blue',
  matrix: [[1, 2], [3]],
  nothing: null,
  'odd.name': 'dot',
  i: 'a field called i',
};
const exchange: Partial<Exchange> = {
  body,
  request: { sent: [{ id: 7 }] },
  status: 201,
  headers: {
    'content-type': 'application/json',
    'x-many': ['a', 'b'],
    'set-cookie': ['a=1', 'b=2'],
  },
};

function resolve(target: string, loops: LoopFrame[] = [], more: Partial<Exchange> = {}): Value {
  const reference = readTarget(new Cursor(`#ABCDEF.${target}`));
  return resolveReference(reference, scopeOf({ '#ABCDEF': { ...exchange, ...more } }, loops));
}

describe('a reference', () => {
  it.each<[string, Value]>([
    ['(response).body.state.id', 4],
    ['(response).success.state.id', 4],
    ['(response).body.state.long name', 'x'],
    ["(response).body['odd.name']", 'dot'],
    ['(response).body.tickets[1].title', 'b'],
    ['(response).body.tickets[9].title', null],
    ['(response).body.tickets[*].title', ['a', 'b']],
    ['(response).body.tickets[].title', ['a', 'b']],
    ['(response).body.tickets.title', ['a', 'b']],
    ['(response).body.tickets[*].tags[*]', ['p', 'q', 'r']],
    ['(response).body.tickets.tags', [['p', 'q'], ['r'], []]],
    ['(response).body.tickets[*].tags[0]', ['p', 'r']],
    ['(response).body.matrix[*]', [[1, 2], [3]]],
    ['(response).body.matrix[0][1]', 2],
    ['(response).body.nothing', null],
    ['(response).body.missing.deeper', null],
    ['(response).body.missing[*].x', null],
    ['(response).body.nothing[*]', null],
    ["(response).body.byId['k2'].n", 2],
    ["(response).body.byId['*']~", ['k1', 'k2']],
    ['(response).body.byId[*]~', ['k1', 'k2']],
    ["(response).body.byId['k1']~", 'k1'],
    ["(response).body.byId['none']~", null],
    ['(response).body.byId[*].n', [1, 2]],
    ["(response).body['i']", 'a field called i'],
    ['(response).status', 201],
    ['(response).header.Content-Type', 'application/json'],
    ['(response).header.X-MANY', 'a, b'],
    ['(response).header.set-cookie', ['a=1', 'b=2']],
    ['(response).header.absent', null],
    ['(request).sent[0].id', 7],
    ['(request)', { sent: [{ id: 7 }] }],
    ['(response).fail.state.id', null],
    ['(response).body.toString', null],
    ['(response).body.tickets.length', []],
    ['(response).body.__proto__', null],
    ['(response).header.constructor', null],
  ])('%s', (target, value) => {
    expect(resolve(target)).toEqual(value);
  });

  it('accepts the whole-body spellings of released editors', () => {
    expect(resolve('(response).success')).toEqual(body);
    expect(resolve('(response).success.')).toEqual(body);
    expect(resolve('(response).success.[*].n', [], { body: [{ n: 1 }, { n: 2 }] })).toEqual([1, 2]);
    expect(resolve('(response).body[*]', [], { body: [] })).toEqual([]);
  });

  it('gives success or fail by the status, and the body for either', () => {
    const failed = { status: 404, body: { reason: 'gone' } };
    expect(resolve('(response).success.reason', [], failed)).toBeNull();
    expect(resolve('(response).fail.reason', [], failed)).toBe('gone');
    expect(resolve('(response).body.reason', [], failed)).toBe('gone');
    expect(resolve('(response).fail', [], { status: 399 })).toBeNull();
  });

  it.each<[string, LoopFrame[], Value]>([
    ['(response).body.tickets[i].title', [forLoop('i', 1)], 'b'],
    ['(response).body.tickets[i].tags[j]', [forLoop('i', 0), forLoop('j', 1)], 'q'],
    ['(response).body.tickets[i].tags[k]', [forLoop('i', 0), forLoop('j', 1)], null],
    ['(response).body.tickets[i]~', [forLoop('i', 1)], 1],
    ["(response).body.byId['i'].n", [keyLoop('i', 'k2')], 2],
    ["(response).body.byId['i']~", [keyLoop('i', 'k2')], 'k2'],
    ['(response).body.byId[i].n', [keyLoop('i', 'k1')], 1],
    ["(response).body['i']", [forLoop('i', 3)], 'a field called i'],
    [
      '(response).body.csv[i]~',
      [splitLoop('i', 1, 'red,green,blue', ['red', 'green', 'blue'])],
      'green',
    ],
    [
      '(response).body.csv[*]~',
      [splitLoop('i', 1, 'red,green,blue', ['red', 'green', 'blue'])],
      ['red', 'green', 'blue'],
    ],
    [
      '(response).body.csv[0]~',
      [splitLoop('i', 1, 'red,green,blue', ['red', 'green', 'blue'])],
      'red',
    ],
    ['(response).body.csv[0]~', [], null],
    ['(response).body.state.id[0]~', [splitLoop('i', 1, '4', ['4'])], '4'],
    ['(response).body.state.id[*]~', [splitLoop('i', 1, '4', ['4'])], ['4']],
    ['(response).body.state.id[1]~', [splitLoop('i', 1, '4', ['4'])], null],
    ['(response).body.state.id[0]~', [splitLoop('i', 1, '5', ['5'])], null],
    ['(response).body.nothing[*]~', [splitLoop('i', 1, 'null', ['null'])], null],
  ])('%s inside loops', (target, loops, value) => {
    expect(resolve(target, loops)).toEqual(value);
  });

  it('reads deeply nested lists without a stack overflow', () => {
    let body: Value = [{ a: 1 }, 'x', { a: 2 }, { b: 3 }];
    for (let depth = 0; depth < 200_000; depth += 1) body = [body];
    expect(resolve('(response).body.a', [], { body })).toEqual([1, 2]);
    expect(resolve("(response).body['a']", [], { body })).toEqual([1, 2]);
  });

  it('is null for a step that did not run', () => {
    expect(
      resolveReference(readTarget(new Cursor('#123456.(response).body.x')), scopeOf({})),
    ).toBeNull();
  });
});

describe('an integer outside the double range', () => {
  it('keeps its digits everywhere', () => {
    const text =
      '{"id":9007199254740993,"neg":-12345678901234567890,"list":[1,9007199254740991,0.1234567890123456],"text":"9007199254740993 \\" 12345678901234567890","e":1e20}';
    const value = parseExactJson(text) as Value;
    expect(value).toMatchObject({
      id: 9007199254740993n,
      neg: -12345678901234567890n,
      list: [1, 9007199254740991, 0.1234567890123456],
      e: 1e20,
    });
    expect(toJson(value)).toBe(text.replace('1e20', '100000000000000000000'));
    expect(toText(resolve('(response).body.id', [], { body: value }))).toBe('9007199254740993');
    expect(valueOf('x = "9007199254740993"', 9007199254740993n)).toBe(true);
    expect(valueOf('x IsTypeOf "NUM" && x > 5', 9007199254740993n)).toBe(true);
    expect(
      valueOf(
        'x = 9007199254740993 && x != 9007199254740992 && x > 9007199254740992 && x >= 9007199254740993',
        9007199254740993n,
      ),
    ).toBe(true);
    expect(
      valueOf('x = -12345678901234567891 && x < -12345678901234567890', -12345678901234567891n),
    ).toBe(true);
    expect(valueOf('x = 100000000000000000000', 1e20)).toBe(true);
  });

  it('is distinguished from exact doubles in any notation and from rounded ones', () => {
    const digits = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{0,30}$/))
      .map(([first, rest]) => `${first}${rest}`);
    const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/));
    const exponent = fc.oneof(
      fc.constant(''),
      fc
        .integer({ min: -330, max: 420 })
        .chain((power) =>
          fc.constantFrom(`e${power}`, `E${power}`, power < 0 ? `e${power}` : `e+${power}`),
        ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('', '-'),
        digits,
        fraction,
        exponent,
        fc.jsonValue(),
        (sign, whole, part, power, sibling) => {
          const token = `${sign}${whole}${part}${power}`;
          const text = JSON.stringify({ token, beside: sibling, at: 0 }).replace(
            '"at":0',
            `"at":${token}`,
          );
          const number = Number(token);
          const isPlain = part === '' && power === '';
          const isLost =
            !isPlain &&
            (!Number.isFinite(number) ||
              (Math.abs(number) > Number.MAX_SAFE_INTEGER &&
                `${whole}${part}`.replace(/\D/g, '').replace(/0+$/, '').length > 17));
          expect(holdsRoundedNumber(text)).toBe(isLost);
          if (isLost) expect(() => parseExactJson(text)).toThrow(NumberTooLarge);
          else
            expect(parseExactJson(text)).toEqual({
              ...JSON.parse(text),
              at: isPlain && String(number) !== token ? BigInt(token) : number,
            });
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  it('does not change duplicate fields, depth limits or invalid JSON', () => {
    expect(parseExactJson('{"a":9007199254740993,"a":1,"__proto__":2}')).toEqual(
      JSON.parse('{"a":1,"__proto__":2}'),
    );
    expect(() =>
      parseExactJson(`${'['.repeat(50_000)}9007199254740993${']'.repeat(50_000)}`),
    ).toThrow(RangeError);
    for (const text of [
      '9007199254740993 9',
      '[9007199254740993,]',
      '{"a":09007199254740993}',
      '[9007199254740993',
      '"\\',
      '1e',
      '[--9007199254740993]',
      '9007199254740993.e5',
    ])
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('does not change the rest of the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.bigInt(), (value, big) => {
        expect(parseExactJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(toJson(parseExactJson(`[${JSON.stringify(value)},${big}]`) as Value)).toBe(
          `[${JSON.stringify(JSON.parse(JSON.stringify(value)))},${big}]`,
        );
      }),
    );
  });
});

describe('a text with references', () => {
  const render = (text: string) =>
    renderText(parseTemplate(text), scopeOf({ '#ABCDEF': exchange }));

  it('contains inserted values once, and nothing for null', () => {
    expect(
      render('id={%#abcdef.(response).body.state.id%}, none={%#ABCDEF.(response).body.none%}!'),
    ).toBe('id=4, none=!');
    expect(render('{%#ABCDEF.(response).body.matrix%}')).toBe('[[1,2],[3]]');
    expect(
      renderText(
        parseTemplate('{%#ABCDEF.(response).body%}'),
        scopeOf({ '#ABCDEF': { body: '{%#ABCDEF.(response).status%}${x}' } }),
      ),
    ).toBe('{%#ABCDEF.(response).status%}${x}');
  });

  it('keeps text that only resembles a mark', () => {
    const text = '{% if x %} ${} ${a b]} $ { {x} @{page} {#3.user} %} #FF0000';
    expect(render(text)).toBe(text);
  });

  it('contains nothing for a webhook parameter in a run without a webhook', () => {
    expect(render('[${customer.name}][${ids[0]:integer}]')).toBe('[][]');
  });

  it('is distinguished from a single reference', () => {
    expect(soleSources(' {%#ABCDEF.(response).body.x%} ')).toHaveLength(1);
    expect(soleSources('#ABCDEF.(response).body.x')).toHaveLength(1);
    expect(soleSources('#ABCDEF.(response).body.x;#ABCDEF.(request).y')).toHaveLength(2);
    expect(soleSources('${x}')).toHaveLength(1);
    expect(soleSources('a {%#ABCDEF.(response).body.x%}')).toBeNull();
    expect(soleSources('#ABCDEF is a colour')).toBeNull();
  });

  it.each(['${', '${a.', '{%', '{%#', "${a['", 'a'])(
    'is read in linear time when it is %p',
    (piece) => {
      const text = piece.repeat(100_000);
      expect(parseTemplate(text)).toEqual([text]);
      expect(parseTemplate(`\${${text}`)).toEqual([`\${${text}`]);
      expect(() => readJsonText(`{${text}`)).toThrow('The body is not JSON.');
    },
  );

  it('reports the position of an invalid mark', () => {
    expect(() => parseTemplate('/a/{%#ABCDEF.(respond).x%}')).toThrow(
      'Line 1, column 14: expected "(request)" or "(response)", found "(".',
    );
    expect(() => soleSources('#ABCDEF.(response).body.x]')).toThrow(
      'expected the end of the reference',
    );
  });
});
