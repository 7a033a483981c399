import { readingsOf } from './decodings';
import { jsonPathRanges, maskedJson } from './json-rules';
import { HiddenRanges, JSON_MASK, MASK } from './mask';
import type { Range } from './mask';
import { endOf, startOf } from './view';
import { xmlNodes, XPathSelection } from './xml-nodes';
import type { XmlNode } from './xml-nodes';
import { readXPath } from './xpath';

/** A masking rule: a pattern for any text, or a path for JSON or XML. */
export interface MaskingRule {
  readonly type: 'regex' | 'JSONPath' | 'XPath';
  readonly expression: string;
}

interface ShownBody {
  readonly text: string;
  /** Content type according to the sender. */
  readonly contentType: string;
  /** The body was truncated, so paths cannot be evaluated. */
  readonly isCut: boolean;
}

type Finder = (text: string) => Range[];
/** Finds matches in a text; after `ms` milliseconds, treats the rest of the source as a match. */
type PatternFinder = (text: string, ms: number) => Range[];

/** A match of a pattern, with its decoded text. */
interface Match extends Range {
  readonly text: string;
}

/** Maximum length of a body in which paths select values to hide elsewhere. */
const MAX_SEARCHED_LENGTH = 1024 * 1024;
/** The same for patterns: logs show no more of a text. */
const MAX_SEARCHED_TEXT_LENGTH = 64 * 1024;
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
    const of = <F>(type: MaskingRule['type'], finder: (expression: string) => F): (F | Finder)[] =>
      rules
        .filter((rule) => rule.type === type)
        .map(({ expression }) => finderOrEverything(finder, expression));
    this.patterns = of('regex', regexRanges);
    this.ofJson = of('JSONPath', jsonPathRanges);
    this.ofXml = of('XPath', xpathRanges);
  }

  /** Masks any text (name, URL, message) in any encoding. `isCut`: the text was truncated. */
  text(text: string, isCut = false): string {
    return new HiddenRanges(text).addAll(this.matches(text, isCut)).text();
  }

  /**
   * Masks a body. Hides all of it if a path cannot be evaluated: truncated, invalid, too costly.
   */
  body({ text, contentType, isCut }: ShownBody): string {
    if (text === '') return text;
    const paths = this.pathsOf(text, contentType);
    if (isCut && (paths.json.length > 0 || paths.xml.length > 0)) return MASK;
    try {
      return new HiddenRanges(text)
        .addAll(this.matches(text, isCut))
        .addAll(paths.xml.flatMap((find) => find(text)))
        .addJsonValues(paths.json.flatMap((find) => find(text)))
        .text();
    } catch {
      return MASK;
    }
  }

  /** Returns the decoded values in a body that the rules select, to hide them elsewhere too. */
  valuesInBody(text: string, contentType: string): string[] {
    const { json, xml } = this.pathsOf(text, contentType);
    const finders = text.length > MAX_SEARCHED_LENGTH ? [] : [...json, ...xml];
    return [...this.valuesInText(text), ...finders.flatMap((find) => valuesOf(text, find))];
  }

  /** The same for any other text. */
  valuesInText(text: string): string[] {
    const searched = text.slice(0, MAX_SEARCHED_TEXT_LENGTH);
    return this.matches(searched, false).flatMap(({ start, end, text: decoded }) =>
      [...new Set([searched.slice(start, end), decoded])].flatMap((match) => {
        // For `token=abc` and `"token": "abc"`, later texts may contain the value alone.
        const assigned = match.search(/[=:]/);
        const value = match
          .slice(assigned + 1)
          .trim()
          .replace(/^["']|["']$/g, '');
        return assigned < 0 ? [match] : [match, value];
      }),
    );
  }

  /** Masks JSON written by this service; the result is valid JSON. Hides all if too costly. */
  json(text: string): string {
    try {
      const json = new HiddenRanges(text)
        .addJsonValues(this.ofJson.flatMap((find) => find(text)))
        .text();
      return this.patterns.length === 0
        ? json
        : maskedJson(json, this.matches(json, false), (one) => this.text(one));
    } catch {
      return JSON_MASK;
    }
  }

  private pathsOf(
    text: string,
    contentType: string,
  ): { readonly json: readonly Finder[]; readonly xml: readonly Finder[] } {
    const isJson = /json/i.test(contentType) || /^\s*[[{"]/.test(text);
    const isXml = /xml/i.test(contentType) || /^\ufeff?\s*</.test(text);
    return { json: isJson ? this.ofJson : [], xml: isXml ? this.ofXml : [] };
  }

  /** Returns the matches of all patterns in all decodings of a text. */
  private matches(text: string, isCut: boolean): Match[] {
    if (this.patterns.length === 0) return [];
    const matches: Match[] = [];
    const left = this.patterns.map(() => LONGEST_MS);
    for (const reading of readingsOf(text)) {
      const { length } = reading.text;
      for (const [nth, find] of this.patterns.entries()) {
        const from = performance.now();
        for (const { start, end } of find(reading.text, left[nth]))
          matches.push({
            start: startOf(reading, start),
            end: end > length ? text.length : endOf(reading, end - 1),
            text: reading.text.slice(start, end),
          });
        left[nth] -= performance.now() - from;
      }
      // Texts in base64 may end long before the cut.
      if (isCut && endOf(reading, length - 1) > text.length - AT_A_CUT)
        matches.push({
          start: startOf(reading, Math.max(0, length - AT_A_CUT)),
          end: text.length,
          text: '',
        });
    }
    return matches;
  }
}

/** Finder for an RE2 pattern. Empty matches hide nothing. */
function regexRanges(expression: string): PatternFinder {
  // Loaded on first use: few workflows have such a rule, and the library is large.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const pattern = RE2JS.compile(expression);
  return (text, ms) => {
    const ranges: Range[] = [];
    const until = performance.now() + ms;
    for (const matcher = pattern.matcher(text); matcher.find();) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (end > start) ranges.push({ start, end });
      if (performance.now() <= until) continue;
      ranges.push({ start: Math.min(end, text.length - 1), end: Infinity });
      break;
    }
    return ranges;
  };
}

/**
 * Finder for what an XPath selects in an XML text: attributes, texts, comments, and the content and
 * attributes of elements. The finder throws for invalid XML and if it needs too many steps.
 */
function xpathRanges(expression: string): (text: string) => Range[] {
  const paths = readXPath(expression);
  return (text) => {
    const selection = new XPathSelection(xmlNodes(text));
    return paths.flatMap((path) => selection.select(path).flatMap(rangesOf));
  };
}

function rangesOf(node: XmlNode): Range[] {
  return node.kind === 'root' ? node.children.flatMap(rangesOf) : [node, ...node.attributes];
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
function finderOrEverything<F>(
  finder: (expression: string) => F,
  expression: string,
): F | ((text: string) => Range[]) {
  try {
    return finder(expression);
  } catch {
    return (text) => [{ start: 0, end: text.length }];
  }
}
