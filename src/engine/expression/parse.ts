import { syntaxError } from '../errors';
import { tokenize } from './tokens';
import type { Token } from './tokens';
import { LOOPS, RELATIONS, UNARIES } from './operators';
import type { OperatorFacts } from './operators';
import type {
  ArithmeticSign,
  ArithmeticTerm,
  Expression,
  LoopExpression,
  RelationName,
  UnaryName,
} from './tree';

/** Protects the parser and later recursion from a stack overflow. */
const MAX_DEPTH = 200;

/** Limit of the input: the parser scans parts several times. */
const MAX_CHARACTERS = 65_536;

/** Names in lower case, with all aliases. */
const namesOf = <Name extends string>(
  table: Readonly<Record<Name, OperatorFacts>>,
): Map<string, Name> =>
  new Map(
    (Object.keys(table) as Name[]).flatMap((name) =>
      [name, ...(table[name].aliases ?? [])].map((word) => [word.toLowerCase(), name] as const),
    ),
  );

const RELATION_NAMES = namesOf<RelationName>(RELATIONS);
const UNARY_NAMES = namesOf<UnaryName>(UNARIES);
const LOOP_NAMES = namesOf<LoopExpression['kind']>(LOOPS);
const LITERALS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Returns whether a word is reserved and cannot name a loop variable. */
export function isKeyword(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    RELATION_NAMES.has(lower) ||
    UNARY_NAMES.has(lower) ||
    LITERALS.has(lower) ||
    LOOP_NAMES.has(lower) ||
    ['and', 'or', 'not'].includes(lower)
  );
}

/** Returns the relation that a word or sign names; undefined if there is none. */
export const relationOf = (name: string): RelationName | undefined =>
  RELATION_NAMES.get(name.toLowerCase());

/** Returns the test after a value that a word names; undefined if there is none. */
export const unaryOf = (name: string): UnaryName | undefined => UNARY_NAMES.get(name.toLowerCase());

