/** What an operator or function is about. */
export type OperatorKind =
  'logic' | 'comparison' | 'arithmetic' | 'test' | 'list' | 'keys' | 'text' | 'type' | 'loop';

export interface OperatorFacts {
  readonly kind: OperatorKind;
  /** Other names in expressions. */
  readonly aliases?: readonly string[];
  /** Name in forms. */
  readonly label: string;
  readonly description: string;
  readonly example: string;
}

const REFERENCE = '{%#FFCFB5.(response).body';

/** Operators between two values. */
export const RELATIONS = {
  '=': {
    kind: 'comparison',
    aliases: ['=='],
    label: 'equals',
    description:
      'Equal. Two scalars of different types are compared as text; null equals only null.',
    example: `${REFERENCE}.state%} = "open"`,
  },
  '!=': {
    kind: 'comparison',
    label: 'does not equal',
    description: 'The opposite of `=`.',
    example: `${REFERENCE}.state%} != "closed"`,
  },
  '<': {
    kind: 'comparison',
    label: 'is less than',
    description: 'Compares numbers, numeric texts and ISO dates.',
    example: `${REFERENCE}.count%} < 10`,
  },
  '<=': {
    kind: 'comparison',
    label: 'is at most',
    description: 'Compares numbers, numeric texts and ISO dates.',
    example: `${REFERENCE}.count%} <= 10`,
  },
  '>': {
    kind: 'comparison',
    label: 'is greater than',
    description: 'Compares numbers, numeric texts and ISO dates.',
    example: `${REFERENCE}.created%} > "2026-01-31"`,
  },
  '>=': {
    kind: 'comparison',
    label: 'is at least',
    description: 'Compares numbers, numeric texts and ISO dates.',
    example: `${REFERENCE}.count%} >= 10`,
  },
  Contains: {
    kind: 'list',
    label: 'contains',
    description: 'The list on the left has an element that equals the value on the right.',
    example: `${REFERENCE}.tickets[*].state%} Contains "open"`,
  },
  NotContains: {
    kind: 'list',
    label: 'does not contain',
    description: 'The opposite of `Contains`.',
    example: `${REFERENCE}.tickets[*].state%} NotContains "open"`,
  },
  ContainsSubStr: {
    kind: 'list',
    label: 'contains the text',
    description: 'The text on the left, or an element of the list, contains the text on the right.',
    example: `${REFERENCE}.title%} ContainsSubStr "printer"`,
  },
  NotContainsSubStr: {
    kind: 'list',
    label: 'does not contain the text',
    description: 'The opposite of `ContainsSubStr`.',
    example: `${REFERENCE}.title%} NotContainsSubStr "printer"`,
  },
  PropertyExists: {
    kind: 'keys',
    label: 'has the field',
    description: 'The object on the left has a field of this name, or the list this element.',
    example: `${REFERENCE}.ticket%} PropertyExists "owner"`,
  },
  PropertyNotExists: {
    kind: 'keys',
    label: 'does not have the field',
    description: 'The opposite of `PropertyExists`.',
    example: `${REFERENCE}.ticket%} PropertyNotExists "owner"`,
  },
  Like: {
    kind: 'text',
    label: 'is like',
    description: 'The whole text, without regard to case; `%` is any text.',
    example: `${REFERENCE}.title%} Like "%printer%"`,
  },
  NotLike: {
    kind: 'text',
    label: 'is not like',
    description: 'The opposite of `Like`.',
    example: `${REFERENCE}.title%} NotLike "test%"`,
  },
  Matches: {
    kind: 'text',
    aliases: ['RegExp', 'RegEx'],
    label: 'matches the pattern',
    description: 'The whole text matches a regular expression (RE2).',
    example: `${REFERENCE}.number%} Matches "[A-Z]{2}[0-9]+"`,
  },
  IsTypeOf: {
    kind: 'type',
    label: 'is of the type',
    description: 'The type of the value: "NUM", "STR", "BOOL", "ARR" or "OBJ".',
    example: `${REFERENCE}.tickets%} IsTypeOf "ARR"`,
  },
  AllowList: {
    kind: 'text',
    label: 'is one of',
    description: 'Is like one of the patterns, which commas or line breaks separate.',
    example: `${REFERENCE}.queue%} AllowList "support,sales%"`,
  },
  DenyList: {
    kind: 'text',
    label: 'is none of',
    description: 'The opposite of `AllowList`.',
    example: `${REFERENCE}.queue%} DenyList "spam,test%"`,
  },
} as const satisfies Readonly<Record<string, OperatorFacts>>;

