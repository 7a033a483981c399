import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { textProblems } from '../../../platform/text/text-problems';
import { refuseJsonPath } from './json-path-rule';
import { refuseRegex } from './regex-rule';
import { RuleRefusal } from '../../../platform/masking/rule-refusal';
import type { RuleType } from './rule-kinds';
import { readXPath } from '../../../platform/masking/xpath';

/** Characters of an expression. */
export const EXPRESSION_LENGTH = 1_000;
/** Rules of one workflow. */
export const MOST_RULES = 100;

/** What somebody wants to be a rule. */
export interface RuleContent {
  readonly type: RuleType;
  readonly expression: string;
}

const JUDGES: Readonly<Record<RuleType, (expression: string) => unknown>> = { regex: refuseRegex, JSONPath: refuseJsonPath, XPath: readXPath };

/**
 * Judges an expression before it is stored: it compiles, and no text it is asked of can keep it busy without bound.
 * @param place where the rule stands in the input
 * @throws Refused RULE_INVALID, with the column where there is one
 */
export function refuseRule({ type, expression }: RuleContent, place: InputPath): void {
  const path = [...place, 'expression'];
  const problems = textProblems(expression, EXPRESSION_LENGTH, path);
  if (problems.length > 0) throw new Refused('RULE_INVALID', 'The expression does not fit.', { problems });
  if (expression.trim() === '') throw new Refused('RULE_INVALID', 'A rule needs an expression.', { path });
  try {
    JUDGES[type](expression);
  } catch (error) {
    if (!(error instanceof RuleRefusal)) throw error;
    throw new Refused('RULE_INVALID', `This is no ${type === 'regex' ? 'regular expression' : type} that is taken: ${error.column === null ? '' : `column ${error.column}: `}${error.message}`, { path });
  }
}
