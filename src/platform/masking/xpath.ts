import { RuleRefusal } from './rule-refusal';
import { xpathTokens } from './xpath-tokens';
import type { XPathToken } from './xpath-tokens';

/** Maximum number of `//` and `descendant` steps in a path. */
const MOST_DESCENTS = 2;

const AXES: readonly XPathAxis[] = [
  'child',
  'attribute',
  'self',
  'parent',
  'descendant',
  'descendant-or-self',
];
const isAxis = (text: string): text is XPathAxis => (AXES as readonly string[]).includes(text);
const NODE_TYPES: ReadonlySet<string> = new Set(['text', 'node', 'comment']);
/** Supported XPath 1.0 functions (linear cost) with their minimum and maximum argument count. */
const FUNCTIONS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  position: [0, 0],
  last: [0, 0],
  true: [0, 0],
  false: [0, 0],
  not: [1, 1],
  contains: [2, 2],
  'starts-with': [2, 2],
  'normalize-space': [0, 1],
  string: [0, 1],
  'string-length': [0, 1],
  name: [0, 1],
  'local-name': [0, 1],
  count: [1, 1],
};
const RELATIONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

type XPathAxis = 'child' | 'attribute' | 'self' | 'parent' | 'descendant' | 'descendant-or-self';

export interface XPathStep {
  readonly axis: XPathAxis;
  /** A name, `*`, `prefix:*`, `text()`, `node()` or `comment()`. */
  readonly test: string;
  readonly conditions: readonly XPathTerm[];
}

export interface XPath {
  /** Starts at the root. */
  readonly isAbsolute: boolean;
  readonly steps: readonly XPathStep[];
}

/** An expression within a condition. */
export type XPathTerm =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly XPathTerm[] }
  | {
      readonly kind: 'compare';
      readonly relation: string;
      readonly left: XPathTerm;
      readonly right: XPathTerm;
    }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly XPathTerm[] }
  | { readonly kind: 'path'; readonly path: XPath };

const ANY_DEPTH: XPathStep = { axis: 'descendant-or-self', test: 'node()', conditions: [] };

/**
 * A rule selects with location paths of XPath 1.0, several joined with `|`:
 *
 *   paths      = path { "|" path }
 *   path       = [ "/" | "//" ] step { ("/" | "//") step }
 *   step       = ".." | "." | [ axis "::" | "@" ] ( name | prefix ":*" | "*" | "text()" | "node()" | "comment()" ) { "[" condition "]" }
 *   condition  = conjunct { "or" conjunct }        conjunct = comparison { "and" comparison }
 *   comparison = operand [ relation operand ]
 *   operand    = number | text | function "(" [ operand { "," operand } ] ")" | path | "(" condition ")"
 *
 * Conditions neither descend nor nest, so that the cost of a path is proportional to the document.
 * @throws RuleRefusal
 */
export function readXPath(expression: string): readonly XPath[] {
  return new XPathReader(xpathTokens(expression)).readAll();
}

class XPathReader {
  private at = 0;
  private descents = 0;
  private isInCondition = false;

  constructor(private readonly tokens: readonly XPathToken[]) {}

  readAll(): readonly XPath[] {
    const paths = [this.readPath()];
    while (this.take('|')) paths.push(this.readPath());
    if (this.next.kind !== 'end') throw this.unexpected('"/", "[", "|" or the end');
    return paths;
  }

  private get next(): XPathToken {
    return this.tokens[this.at] ?? { kind: 'end', text: '', column: 1 };
  }

  private isMark(text: string): boolean {
    return this.next.kind === 'mark' && this.next.text === text;
  }

  private take(text: string): boolean {
    const taken = this.isMark(text);
    if (taken) this.at += 1;
    return taken;
  }

  private takeWord(word: string): boolean {
    const taken = this.next.kind === 'name' && this.next.text === word;
    if (taken) this.at += 1;
    return taken;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(JSON.stringify(text));
  }

  private unexpected(wanted: string): RuleRefusal {
    const { kind, text, column } = this.next;
    return new RuleRefusal(
      `Expected ${wanted}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}.`,
      column,
    );
  }

