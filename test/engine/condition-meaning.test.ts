import fc from 'fast-check';
import { conditionToExpression } from '../../src/engine';
import type { EngineError } from '../../src/engine';
import { evaluate } from '../../src/engine/expression/evaluate';
import { parseExpression, parseLoop } from '../../src/engine/expression/parse';
import type { Value } from '../../src/engine/value';
import { scopeOf } from './support/expressions';
import { RELATIONS } from './support/relations';
import { rounds, shareOf } from '../support/rounds';

/* Compares each condition of the 4.x line with the expression derived from it. The expected meaning is written from docs/workflows.md alone and uses no engine code. */

type Outcome = boolean | 'error';
interface Side {
  readonly color: string;
  readonly type: string;
  readonly field: unknown;
  readonly rightPropertyValue?: string;
}

const isScalar = (value: Value): boolean => value === null || typeof value !== 'object';
const textOf = (value: Value): string | null =>
  value !== null && typeof value !== 'object' ? String(value) : null;

/** null only equals null; numbers as numbers; scalars of different types as text; lists and objects by value. */
function same(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === null && b === null;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value: Value, at) => same(value, b[at] as Value))
    );
  if (typeof a === 'object' || typeof b === 'object') {
    if (typeof a !== 'object' || typeof b !== 'object') return false;
    const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
    return (
      left.length === right.size &&
      left.every(([name, value]) => right.has(name) && same(value, right.get(name) as Value))
    );
  }
  return typeof a === typeof b ? a === b : `${a}` === `${b}`;
}

/** A number, numeric text, or the instant of an ISO date; null if it cannot be ordered. */
function magnitude(value: Value): { kind: 'number' | 'date'; at: number } | null {
  if (typeof value === 'number') return { kind: 'number', at: value };
  if (typeof value !== 'string') return null;
  if (
    value.trim() !== '' &&
    /^\s*[+-]?[\d.]+(e[+-]?\d+)?\s*$/i.test(value) &&
    Number.isFinite(Number(value))
  )
    return { kind: 'number', at: Number(value) };
  if (!/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const at = Date.parse(/T|Z/.test(value) ? value : `${value}T00:00:00Z`);
  return Number.isNaN(at) ? null : { kind: 'date', at };
}

/** `%` matches any text; all else matches itself, case-insensitively. */
const isLike = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .toLowerCase()
      .split('%')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  ).test(text.toLowerCase());

const ERROR = Symbol('error');
type Meaning = boolean | typeof ERROR;

const scalars = (
  left: Value,
  right: Value,
  compare: (a: string, b: string) => boolean,
): Meaning => {
  if (left === null || right === null) return false;
  const [a, b] = [textOf(left), textOf(right)];
  return a === null || b === null ? ERROR : compare(a, b);
};
const ordered = (left: Value, right: Value, compare: (difference: number) => boolean): Meaning => {
  const [a, b] = [magnitude(left), magnitude(right)];
  return a === null || b === null || a.kind !== b.kind ? ERROR : compare(a.at - b.at);
};
const listed = (left: Value, evaluate: (list: readonly Value[]) => Meaning): Meaning =>
  left === null ? evaluate([]) : Array.isArray(left) ? evaluate(left as Value[]) : ERROR;
