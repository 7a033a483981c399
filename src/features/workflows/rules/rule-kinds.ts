/** The languages of rules, with the values of the released API. */
export const RULE_TYPES = {
  regex: 'A regular expression of the RE2 syntax: what it matches in a text is hidden.',
  JSONPath: 'A path into JSON (RFC 9535): the values it selects are hidden.',
  XPath: 'A location path into XML (XPath 1.0): the text and attributes it selects are hidden.',
} as const;
export type RuleType = keyof typeof RULE_TYPES;
