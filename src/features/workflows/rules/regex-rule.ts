import { RuleRefusal } from '../../../platform/masking/rule-refusal';

/**
 * A regular expression is one of RE2: it is matched in linear time, and what cannot be (back references, looking around) does not parse.
 * @throws RuleRefusal
 */
export function refuseRegex(expression: string): void {
  // Late: a start needs no pattern, and the engine is large.
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    if (!RE2JS.compile(expression).matches('')) return;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const wrong = error.getPattern() ?? '';
    const at = wrong === '' || wrong === expression ? -1 : expression.indexOf(wrong);
    throw new RuleRefusal(`${error.getDescription()}${wrong === '' ? '' : `: ${wrong}`}.`, at < 0 ? null : at + 1);
  }
  throw new RuleRefusal('It matches a text without any character, so it would hide nothing or everything.');
}