/** Operators after one value. */
export const UNARIES = {
  IsNull: {
    kind: 'test',
    label: 'is missing',
    description: 'The value is null or not there.',
    example: `${REFERENCE}.owner%} IsNull`,
  },
  NotNull: {
    kind: 'test',
    label: 'exists',
    description: 'The value is there, and not null.',
    example: `${REFERENCE}.owner%} NotNull`,
  },
  IsEmpty: {
    kind: 'test',
    label: 'is empty',
    description: 'A list, object or text without content, or null.',
    example: `${REFERENCE}.tickets%} IsEmpty`,
  },
  NotEmpty: {
    kind: 'test',
    label: 'is not empty',
    description: 'A list, object or text with content.',
    example: `${REFERENCE}.tickets%} NotEmpty`,
  },
} as const satisfies Readonly<Record<string, OperatorFacts>>;

const numbers = (label: string, description: string, example: string) =>
  ({ kind: 'arithmetic', label, description, example }) as const satisfies OperatorFacts;

export const ARITHMETIC = {
  '+': numbers('plus', 'Adds numbers; joins texts if one side is text.', '1 + 2'),
  '-': numbers('minus', 'Subtracts.', '3 - 2'),
  '*': numbers('times', 'Multiplies.', '2 * 3'),
  '/': numbers('divided by', 'Divides; by 0 ends the run.', '6 / 3'),
  '%': numbers('modulo', 'The remainder of a division.', '7 % 2'),
} as const;

export const LOGIC = {
  AND: {
    kind: 'logic',
    aliases: ['&&'],
    label: 'and',
    description: 'Both sides are true. The right side is only evaluated if the left one is true.',
    example: `${REFERENCE}.count%} > 0 && ${REFERENCE}.state%} = "open"`,
  },
  OR: {
    kind: 'logic',
    aliases: ['||'],
    label: 'or',
    description: 'One side is true. The right side is only evaluated if the left one is false.',
    example: `${REFERENCE}.count%} = 0 || ${REFERENCE}.state%} = "open"`,
  },
} as const satisfies Readonly<Record<string, OperatorFacts>>;

export const NEGATION = {
  NOT: {
    kind: 'logic',
    aliases: ['!'],
    label: 'not',
    description: 'The opposite of what follows.',
    example: `!(${REFERENCE}.state%} = "open")`,
  },
} as const satisfies Readonly<Record<string, OperatorFacts>>;

/** Functions in the expression of a loop. */
export const LOOPS = {
  For: {
    kind: 'loop',
    label: 'for each element',
    description: 'Repeats once per element of a list; the variable is the index from 0.',
    example: `For(${REFERENCE}.tickets%})`,
  },
  ForIn: {
    kind: 'loop',
    label: 'for each field',
    description: 'Repeats once per field of an object; the variable is its name.',
    example: `ForIn(${REFERENCE}.ticket%})`,
  },
  SplitString: {
    kind: 'loop',
    label: 'for each part of a text',
    description: 'Splits a text by a regular expression; the variable is the part.',
    example: `SplitString(${REFERENCE}.tags%}, ",")`,
  },
} as const satisfies Readonly<Record<string, OperatorFacts>>;

/** How an operator is written. */
export type OperatorForm = 'binary' | 'unary' | 'prefix' | 'call';

/** An operator or function of the expression language. */
export interface ExpressionOperator {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: OperatorKind;
  readonly form: OperatorForm;
  readonly label: string;
  readonly description: string;
  readonly example: string;
}

const listed = (
  table: Readonly<Record<string, OperatorFacts>>,
  form: OperatorForm,
): ExpressionOperator[] =>
  Object.entries(table).map(([name, facts]) => ({ name, form, aliases: [], ...facts }));

/** All operators and functions that expressions know. */
export const EXPRESSION_OPERATORS: readonly ExpressionOperator[] = [
  ...listed(RELATIONS, 'binary'),
  ...listed(UNARIES, 'unary'),
  ...listed(LOGIC, 'binary'),
  ...listed(NEGATION, 'prefix'),
  ...listed(ARITHMETIC, 'binary'),
  ...listed(LOOPS, 'call'),
];