/** Returns whether a text begins like the expression of a loop. */
export const beginsLoop = (text: string): boolean =>
  LOOP_NAMES.has(/^\s*([a-z]+)\s*\(/i.exec(text)?.[1]?.toLowerCase() ?? '');

/**
 * Parses a condition or a value.
 * @throws ExpressionError with line, column and what was expected
 */
export function parseExpression(text: string): Expression {
  return new Parser(text).parseCondition();
}

/**
 * Parses the expression of a loop. A bare value means `For`.
 * @throws ExpressionError
 */
export function parseLoop(text: string): LoopExpression {
  return new Parser(text).wholeLoop();
}

class Parser {
  private readonly tokens: Token[];
  private position = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    if (text.length > MAX_CHARACTERS)
      throw syntaxError(text, MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`);
    this.tokens = tokenize(text);
  }

  parseCondition(): Expression {
    const expression = this.or();
    this.expectEnd('an operator or the end of the expression');
    return expression;
  }

  wholeLoop(): LoopExpression {
    const loop = this.loop();
    this.expectEnd('the end of the loop expression');
    return loop;
  }

  private loop(): LoopExpression {
    const kind = LOOP_NAMES.get(this.word() ?? '');
    if (kind === undefined) return { kind: 'For', over: this.value() };
    this.position += 1;
    this.expectSign('(');
    const over = this.value();
    if (kind !== 'SplitString') {
      this.expectSign(')');
      return { kind, over };
    }
    this.expectSign(',');
    const delimiter = this.value();
    this.expectSign(')');
    return { kind, over, delimiter };
  }

  private or(): Expression {
    const operands = [this.and()];
    while (this.takeSign('||') || this.takeWord('or')) operands.push(this.and());
    return chain('or', operands);
  }

  private and(): Expression {
    const operands = [this.not()];
    while (this.takeSign('&&') || this.takeWord('and')) operands.push(this.not());
    return chain('and', operands);
  }

  private not(): Expression {
    if (!this.takeSign('!') && !this.takeWord('not')) return this.comparison();
    return this.nested(() => ({ kind: 'not', operand: this.not() }));
  }

  private comparison(): Expression {
    const left = this.sum();
    const unary = this.takeUnary();
    if (unary !== null) return { kind: 'unary', name: unary, operand: left };
    const relation = this.takeRelation();
    return relation === null ? left : { kind: 'relation', name: relation, left, right: this.sum() };
  }

  private sum(): Expression {
    return this.arithmetic('sum', ['+', '-'], () => this.product());
  }

  private product(): Expression {
    return this.arithmetic('product', ['*', '/', '%'], () => this.value());
  }

  private arithmetic(
    kind: 'sum' | 'product',
    signs: readonly ArithmeticSign[],
    operand: () => Expression,
  ): Expression {
    const first = operand();
    const rest: ArithmeticTerm[] = [];
    for (let sign = this.takeOneOf(signs); sign !== undefined; sign = this.takeOneOf(signs))
      rest.push({ sign, value: operand() });
    return rest.length === 0 ? first : { kind, first, rest };
  }

  private value(): Expression {
    const token = this.next();
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', value: token.value };
      case 'text':
        return { kind: 'literal', value: token.value };
      case 'reference':
        return { kind: 'reference', reference: token.reference };
      case 'webhook':
        return { kind: 'webhook', parameter: token.parameter };
      case 'word':
        return this.namedValue(token.text);
      case 'sign':
        return this.signedValue(token.text);
      case 'end':
        throw this.unexpected(token, 'a value');
    }
  }

  private namedValue(word: string): Expression {
    const literal = LITERALS.get(word.toLowerCase());
    if (literal !== undefined) return { kind: 'literal', value: literal };
    if (isKeyword(word)) throw this.unexpected(this.tokens[this.position - 1], 'a value');
    return { kind: 'iterator', name: word };
  }

  private signedValue(sign: string): Expression {
    const start = this.tokens[this.position - 1];
    if (sign === '-') {
      const token = this.next();
      if (token.kind === 'number') return { kind: 'literal', value: -token.value };
      throw this.unexpected(token, 'a number');
    }
    if (sign === '(') {
      return this.nested(() => {
        const inner = this.or();
        this.expectSign(')');
        return inner;
      });
    }
    if (sign === '[') return this.nested(() => ({ kind: 'list', items: this.items() }));
    throw this.unexpected(start, 'a value');
  }

  private items(): Expression[] {
    const items: Expression[] = [];
    if (this.takeSign(']')) return items;
    do items.push(this.or());
    while (this.takeSign(','));
    this.expectSign(']', '"," or "]"');
    return items;
  }

  private nested(read: () => Expression): Expression {
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw this.unexpected(this.peek(), `at most ${MAX_DEPTH} levels of nesting`);
    const expression = read();
    this.depth -= 1;
    return expression;
  }

  private peek(): Token {
    return this.tokens[this.position];
  }

  /** The last token is `end`, and nothing reads past it. */
  private next(): Token {
    const token = this.tokens[this.position];
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  private word(): string | null {
    const token = this.peek();
    return token.kind === 'word' ? token.text.toLowerCase() : null;
  }

  private takeWord(word: string): boolean {
    if (this.word() !== word) return false;
    this.position += 1;
    return true;
  }

  private takeSign(sign: string): boolean {
    return this.takeOneOf([sign]) !== undefined;
  }

  private takeOneOf<Sign extends string>(signs: readonly Sign[]): Sign | undefined {
    const token = this.peek();
    if (token.kind !== 'sign') return undefined;
    const sign = signs.find((candidate) => candidate === token.text);
    if (sign !== undefined) this.position += 1;
    return sign;
  }

  private takeUnary(): UnaryName | null {
    const unary = UNARY_NAMES.get(this.word() ?? '') ?? null;
    if (unary !== null) this.position += 1;
    return unary;
  }

  private takeRelation(): RelationName | null {
    const token = this.peek();
    const relation =
      token.kind === 'sign' || token.kind === 'word' ? relationOf(token.text) : undefined;
    if (relation !== undefined) this.position += 1;
    return relation ?? null;
  }

  private expectSign(sign: string, expected = `"${sign}"`): void {
    if (!this.takeSign(sign)) throw this.unexpected(this.peek(), expected);
  }

  private expectEnd(expected: string): void {
    const token = this.peek();
    if (token.kind !== 'end') throw this.unexpected(token, expected);
  }

  private unexpected(token: Token, expected: string): Error {
    const end = this.tokens[this.tokens.indexOf(token) + 1]?.offset ?? this.text.length;
    const tokenText = this.text.slice(token.offset, end).trim();
    return syntaxError(
      this.text,
      token.offset,
      expected,
      tokenText === '' ? undefined : JSON.stringify(tokenText.slice(0, 40)),
    );
  }
}

const chain = (kind: 'or' | 'and', operands: Expression[]): Expression =>
  operands.length === 1 ? operands[0] : { kind, operands };