const not = (meaning: Meaning): Meaning => (meaning === ERROR ? ERROR : !meaning);
const sized = (value: Value, evaluate: (size: number) => boolean): Meaning => {
  if (value === null) return evaluate(0);
  return typeof value === 'object' || typeof value === 'string'
    ? evaluate(typeof value === 'string' ? value.length : Object.keys(value).length)
    : ERROR;
};
const kinds: Record<string, (value: Value) => boolean> = {
  NUM: (value) => typeof value === 'number',
  STR: (value) => typeof value === 'string',
  BOOL: (value) => typeof value === 'boolean',
  ARR: (value) => Array.isArray(value),
  OBJ: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const positive: Record<string, (left: Value, right: Value) => Meaning> = {
  '=': same,
  '>': (a, b) => ordered(a, b, (difference) => difference > 0),
  '>=': (a, b) => ordered(a, b, (difference) => difference >= 0),
  '<': (a, b) => ordered(a, b, (difference) => difference < 0),
  '<=': (a, b) => ordered(a, b, (difference) => difference <= 0),
  isnull: (value) => value === null,
  isempty: (value) => sized(value, (size) => size === 0),
  contains: (left, right) => listed(left, (list) => list.some((element) => same(element, right))),
  containssubstr: (left, right) => {
    if (right === null) return false;
    const part = textOf(right);
    if (part === null) return ERROR;
    const texts = Array.isArray(left) || left === null ? (left ?? []) : [left];
    if (!Array.isArray(left) && !isScalar(left)) return ERROR;
    return (texts as Value[]).some((text) => textOf(text)?.includes(part) ?? false);
  },
  propertyexists: (left, right) => {
    if (left === null || right === null) return false;
    if (Array.isArray(left)) return left.some((element: Value) => same(element, right));
    if (isScalar(left) || textOf(right) === null) return ERROR;
    return Object.keys(left).includes(textOf(right) ?? '');
  },
  like: (left, right) => scalars(left, right, isLike),
  matches: (left, right) =>
    scalars(left, right, (text, pattern) => new RegExp(`^(?:${pattern})$`, 'u').test(text)),
  istypeof: (left, right) =>
    kinds[String(textOf(right) ?? (right === null ? '' : JSON.stringify(right))).toUpperCase()]?.(
      left,
    ) ?? ERROR,
  allowlist: (left, right) => {
    if (left === null || right === null) return false;
    const entries = Array.isArray(right)
      ? right.map(textOf)
      : (textOf(right)?.split(/\r\n|[,\r\n]/) ?? null);
    const text = textOf(left);
    return text === null || entries === null || entries.includes(null)
      ? ERROR
      : entries.some((entry) => isLike(text, entry ?? ''));
  },
};
const negative: Record<string, string> = {
  '!=': '=',
  notnull: 'isnull',
  notempty: 'isempty',
  notcontains: 'contains',
  notcontainssubstr: 'containssubstr',
  propertynotexists: 'propertyexists',
  notlike: 'like',
  denylist: 'allowlist',
};
const spellings: Record<string, string> = { regexp: 'matches', regex: 'matches' };
const CONTAINS = /contains/i;

/** Answers, a request and webhook parameters that the conditions refer to. */
interface World {
  readonly a: Value;
  readonly b: Value;
  readonly parameter: Value;
}

function valueOfSide(
  { color, type, field, rightPropertyValue = '' }: Side,
  world: World,
  isContains: boolean,
): Value {
  if (color === '') {
    const text = String(field);
    if (text === '${p}') return world.parameter;
    return text.replaceAll('${p}', () =>
      world.parameter === null ? '' : (textOf(world.parameter) ?? JSON.stringify(world.parameter)),
    );
  }
  const body: Value = { v: color === '#0000AA' ? world.a : world.b };
  const path = String(field)
    .split('.')
    .filter((name) => !(type !== 'request' && name === 'success'));
  if (isContains && rightPropertyValue !== '') path.push(rightPropertyValue);
  return path.reduce<Value>((value, name) => follow(value, name.replace(/\[\*?\]$/, '')), body);
}

/** The field of an object or of every list element; a missing field is null, or is left out of a list. */
function follow(value: Value, name: string): Value {
  if (Array.isArray(value)) {
    return (value as Value[])
      .flat(Infinity as 1)
      .filter((element): element is { readonly [name: string]: Value } => !isScalar(element))
      .flatMap((element) => (Object.hasOwn(element, name) ? [element[name]] : []));
  }
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, Value>)[name]
    : null;
}

function meaningOf(relation: string, left: Side, right: Side, world: World): Outcome {
  const name = spellings[relation.toLowerCase()] ?? relation.toLowerCase();
  const isContains = CONTAINS.test(name);
  const [a, b] = [valueOfSide(left, world, isContains), valueOfSide(right, world, false)];
  const meaning =
    negative[name] === undefined ? positive[name](a, b) : not(positive[negative[name]](a, b));
  return meaning === ERROR ? 'error' : meaning;
}

