import type { Span } from './spans';

/** What matches in a text within so many ms; when that takes longer, the rest of it too. */
export type PatternFinder = (text: string, ms: number) => Span[];

/** What a pattern of RE2 matches. */
export function regexSpans(expression: string): PatternFinder {
  // Late: few workflows have such a rule, and the engine is large.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const pattern = RE2JS.compile(expression);
  return (text, ms) => {
    const spans: Span[] = [];
    const until = performance.now() + ms;
    for (const matcher = pattern.matcher(text); matcher.find();) {
      spans.push({ start: matcher.start(), end: matcher.end() });
      if (performance.now() <= until) continue;
      spans.push({ start: matcher.end(), end: text.length });
      break;
    }
    return spans;
  };
}
