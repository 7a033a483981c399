/** Finds secret and ruled values in texts, in any encoding, and hides them. */
export { hasOneReading, viewsOf, windowsOf } from './decodings';
export { maskedJson } from './json-rules';
export { Automaton, MAX_SECRET_LENGTH } from './known-secrets';
export { cutText, marked, markOf, MASK } from './mask';
export { maskUrlPath } from './mask-url';
export { isMaskable, maskTree, printMasked } from './mask-value';
export { namedValues } from './named-values';
export { Redactor } from './redactor';
export { RuleMask } from './rule-mask';
export type { MaskingRule } from './rule-mask';
export {
  numberParts,
  percentDecoded,
  secretOfPair,
  secretParts,
  secretValues,
} from './secret-parts';
export { lettersOf } from './view';
export { readXPath, RuleRefusal } from './xpath';
