import type { Span } from './spans';

/** So long a text is looked through for one pattern, ms: one match costs as much as what is left of the text, and there may be as many. */
const LONGEST_MS = 100;

/** What a pattern of RE2 matches in a text; when that takes too long, the rest of it too. */
export function regexSpans(expression: string): (text: string) => Span[] {
  // Late: few workflows have such a rule, and the engine is large.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const pattern = RE2JS.compile(expression);
  return (text) => {
    const spans: Span[] = [];
    const until = performance.now() + LONGEST_MS;
    for (const matcher = pattern.matcher(text); matcher.find();) {
      spans.push({ start: matcher.start(), end: matcher.end() });
      if (performance.now() <= until) continue;
      spans.push({ start: matcher.end(), end: text.length });
      break;
    }
    return spans;
  };
}
