import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/errors/text-problems';
import { RuleRefusal } from '../../../platform/redaction';
import { readXPath } from '../../../platform/redaction';

/** The languages of rules, with the values of the released API. */
export const RULE_TYPES = {
  regex: 'A regular expression of the RE2 syntax: its matches in a text are masked.',
  JSONPath: 'A path into JSON (RFC 9535): the values that it selects are masked.',
  XPath:
    'A location path into XML (XPath 1.0): the texts and attributes that it selects are masked.',
} as const;
export type RuleType = keyof typeof RULE_TYPES;

export interface RuleContent {
  readonly type: RuleType;
  readonly expression: string;
}

/** Maximum characters of an expression. */
export const MAX_EXPRESSION_LENGTH = 1_000;
/** Maximum number of rules per workflow. */
export const MAX_RULES = 100;
/** Maximum number of `..` in one path: each may visit everything below all results of the last. */
const MAX_DESCENTS = 2;

const CHECKS: Readonly<Record<RuleType, (expression: string) => unknown>> = {
  regex: checkRegex,
  JSONPath: checkJsonPath,
  XPath: readXPath,
};

/**
 * Checks that an expression compiles and cannot run without bound on any input.
 * @param place path of the rule in the input
 * @throws Refused RULE_INVALID, with the column if it is known
 */
export function requireValidRule({ type, expression }: RuleContent, place: InputPath): void {
  const path = [...place, 'expression'];
  const problems = textProblems(expression, MAX_EXPRESSION_LENGTH, path);
  if (problems.length > 0)
    throw new Refused('RULE_INVALID', 'The expression is too long or has invalid characters.', {
      problems,
    });
  if (expression.trim() === '')
    throw new Refused('RULE_INVALID', 'A rule needs an expression.', { path });
  try {
    CHECKS[type](expression);
  } catch (error) {
    if (!(error instanceof RuleRefusal)) throw error;
    const language = type === 'regex' ? 'regular expression' : type;
    const column = error.column === null ? '' : `column ${error.column}: `;
    throw new Refused(
      'RULE_INVALID',
      `This ${language} is not accepted: ${column}${error.message}`,
      { path },
    );
  }
}

/**
 * Regular expressions use RE2: they match in linear time; back references and lookarounds are
 * rejected.
 * @throws RuleRefusal
 */
function checkRegex(expression: string): void {
  // Loaded on demand: the module is large and not needed at startup.
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    if (!RE2JS.compile(expression).matches('')) return;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const pattern = error.getPattern() ?? '';
    const at = pattern === '' || pattern === expression ? -1 : expression.indexOf(pattern);
    throw new RuleRefusal(
      `${error.getDescription()}${pattern === '' ? '' : `: ${pattern}`}.`,
      at < 0 ? null : at + 1,
    );
  }
  throw new RuleRefusal(
    'It matches a text without any character, so it would hide nothing or everything.',
  );
}

/**
 * Checks a path (RFC 9535). Filters must not contain filters, `..` or patterns, so that the cost of
 * a path is proportional to the size of its input.
 * @throws RuleRefusal
 */
function checkJsonPath(expression: string): void {
  const counts = { descents: 0 };
  checkNode(parseJsonPath(expression), false, counts);
  if (counts.descents > MAX_DESCENTS)
    throw new RuleRefusal(`It descends with ".." more than ${MAX_DESCENTS} times.`);
}

function parseJsonPath(expression: string): unknown {
  // Loaded on demand: not needed at startup.
  const { default: parse } =
    require('jsonpath-rfc9535/parser') as typeof import('jsonpath-rfc9535/parser');
  try {
    return parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw new RuleRefusal('It is nested too deeply.');
    const { location } = error as {
      readonly location?: { readonly start?: { readonly offset?: unknown } };
    };
    const offset = location?.start?.offset;
    throw new RuleRefusal(
      error instanceof Error ? error.message : 'It does not parse.',
      typeof offset === 'number' ? offset + 1 : null,
    );
  }
}

/** Checks a node of the syntax tree and everything below it. Other node types are harmless. */
function checkNode(node: unknown, isInFilter: boolean, counts: { descents: number }): void {
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) checkNode(item, isInFilter, counts);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, name, ...parts } = node as Readonly<Record<string, unknown>>;
  if (type === 'FilterSelector' && isInFilter)
    throw new RuleRefusal('A filter stands in a filter.');
  if (type === 'DescendantSegment' && isInFilter)
    throw new RuleRefusal('A filter descends with "..".');
  if (type === 'DescendantSegment') counts.descents += 1;
  if (type === 'FunctionExpr' && (name === 'match' || name === 'search'))
    throw new RuleRefusal(
      `A filter matches a pattern with ${name}(): use a rule of the type regex.`,
    );
  for (const part of Object.values(parts))
    checkNode(part, isInFilter || type === 'FilterSelector', counts);
}
