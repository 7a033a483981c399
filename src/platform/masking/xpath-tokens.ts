import { RuleRefusal } from './rule-refusal';

/** A piece of an XPath expression. */
export interface XPathToken {
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'end';
  readonly text: string;
  /** Start column, counted from 1. */
  readonly column: number;
}

const BLANK = /[ \t\r\n]*/y;
const KINDS: readonly (readonly [XPathToken['kind'], RegExp])[] = [
  ['text', /"[^"]*"|'[^']*'/y],
  ['number', /\d+(?:\.\d*)?|\.\d+/y],
  // A name may have a prefix, and `*` as its local part.
  ['name', /[\p{L}_][\p{L}\p{N}_.\-·]*(?::(?!:)(?:[\p{L}_][\p{L}\p{N}_.\-·]*|\*))?/uy],
  ['mark', /\/\/|::|\.\.|!=|<=|>=|[/@.[\]()|,=<>*+-]/y],
];

/**
 * Splits an expression into tokens; the last one is `end`.
 * @throws RuleRefusal
 */
export function xpathTokens(expression: string): XPathToken[] {
  const tokens: XPathToken[] = [];
  for (
    let at = behindBlanks(expression, 0);
    at < expression.length;
    at = behindBlanks(expression, at)
  ) {
    const token = tokenAt(expression, at);
    tokens.push(token);
    at += token.text.length;
  }
  return [...tokens, { kind: 'end', text: '', column: expression.length + 1 }];
}

function tokenAt(expression: string, at: number): XPathToken {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = at;
    const text = pattern.exec(expression)?.[0];
    if (text !== undefined && text !== '') return { kind, text, column: at + 1 };
  }
  throw new RuleRefusal(
    `${JSON.stringify(String.fromCodePoint(expression.codePointAt(at) ?? 0))} cannot stand here.`,
    at + 1,
  );
}

function behindBlanks(expression: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.exec(expression);
  return BLANK.lastIndex;
}