function outcomeOfExpression(text: string, world: World): Outcome {
  const scope = {
    ...scopeOf({
      '#0000AA': { body: { v: world.a }, request: { v: world.a } },
      '#0000BB': { body: { v: world.b }, request: { v: world.b } },
    }),
    webhookParameter: () => world.parameter,
  };
  const expression = parseExpression(text);
  try {
    return evaluate(expression, scope) as boolean;
  } catch (error) {
    if (
      ['EXPRESSION_TYPE_MISMATCH', 'EXPRESSION_BAD_PATTERN'].includes((error as EngineError).code)
    )
      return 'error';
    throw error;
  }
}

/** Edge cases: values that look like another type, need escaping, or are empty. */
const ODD: readonly Value[] = [
  ...[null, true, false, 0, -0, 1, 4, -1.5, 1e21, 9007199254740991, '', ' ', '0', '4'],
  ...['4.0', ' 4 ', '+4', '.5', '1e3', '-', '.', 'NaN', 'Infinity', 'null', 'true'],
  ...['abc', 'ABC', 'a%c', '%', '%%', 'a,b', 'a\nb', ',', 'a.c', '"', "'", '\\', '\\"'],
  ...['\\n', '\t', 'x "y" \\ z', 'ü', '🙂', '{%', '%}', '${', '#0000AA', ') || (1 = 1'],
  ...['2024-01-01', '2024-01-01T10:00:00Z', '2024-13-45', 'NUM', 'STR', 'bool', 'ARR'],
  ...['OBJ', [], {}, [null], [''], ['abc'], [4], ['4'], [true], [[1]], [{ v: 1 }]],
  ...[[{ p: 'abc' }, { p: 4 }, {}, 5], { p: 'abc' }, { abc: null }, { 4: 1 }],
  { a: [1, { b: '2' }] },
];
/** Constants as the old editor sent them: texts, numbers and booleans. */
const CONSTANTS = ODD.filter((value) => value !== null && typeof value !== 'object');
const PATTERNS: ReadonlySet<string> = new Set(['Matches', 'RegExp', 'RegEx']);
/** The two pattern languages reject different patterns; patterns that both accept mean the same. */
const isPattern = (text: string): boolean => /^[A-Za-z0-9.,% ü\n]*$/.test(text);

const statement = (
  color: string,
  field: unknown,
  type = color === '' ? '' : 'response',
  rightPropertyValue = '',
): Side => ({ color, type, field, rightPropertyValue });

function compare(relation: string, left: Side, right: Side, world: World): void {
  const text = conditionToExpression({
    type: 'if',
    condition: { relationalOperator: relation, leftStatement: left, rightStatement: right },
  });
  const [derived, expected] = [
    text === null ? 'none' : outcomeOfExpression(text, world),
    meaningOf(relation, left, right, world),
  ];
  // Tens of thousands of pairs: calls expect only for a difference.
  if (derived !== expected)
    expect({ relation, left, right, world, text, outcome: derived }).toEqual({
      relation,
      left,
      right,
      world,
      text,
      outcome: expected,
    });
}

