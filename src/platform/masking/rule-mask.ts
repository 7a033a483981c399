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

/** Nodes that are looked at, and characters of texts that are compared. */
const MOST_STEPS = 5_000_000;

/** What a location path selects in an XML text: attributes, texts and comments, and of elements what stands in them with their attributes. @throws SyntaxError it is none @throws TooCostly */
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

/** What matches in a text within so many ms; when that takes longer, the rest of it too. */
type PatternFinder = (text: string, ms: number) => Span[];

/** What a pattern of RE2 matches. */
function regexSpans(expression: string): PatternFinder {
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

/** What somebody wants hidden: a pattern in any text, a path into JSON, or one into XML. */
export interface MaskingRule {
  readonly type: 'regex' | 'JSONPath' | 'XPath';
  readonly expression: string;
}

/** A body, as it is shown. */
export interface ShownBody {
  readonly text: string;
  /** What its sender calls it. */
  readonly contentType: string;
  /** It went on: what a path selects in it cannot be known. */
  readonly isCut: boolean;
}

type Finder = (text: string) => Span[];

/** Characters of a body in which paths select values to be hidden elsewhere. */
const MAX_SEARCHED_LENGTH = 1024 * 1024;
/** The same of patterns: logs show no more of a text. */
const MAX_SEARCHED_TEXT_LENGTH = 64 * 1024;

const everything: Finder = (text) => [{ start: 0, end: text.length }];
/** Characters at the end of a text that went on, as they are read: a pattern might have taken them. */
const AT_A_CUT = 256;
/** So long a text is looked through for one pattern, in all its readings, ms: one match costs as much as what is left of the text, and there may be as many. */
const LONGEST_MS = 100;

/** Hides what the rules of a workflow select, in texts that are cut to a length already. */
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

  /** A text of any kind: a name, a URL, a message, in whatever it is encoded. `isCut`: it went on. */
  text(text: string, isCut = false): string {
    return covered(text, this.matched(text, isCut));
  }

  /** A body. Where a path is asked of what cannot be read, because it is cut, wrong or too costly, the whole is hidden. */
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

  /** The values in a body that the rules select, as they are read: they are hidden elsewhere, too. */
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

  /** The same of any other text. */
  valuesInText(text: string): string[] {
    const searched = text.slice(0, MAX_SEARCHED_TEXT_LENGTH);
    return this.matched(searched, false).flatMap(({ start, end }) => {
      const whole = searched.slice(start, end);
      // Of `token=abc` and `"token": "abc"` later texts may have the value alone.
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

  /** A JSON text of ours, which is JSON afterwards, too. What is too costly to be asked is hidden as a whole. */
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

/** What a path selects, without the quotes of JSON; nothing in a text in which it cannot be evaluated. */
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

/** What was judged compiles; where it does not any more, it hides all it is asked of. */
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
