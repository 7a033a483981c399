import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/text/characters';
import { RuleRefusal } from '../../../platform/masking/rule-refusal';
import type { RuleType } from './rule-kinds';
import { readXPath } from '../../../platform/masking/xpath';

/**
 * Regular expressions use RE2: they match in linear time; back references and lookarounds are
 * rejected.
 * @throws RuleRefusal
 */
function refuseRegex(expression: string): void {
  // Loaded on demand: the module is large and not needed at startup.
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    if (!RE2JS.compile(expression).matches('')) return;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const wrong = error.getPattern() ?? '';
    const at = wrong === '' || wrong === expression ? -1 : expression.indexOf(wrong);
    throw new RuleRefusal(
      `${error.getDescription()}${wrong === '' ? '' : `: ${wrong}`}.`,
      at < 0 ? null : at + 1,
    );
  }
  throw new RuleRefusal(
    'It matches a text without any character, so it would hide nothing or everything.',
  );
}

/**
 * Maximum number of `..` in one path: each may visit everything below all results of the one
 * before.
 */
const MOST_DESCENTS = 2;

/**
 * Checks a path (RFC 9535). Filters must not contain filters, `..` or patterns, so that the cost of
 * a path is proportional to the size of its input.
 * @throws RuleRefusal
 */
function refuseJsonPath(expression: string): void {
  const found = { descents: 0 };
  walk(parsed(expression), false, found);
  if (found.descents > MOST_DESCENTS)
    throw new RuleRefusal(`It descends with ".." more than ${MOST_DESCENTS} times.`);
}

function parsed(expression: string): unknown {
  // Loaded on demand: not needed at startup.
  const { default: parse } =
    require('jsonpath-rfc9535/parser') as typeof import('jsonpath-rfc9535/parser');
  try {
    return parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw new RuleRefusal('It is nested too deeply.');
    throw new RuleRefusal(
      error instanceof Error ? error.message : 'It does not parse.',
      columnOf(error),
    );
  }
}

function columnOf(error: unknown): number | null {
  const { location } = error as {
    readonly location?: { readonly start?: { readonly offset?: unknown } };
  };
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? offset + 1 : null;
}

/** Walks the syntax tree of the parser. Only the node types named here matter. */
function walk(node: unknown, isInFilter: boolean, found: { descents: number }): void {
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) walk(item, isInFilter, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, name, ...parts } = node as Readonly<Record<string, unknown>>;
  if (type === 'FilterSelector' && isInFilter)
    throw new RuleRefusal('A filter stands in a filter.');
  if (type === 'DescendantSegment' && isInFilter)
    throw new RuleRefusal('A filter descends with "..".');
  if (type === 'DescendantSegment') found.descents += 1;
  if (type === 'FunctionExpr' && (name === 'match' || name === 'search'))
    throw new RuleRefusal(
      `A filter matches a pattern with ${name}(): use a rule of the type regex.`,
    );
  for (const part of Object.values(parts))
    walk(part, isInFilter || type === 'FilterSelector', found);
}

/** Maximum characters of an expression. */
export const EXPRESSION_LENGTH = 1_000;
/** Maximum number of rules per workflow. */
export const MOST_RULES = 100;

export interface RuleContent {
  readonly type: RuleType;
  readonly expression: string;
}

const JUDGES: Readonly<Record<RuleType, (expression: string) => unknown>> = {
  regex: refuseRegex,
  JSONPath: refuseJsonPath,
  XPath: readXPath,
};

/**
 * Checks that an expression compiles and cannot run without bound on any input.
 * @param place path of the rule in the input
 * @throws Refused RULE_INVALID, with the column if it is known
 */
export function refuseRule({ type, expression }: RuleContent, place: InputPath): void {
  const path = [...place, 'expression'];
  const problems = textProblems(expression, EXPRESSION_LENGTH, path);
  if (problems.length > 0)
    throw new Refused('RULE_INVALID', 'The expression does not fit.', { problems });
  if (expression.trim() === '')
    throw new Refused('RULE_INVALID', 'A rule needs an expression.', { path });
  try {
    JUDGES[type](expression);
  } catch (error) {
    if (!(error instanceof RuleRefusal)) throw error;
    throw new Refused(
      'RULE_INVALID',
      `This is no ${type === 'regex' ? 'regular expression' : type} that is taken: ${error.column === null ? '' : `column ${error.column}: `}${error.message}`,
      { path },
    );
  }
}