describe('a condition and its expression give the same result', () => {
  it.each(shareOf(RELATIONS, 0, 4))('%s: for a field and constants', (relation) => {
    for (const a of ODD) {
      for (const constant of CONSTANTS) {
        if (PATTERNS.has(relation) && !isPattern(String(constant))) continue;
        compare(relation, statement('#0000AA', 'success.v'), statement('', constant), {
          a,
          b: null,
          parameter: null,
        });
      }
    }
  });

  it.each(shareOf(RELATIONS, 1, 4))('%s: for two fields of answers and requests', (relation) => {
    for (const [nth, a] of ODD.entries()) {
      for (const b of ODD) {
        if (
          PATTERNS.has(relation) &&
          !(b === null || typeof b === 'object' || isPattern(String(b)))
        )
          continue;
        const [left, right] = [
          nth % 2 ? statement('#0000AA', 'success.v') : statement('#0000AA', 'v', 'request'),
          statement('#0000BB', nth % 3 ? 'success.v' : 'v', nth % 3 ? 'response' : 'request'),
        ];
        compare(relation, left, right, { a, b, parameter: null });
      }
    }
  });

  it.each(shareOf(RELATIONS, 2, 4))(
    '%s: for relation names in any case, constants on the left and webhook parameters',
    (relation) => {
      for (const parameter of ODD) {
        if (
          PATTERNS.has(relation) &&
          !(parameter === null || typeof parameter === 'object' || isPattern(String(parameter)))
        )
          continue;
        const world = { a: 'abc', b: null, parameter };
        compare(relation.toUpperCase(), statement('', 'abc'), statement('', '${p}'), world);
        compare(relation.toLowerCase(), statement('', '${p}'), statement('', 'abc'), world);
        if (!PATTERNS.has(relation))
          compare(relation, statement('#0000AA', 'success.v'), statement('', 'a${p}c'), world);
      }
    },
  );

  it.each(
    shareOf(
      RELATIONS.filter((relation) => CONTAINS.test(relation)),
      0,
      4,
    ),
  )('%s: for the values of one property of every list element', (relation) => {
    for (const a of ODD) {
      for (const constant of CONSTANTS) {
        for (const field of ['success.v', 'success.v[*]', 'success.v[]'])
          compare(relation, statement('#0000AA', field, 'response', 'p'), statement('', constant), {
            a: Array.isArray(a) ? a : [a],
            b: null,
            parameter: null,
          });
      }
    }
  });

  it('for arbitrary texts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RELATIONS.filter((relation) => !PATTERNS.has(relation))),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (relation, a, constant) => {
          fc.pre(!constant.includes('${') && !constant.includes('{%'));
          // Letter case outside ASCII is covered by the engine tests.
          fc.pre(!/like|list/i.test(relation) || /^[\x20-\x7e]*$/.test(a + constant));
          compare(relation, statement('#0000AA', 'success.v'), statement('', constant), {
            a,
            b: null,
            parameter: null,
          });
        },
      ),
      { numRuns: rounds(2_000) },
    );
  });
});

describe('the conversion of a condition', () => {
  const condition = (relationalOperator: unknown, field: unknown = 'success.v') => ({
    relationalOperator,
    leftStatement: statement('#0000AA', field),
    rightStatement: statement('', 'x'),
  });

  it.each(['= "x") || (1 ', 'Like Like', '=\n', 'a.b', '{%'])(
    'finds no expression for the relation %j',
    (relation) => {
      expect(
        conditionToExpression({
          type: 'if',
          condition: condition(relation === '=\n' ? '= \n=' : relation),
        }),
      ).toBeNull();
    },
  );

  it.each([
    ['', 'success'],
    ['v', 'success.v'],
    ['[*].v', 'success[*].v'],
    ['successor', 'success.successor'],
    ['fail.x', 'fail.x'],
    ['body[0]', 'body[0]'],
    ['status', 'status'],
  ])('names the part of the answer: %j', (field, path) => {
    expect(conditionToExpression({ type: 'if', condition: condition('IsNull', field) })).toBe(
      `({%#0000AA.(response).${path}%} IsNull)`,
    );
  });

  it.each<[string, Value]>([
    ['success.rate%', { 'rate%': 'x' }],
    ['{a~b}', { '{a~b}': 'x' }],
    ['success.a.%[0].}', { a: { '%': [{ '}': 'x' }] } }],
    ["success.a['.%~'].b c", { a: { '.%~': { 'b c': 'x' } } }],
  ])('finds field names that contain expression marks: %j', (field, body) => {
    const text = conditionToExpression({ type: 'if', condition: condition('=', field) }) ?? '';
    expect(evaluate(parseExpression(text), scopeOf({ '#0000AA': { body } }))).toBe(true);
  });

  it('loops over the left value, split by the right one', () => {
    const loop = (relation: unknown, right: unknown) =>
      conditionToExpression({
        type: 'loop',
        condition: {
          ...condition(relation),
          rightStatement: right === null ? null : statement('', right),
        },
      }) ?? '';
    for (const text of [
      loop('', 'x'),
      loop('for', 'x'),
      loop('forIn', 'x'),
      loop('SplitString', '[,;]'),
      loop('splitstring', '"\\'),
      loop('SplitString', null),
      loop('SplitString', '${p}'),
    ])
      expect(parseLoop(text)).toBeTruthy();
    expect(loop('SplitString', '${p}')).toBe('SplitString({%#0000AA.(response).success.v%}, ${p})');
  });
});
