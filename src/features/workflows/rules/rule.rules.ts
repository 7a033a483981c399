import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/text/text-problems';
import { RuleRefusal } from '../../../platform/masking/rule-refusal';
import type { RuleType } from './rule-kinds';
import { readXPath } from '../../../platform/masking/xpath';

/**
 * A regular expression is one of RE2: it is matched in linear time, and what cannot be (back references, looking around) does not parse.
 * @throws RuleRefusal
 */
function refuseRegex(expression: string): void {
  // Late: a start needs no pattern, and the engine is large.
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

/** Descents (`..`) in one path: each may look at everything below everything the one before has found. */
const MOST_DESCENTS = 2;

/**
 * A path is one of RFC 9535. Filters may not stand in filters, descend, or match patterns: what a path costs stays in proportion to what it is asked of.
 * @throws RuleRefusal
 */
function refuseJsonPath(expression: string): void {
  const found = { descents: 0 };
  walk(parsed(expression), false, found);
  if (found.descents > MOST_DESCENTS)
    throw new RuleRefusal(`It descends with ".." more than ${MOST_DESCENTS} times.`);
}

function parsed(expression: string): unknown {
  // Late: a start needs no path.
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

/** Through the tree of the parser, whatever its nodes are called: only those named here matter. */
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

/** Characters of an expression. */
export const EXPRESSION_LENGTH = 1_000;
/** Rules of one workflow. */
export const MOST_RULES = 100;

/** What somebody wants to be a rule. */
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
 * Judges an expression before it is stored: it compiles, and no text it is asked of can keep it busy without bound.
 * @param place where the rule stands in the input
 * @throws Refused RULE_INVALID, with the column where there is one
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
