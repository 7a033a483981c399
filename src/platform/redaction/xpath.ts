import { isNodes, isTrue } from './xml-nodes';
import type { XPath, XPathAxis, XPathContext, XPathStep, XPathTerm, XPathValue } from './xml-nodes';

/** An expression is invalid. `column` counts from 1; null if the error has no position. */
export class RuleRefusal extends Error {
  constructor(
    message: string,
    readonly column: number | null = null,
  ) {
    super(message);
    this.name = 'RuleRefusal';
  }
}

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
  return new XPathReader(expression).readAll();
}

/** A piece of an expression; `column` counts from 1. */
interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly column: number;
}

const NAME = '[\\p{L}_][\\p{L}\\p{N}_.\\-·]*';
/** A name may have a prefix, and `*` as its local part. */
const TOKENS = new RegExp(
  [
    '(?<blank>[ \\t\\r\\n]+)',
    '(?<text>"[^"]*"|\'[^\']*\')',
    '(?<number>\\d+(?:\\.\\d*)?|\\.\\d+)',
    `(?<name>${NAME}(?::(?!:)(?:${NAME}|\\*))?)`,
    '(?<mark>//|::|\\.\\.|!=|<=|>=|[/@.[\\]()|,=<>*+\\-])',
    '(?<invalid>[^])',
  ].join('|'),
  'gu',
);
const KINDS = ['text', 'number', 'name', 'mark'] as const;

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index, groups } of expression.matchAll(TOKENS)) {
    const kind = KINDS.find((one) => groups?.[one] !== undefined);
    if (kind) tokens.push({ kind, text, column: index + 1 });
    else if (groups?.invalid !== undefined)
      throw new RuleRefusal(`${JSON.stringify(text)} is not allowed here.`, index + 1);
  }
  return [...tokens, { kind: 'end', text: '', column: expression.length + 1 }];
}

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
const NODE_TYPES: ReadonlySet<string> = new Set(['text', 'node', 'comment']);
const RELATIONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);
const ANY_DEPTH: XPathStep = { axis: 'descendant-or-self', test: 'node()', conditions: [] };

interface Call extends XPathContext {
  readonly values: readonly XPathValue[];
  /** Text of a parameter; of the node if the parameter is missing. */
  readonly text: (nth: number) => string;
}
type XPathFunction = readonly [least: number, most: number, result: (call: Call) => XPathValue];

/** Supported XPath 1.0 functions (linear cost) with their minimum and maximum parameter count. */
const FUNCTIONS: ReadonlyMap<string, XPathFunction> = new Map<string, XPathFunction>([
  ['position', [0, 0, ({ position }) => position]],
  ['last', [0, 0, ({ size }) => size]],
  ['true', [0, 0, () => true]],
  ['false', [0, 0, () => false]],
  ['not', [1, 1, ({ values }) => !isTrue(values[0])]],
  ['contains', [2, 2, ({ text }) => text(0).includes(text(1))]],
  ['starts-with', [2, 2, ({ text }) => text(0).startsWith(text(1))]],
  ['normalize-space', [0, 1, ({ text }) => normalized(text(0))]],
  ['string', [0, 1, ({ text }) => text(0)]],
  ['string-length', [0, 1, ({ text }) => [...text(0)].length]],
  ['name', [0, 1, nameIn]],
  ['local-name', [0, 1, (call) => nameIn(call).replace(/^[^:]*:/, '')]],
  ['count', [1, 1, ({ values: [nodes] }) => (isNodes(nodes) ? nodes.length : 0)]],
]);

const normalized = (text: string): string => text.trim().replace(/[ \t\r\n]+/g, ' ');

function nameIn({ node, values: [nodes = [node]] }: Call): string {
  return (isNodes(nodes) ? nodes[0]?.name : undefined) ?? '';
}

class XPathReader {
  private readonly tokens: readonly Token[];
  private at = 0;
  private descents = 0;
  private isInCondition = false;

  constructor(expression: string) {
    this.tokens = tokensOf(expression);
  }

  readAll(): readonly XPath[] {
    const paths = [this.readPath()];
    while (this.take('|')) paths.push(this.readPath());
    if (this.next.kind !== 'end') throw this.unexpected('"/", "[", "|" or the end');
    return paths;
  }

  private get next(): Token {
    return this.tokens[this.at];
  }

  private isNext(text: string, kind: Token['kind'] = 'mark', at = this.at): boolean {
    return this.tokens[at]?.kind === kind && this.tokens[at].text === text;
  }

  private take(text: string, kind: Token['kind'] = 'mark'): boolean {
    const isTaken = this.isNext(text, kind);
    if (isTaken) this.at += 1;
    return isTaken;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(JSON.stringify(text));
  }