  private readPath(): XPath {
    const column = this.next.column;
    const steps: XPathStep[] = [];
    const isAtAnyDepth = this.take('//');
    const isAbsolute = isAtAnyDepth || this.take('/');
    if (isAtAnyDepth) steps.push(this.anyDepth(column));
    steps.push(this.readStep());
    for (;;) {
      const behind = this.next.column;
      if (this.take('//')) steps.push(this.anyDepth(behind));
      else if (!this.take('/')) return { isAbsolute, steps };
      steps.push(this.readStep());
    }
  }

  private anyDepth(column: number): XPathStep {
    this.descend(column);
    return ANY_DEPTH;
  }

  private descend(column: number): void {
    if (this.isInCondition) throw new RuleRefusal('A condition descends.', column);
    this.descents += 1;
    if (this.descents > MOST_DESCENTS)
      throw new RuleRefusal(`It descends more than ${MOST_DESCENTS} times.`, column);
  }

  private readStep(): XPathStep {
    if (this.take('..')) return { axis: 'parent', test: 'node()', conditions: [] };
    if (this.take('.')) return { axis: 'self', test: 'node()', conditions: [] };
    const axis = this.take('@') ? 'attribute' : this.readAxis();
    const test = this.readTest();
    const conditions: XPathTerm[] = [];
    while (this.isMark('[')) conditions.push(this.readCondition());
    return { axis, test, conditions };
  }

  private readAxis(): XPathAxis {
    const behind = this.tokens[this.at + 1];
    if (this.next.kind !== 'name' || behind?.kind !== 'mark' || behind.text !== '::')
      return 'child';
    const { text, column } = this.next;
    if (!isAxis(text))
      throw new RuleRefusal(
        `The axis ${text} is not taken; these are: ${AXES.join(', ')}.`,
        column,
      );
    if (text.startsWith('descendant')) this.descend(column);
    this.at += 2;
    return text;
  }

  private readTest(): string {
    if (this.take('*')) return '*';
    if (this.next.kind !== 'name') throw this.unexpected('the name of an element or attribute');
    const { text, column } = this.next;
    this.at += 1;
    if (!this.take('(')) return text;
    if (!NODE_TYPES.has(text))
      throw new RuleRefusal(
        `A rule selects nodes; ${text}() is none of text(), node() and comment().`,
        column,
      );
    this.expect(')');
    return `${text}()`;
  }

  private readCondition(): XPathTerm {
    if (this.isInCondition)
      throw new RuleRefusal('A condition stands in a condition.', this.next.column);
    this.expect('[');
    this.isInCondition = true;
    const condition = this.readDisjunction();
    this.isInCondition = false;
    this.expect(']');
    return condition;
  }

  private readDisjunction(): XPathTerm {
    const parts = [this.readConjunction()];
    while (this.takeWord('or')) parts.push(this.readConjunction());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts };
  }

  private readConjunction(): XPathTerm {
    const parts = [this.readComparison()];
    while (this.takeWord('and')) parts.push(this.readComparison());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
  }

  private readComparison(): XPathTerm {
    const left = this.readOperand();
    const { kind, text: relation } = this.next;
    if (kind !== 'mark' || !RELATIONS.has(relation)) return left;
    this.at += 1;
    return { kind: 'compare', relation, left, right: this.readOperand() };
  }

  private readOperand(): XPathTerm {
    const { kind, text, column } = this.next;
    if (kind === 'number' || kind === 'text') {
      this.at += 1;
      return kind === 'number' ? { kind, value: Number(text) } : { kind, value: text.slice(1, -1) };
    }
    if (this.take('(')) {
      const within = this.readDisjunction();
      this.expect(')');
      return within;
    }
    const behind = this.tokens[this.at + 1];
    const isCall =
      kind === 'name' && behind?.kind === 'mark' && behind.text === '(' && !NODE_TYPES.has(text);
    return isCall ? this.readCall(text, column) : { kind: 'path', path: this.readPath() };
  }

  private readCall(name: string, column: number): XPathTerm {
    const arity = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!arity)
      throw new RuleRefusal(
        `The function ${name} is not taken; these are: ${Object.keys(FUNCTIONS).join(', ')}.`,
        column,
      );
    this.at += 2;
    const given: XPathTerm[] = [];
    if (!this.isMark(')'))
      do given.push(this.readDisjunction());
      while (this.take(','));
    this.expect(')');
    if (given.length < arity[0] || given.length > arity[1])
      throw new RuleRefusal(
        `The function ${name} does not take ${given.length} arguments.`,
        column,
      );
    return { kind: 'call', name, given };
  }
}
