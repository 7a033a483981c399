import { RuleRefusal } from './rule-refusal';
import { xpathTokens } from './xpath-tokens';
import type { XPathToken } from './xpath-tokens';

/** Steps below each other and at any depth: `//` and the axis `descendant`. */
const MOST_DESCENTS = 2;

const AXES: ReadonlySet<string> = new Set(['child', 'attribute', 'self', 'parent', 'descendant', 'descendant-or-self']);
const NODE_TYPES: ReadonlySet<string> = new Set(['text', 'node', 'comment']);
/** Functions of XPath 1.0 whose cost is that of what they are given, with how many arguments they take. */
const FUNCTIONS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'position': [0, 0], 'last': [0, 0], 'true': [0, 0], 'false': [0, 0], 'not': [1, 1], 'contains': [2, 2], 'starts-with': [2, 2],
  'normalize-space': [0, 1], 'string': [0, 1], 'string-length': [0, 1], 'name': [0, 1], 'local-name': [0, 1], 'count': [1, 1],
};
const RELATIONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

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
 * Conditions do not descend and have no conditions in them, so that what a path costs stays in proportion to what it is asked of.
 * @throws RuleRefusal
 */
export function refuseXPath(expression: string): void {
  new XPathReader(xpathTokens(expression)).readAll();
}

class XPathReader {
  private at = 0;
  private descents = 0;
  private isInCondition = false;

  constructor(private readonly tokens: readonly XPathToken[]) {}

  readAll(): void {
    this.readPaths();
    if (this.next.kind !== 'end') throw this.unexpected('"/", "[", "|" or the end');
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
    return new RuleRefusal(`Expected ${wanted}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}.`, column);
  }

  private readPaths(): void {
    do this.readPath(); while (this.take('|'));
  }

  private readPath(): void {
    const column = this.next.column;
    if (this.take('//')) this.descend(column);
    else this.take('/');
    this.readStep();
    for (;;) {
      const behind = this.next.column;
      if (this.take('//')) this.descend(behind);
      else if (!this.take('/')) return;
      this.readStep();
    }
  }

  private descend(column: number): void {
    if (this.isInCondition) throw new RuleRefusal('A condition descends.', column);
    this.descents += 1;
    if (this.descents > MOST_DESCENTS) throw new RuleRefusal(`It descends more than ${MOST_DESCENTS} times.`, column);
  }

  private readStep(): void {
    if (this.take('..') || this.take('.')) return;
    if (!this.take('@')) this.readAxis();
    this.readTest();
    while (this.isMark('[')) this.readCondition();
  }

  private readAxis(): void {
    const behind = this.tokens[this.at + 1];
    if (this.next.kind !== 'name' || behind?.kind !== 'mark' || behind.text !== '::') return;
    const { text, column } = this.next;
    if (!AXES.has(text)) throw new RuleRefusal(`The axis ${text} is not taken; these are: ${[...AXES].join(', ')}.`, column);
    if (text.startsWith('descendant')) this.descend(column);
    this.at += 2;
  }

  private readTest(): void {
    if (this.take('*')) return;
    if (this.next.kind !== 'name') throw this.unexpected('the name of an element or attribute');
    const { text, column } = this.next;
    this.at += 1;
    if (!this.take('(')) return;
    if (!NODE_TYPES.has(text)) throw new RuleRefusal(`A rule selects nodes; ${text}() is none of text(), node() and comment().`, column);
    this.expect(')');
  }

  private readCondition(): void {
    if (this.isInCondition) throw new RuleRefusal('A condition stands in a condition.', this.next.column);
    this.expect('[');
    this.isInCondition = true;
    this.readDisjunction();
    this.isInCondition = false;
    this.expect(']');
  }

  private readDisjunction(): void {
    do do this.readComparison(); while (this.takeWord('and')); while (this.takeWord('or'));
  }

  private readComparison(): void {
    this.readOperand();
    if (this.next.kind !== 'mark' || !RELATIONS.has(this.next.text)) return;
    this.at += 1;
    this.readOperand();
  }

  private readOperand(): void {
    const { kind, text, column } = this.next;
    if (kind === 'number' || kind === 'text') {
      this.at += 1;
      return;
    }
    if (this.take('(')) {
      this.readDisjunction();
      this.expect(')');
      return;
    }
    const behind = this.tokens[this.at + 1];
    const isCall = kind === 'name' && behind?.kind === 'mark' && behind.text === '(' && !NODE_TYPES.has(text);
    if (isCall) this.readCall(text, column);
    else this.readPath();
  }

  private readCall(name: string, column: number): void {
    const arity = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!arity) throw new RuleRefusal(`The function ${name} is not taken; these are: ${Object.keys(FUNCTIONS).join(', ')}.`, column);
    this.at += 2;
    let given = 0;
    if (!this.isMark(')')) do {
      this.readDisjunction();
      given += 1;
    } while (this.take(','));
    this.expect(')');
    if (given < arity[0] || given > arity[1]) throw new RuleRefusal(`The function ${name} does not take ${given} arguments.`, column);
  }
}