  private unexpected(expected: string): RuleRefusal {
    const { kind, text, column } = this.next;
    return new RuleRefusal(
      `Expected ${expected}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}.`,
      column,
    );
  }

  private readPath(): XPath {
    const steps: XPathStep[] = [];
    const isAbsolute = this.isNext('//') || this.isNext('/');
    do {
      const { column } = this.next;
      if (this.take('//')) {
        this.descend(column);
        steps.push(ANY_DEPTH);
      } else this.take('/');
      steps.push(this.readStep());
    } while (this.isNext('//') || this.isNext('/'));
    return { isAbsolute, steps };
  }

  private descend(column: number): void {
    if (this.isInCondition)
      throw new RuleRefusal('A condition must not descend with "//" or "descendant".', column);
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
    while (this.isNext('[')) conditions.push(this.readCondition());
    return { axis, test, conditions };
  }

  private readAxis(): XPathAxis {
    const { kind, text, column } = this.next;
    if (kind !== 'name' || !this.isNext('::', 'mark', this.at + 1)) return 'child';
    const axis = AXES.find((one) => one === text);
    if (axis === undefined)
      throw new RuleRefusal(
        `The axis ${text} is not supported. Use one of these: ${AXES.join(', ')}.`,
        column,
      );
    if (text.startsWith('descendant')) this.descend(column);
    this.at += 2;
    return axis;
  }

  private readTest(): string {
    if (this.take('*')) return '*';
    if (this.next.kind !== 'name') throw this.unexpected('the name of an element or attribute');
    const { text, column } = this.next;
    this.at += 1;
    if (!this.take('(')) return text;
    if (!NODE_TYPES.has(text))
      throw new RuleRefusal(
        `A rule selects nodes: use text(), node() or comment() instead of ${text}().`,
        column,
      );
    this.expect(')');
    return `${text}()`;
  }

  private readCondition(): XPathTerm {
    if (this.isInCondition)
      throw new RuleRefusal('A condition must not contain a condition.', this.next.column);
    this.expect('[');
    this.isInCondition = true;
    const condition = this.readDisjunction();
    this.isInCondition = false;
    this.expect(']');
    return condition;
  }

  private readDisjunction(): XPathTerm {
    const parts = [this.readConjunction()];
    while (this.take('or', 'name')) parts.push(this.readConjunction());
    if (parts.length === 1) return parts[0];
    return (selection, context) => parts.some((part) => isTrue(selection.evaluate(part, context)));
  }

  private readConjunction(): XPathTerm {
    const parts = [this.readComparison()];
    while (this.take('and', 'name')) parts.push(this.readComparison());
    if (parts.length === 1) return parts[0];
    return (selection, context) => parts.every((part) => isTrue(selection.evaluate(part, context)));
  }

  private readComparison(): XPathTerm {
    const left = this.readOperand();
    const { kind, text: relation } = this.next;
    if (kind !== 'mark' || !RELATIONS.has(relation)) return left;
    this.at += 1;
    const right = this.readOperand();
    return (selection, context) =>
      selection.compare(
        relation,
        selection.evaluate(left, context),
        selection.evaluate(right, context),
      );
  }

  private readOperand(): XPathTerm {
    const { kind, text, column } = this.next;
    if (kind === 'number' || kind === 'text') {
      this.at += 1;
      const value = kind === 'number' ? Number(text) : text.slice(1, -1);
      return () => value;
    }
    if (this.take('(')) {
      const within = this.readDisjunction();
      this.expect(')');
      return within;
    }
    if (kind === 'name' && this.isNext('(', 'mark', this.at + 1) && !NODE_TYPES.has(text))
      return this.readCall(text, column);
    const path = this.readPath();
    return (selection, { node }) => selection.select(path, node);
  }

  private readCall(name: string, column: number): XPathTerm {
    const called = FUNCTIONS.get(name);
    if (!called)
      throw new RuleRefusal(
        `The function ${name} is not supported. Use one of these: ${[...FUNCTIONS.keys()].join(', ')}.`,
        column,
      );
    const [least, most, result] = called;
    this.at += 2;
    const args: XPathTerm[] = [];
    if (!this.isNext(')'))
      do args.push(this.readDisjunction());
      while (this.take(','));
    this.expect(')');
    if (args.length < least || args.length > most)
      throw new RuleRefusal(
        `The function ${name} does not accept ${args.length} arguments.`,
        column,
      );
    return (selection, context) => {
      const values = args.map((one) => selection.evaluate(one, context));
      return result({
        ...context,
        values,
        text: (nth) => selection.text(values[nth] ?? [context.node]),
      });
    };
  }
}
