import { MASK } from '../secrets';
import { jsonPathSpans } from './json-spans';
import { maskedJson } from './json-tokens';
import { readingsOf, writtenAt } from './readings';
import { Budget, covered } from './spans';
import type { Span } from './spans';
import type { XmlNode } from './xml-nodes';
import { xmlNodes } from './xml-nodes';
import { readXPath } from './xpath';
import { selectNodes } from './xpath-select';

/** Maximum number of visited nodes and compared characters. */
const MOST_STEPS = 5_000_000;

/**
 * Finder for what an XPath selects in an XML text: attributes, texts, comments, and the content and
 * attributes of elements.
 * @throws SyntaxError invalid XML
 * @throws TooCostly
 */
function xpathSpans(expression: string): (text: string) => Span[] {
  const paths = readXPath(expression);
  return (text) => {
    const root = xmlNodes(text);
    const budget = new Budget(MOST_STEPS);
    return paths.flatMap((path) => selectNodes(path, root, budget).flatMap(spansOf));
  };
}

function spansOf(node: XmlNode): Span[] {
  if (node.kind === 'root') return node.children.flatMap(spansOf);
  return [node, ...node.attributes].map(({ start, end }) => ({ start, end }));
}

/** Finds matches in a text; after `ms` milliseconds, treats the rest of the text as a match. */
type PatternFinder = (text: string, ms: number) => Span[];

/** Finder for an RE2 pattern. */
function regexSpans(expression: string): PatternFinder {
  // Loaded on first use: few workflows have such a rule, and the library is large.
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

/** A masking rule: a pattern for any text, or a path for JSON or XML. */
export interface MaskingRule {
  readonly type: 'regex' | 'JSONPath' | 'XPath';
  readonly expression: string;
}

/** A body as shown in logs. */
interface ShownBody {
  readonly text: string;
  /** Content type according to the sender. */
  readonly contentType: string;
  /** The body was truncated, so paths cannot be evaluated. */
  readonly isCut: boolean;
}

type Finder = (text: string) => Span[];

/** Maximum length of a body in which paths select values to hide elsewhere. */
const MAX_SEARCHED_LENGTH = 1024 * 1024;
/** The same for patterns: logs show no more of a text. */
const MAX_SEARCHED_TEXT_LENGTH = 64 * 1024;

const everything: Finder = (text) => [{ start: 0, end: text.length }];
/** Characters hidden at the end of a truncated text, since a pattern might have matched there. */
const AT_A_CUT = 256;
/** Time limit for one pattern on one text, ms: matching can take quadratic time. */
const LONGEST_MS = 100;

/** Hides what the masking rules of a workflow select in texts that are already truncated. */
export class RuleMask {
  private readonly patterns: readonly PatternFinder[];
  private readonly ofJson: readonly Finder[];
  private readonly ofXml: readonly Finder[];

  constructor(rules: readonly MaskingRule[]) {
    const of = <F>(
      type: MaskingRule['type'],
      finder: (expression: string) => F,
    ): readonly (F | Finder)[] =>
      rules
        .filter((rule) => rule.type === type)
        .map(({ expression }) => unlessWrong(finder, expression));
    this.patterns = of('regex', regexSpans);
    this.ofJson = of('JSONPath', jsonPathSpans);
    this.ofXml = of('XPath', xpathSpans);
  }

  /** Masks any text (name, URL, message) in any encoding. `isCut`: the text was truncated. */
  text(text: string, isCut = false): string {
    return covered(text, this.matched(text, isCut));
  }

  /**
   * Masks a body. Hides all of it if a path cannot be evaluated: truncated, invalid, too costly.
   */
  body({ text, contentType, isCut }: ShownBody): string {
    if (text === '') return text;
    const finders = [
      ...(isJson(text, contentType) ? this.ofJson : []),
      ...(isXml(text, contentType) ? this.ofXml : []),
    ];
    if (finders.length > 0 && isCut) return MASK;
    try {
      return covered(text, [
        ...this.matched(text, isCut),
        ...finders.flatMap((find) => find(text)),
      ]);
    } catch {
      return MASK;
    }
  }

  /** Returns the decoded values in a body that the rules select, to hide them elsewhere too. */
  valuesInBody(text: string, contentType: string): string[] {
    const finders =
      text.length > MAX_SEARCHED_LENGTH
        ? []
        : [
            ...(isJson(text, contentType) ? this.ofJson : []),
            ...(isXml(text, contentType) ? this.ofXml : []),
          ];
    return [...this.valuesInText(text), ...finders.flatMap((find) => valuesOf(text, find))];
  }

  /** The same for any other text. */
  valuesInText(text: string): string[] {
    const searched = text.slice(0, MAX_SEARCHED_TEXT_LENGTH);
    return this.matched(searched, false).flatMap(({ start, end }) => {
      const whole = searched.slice(start, end);
      // For `token=abc` and `"token": "abc"`, later texts may contain the value alone.
      const assigned = whole.search(/[=:]/);
      return assigned < 0
        ? [whole]
        : [
            whole,
            whole
              .slice(assigned + 1)
              .trim()
              .replace(/^["']|["']$/g, ''),
          ];
    });
  }

  /** Masks JSON written by this service; the result is valid JSON. Hides all if too costly. */
  json(text: string): string {
    try {
      const json = covered(
        text,
        this.ofJson.flatMap((find) => find(text)),
      );
      return this.patterns.length === 0
        ? json
        : maskedJson(json, this.matched(json, false), (one) => this.text(one));
    } catch {
      return JSON.stringify(MASK);
    }
  }

  private matched(text: string, isCut: boolean): Span[] {
    if (this.patterns.length === 0) return [];
    const spans: Span[] = [];
    const left = this.patterns.map(() => LONGEST_MS);
    for (const reading of readingsOf(text)) {
      for (const [nth, find] of this.patterns.entries()) {
        const from = performance.now();
        for (const { start, end } of find(reading.text, left[nth] ?? 0))
          spans.push({ start: writtenAt(reading, start), end: writtenAt(reading, end) });
        left[nth] = (left[nth] ?? 0) - (performance.now() - from);
      }
      if (isCut)
        spans.push({
          start: writtenAt(reading, Math.max(0, reading.text.length - AT_A_CUT)),
          end: text.length,
        });
    }
    return spans;
  }
}

/** Returns the selected values without JSON quotes; none if the path cannot be evaluated. */
function valuesOf(text: string, find: Finder): string[] {
  try {
    return find(text).map(({ start, end }) => {
      const written = text.slice(start, end);
      return written.startsWith('"') ? (JSON.parse(written) as string) : written;
    });
  } catch {
    return [];
  }
}

/** Expressions were validated; if one no longer compiles, hide everything. */
function unlessWrong<F>(finder: (expression: string) => F, expression: string): F | Finder {
  try {
    return finder(expression);
  } catch {
    return everything;
  }
}

const isJson = (text: string, contentType: string): boolean =>
  /json/i.test(contentType) || /^\s*[[{"]/.test(text);
const isXml = (text: string, contentType: string): boolean =>
  /xml/i.test(contentType) || /^\ufeff?\s*</.test(text);
