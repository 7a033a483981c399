import { MASK } from '../secrets';
import { jsonPathSpans } from './json-spans';
import { maskedJson } from './json-tokens';
import { regexSpans } from './regex-spans';
import { covered } from './spans';
import type { Span } from './spans';
import { xpathSpans } from './xpath-spans';

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

const everything: Finder = (text) => [{ start: 0, end: text.length }];
/** Characters at the end of a text that went on: a pattern might have taken them. */
const AT_A_CUT = 256;

/** Hides what the rules of a workflow select, in texts that are cut to a length already. */
export class RuleMask {
  private readonly patterns: readonly Finder[];
  private readonly ofJson: readonly Finder[];
  private readonly ofXml: readonly Finder[];

  constructor(rules: readonly MaskingRule[]) {
    const of = (type: MaskingRule['type'], finder: (expression: string) => Finder): readonly Finder[] => rules.filter((rule) => rule.type === type).map(({ expression }) => unlessWrong(finder, expression));
    this.patterns = of('regex', regexSpans);
    this.ofJson = of('JSONPath', jsonPathSpans);
    this.ofXml = of('XPath', xpathSpans);
  }

  /** A text of any kind: a name, a URL, a message. `isCut`: it went on. */
  text(text: string, isCut = false): string {
    return covered(text, this.matched(text, isCut));
  }

  /** A body. Where a path is asked of what cannot be read, because it is cut, wrong or too costly, the whole is hidden. */
  body({ text, contentType, isCut }: ShownBody): string {
    if (text === '') return text;
    const finders = [...(isJson(text, contentType) ? this.ofJson : []), ...(isXml(text, contentType) ? this.ofXml : [])];
    if (finders.length > 0 && isCut) return MASK;
    try {
      return covered(text, [...this.matched(text, isCut), ...finders.flatMap((find) => find(text))]);
    } catch {
      return MASK;
    }
  }

  /** A JSON text of ours, which is JSON afterwards, too. What is too costly to be asked is hidden as a whole. */
  json(text: string): string {
    try {
      const json = covered(text, this.ofJson.flatMap((find) => find(text)));
      return this.patterns.length === 0 ? json : maskedJson(json, this.matched(json, false), (one) => this.text(one));
    } catch {
      return JSON.stringify(MASK);
    }
  }

  private matched(text: string, isCut: boolean): Span[] {
    if (this.patterns.length === 0) return [];
    const spans = this.patterns.flatMap((find) => find(text));
    return isCut ? [...spans, { start: Math.max(0, text.length - AT_A_CUT), end: text.length }] : spans;
  }
}

/** What was judged compiles; where it does not any more, it hides all it is asked of. */
function unlessWrong(finder: (expression: string) => Finder, expression: string): Finder {
  try {
    return finder(expression);
  } catch {
    return everything;
  }
}

const isJson = (text: string, contentType: string): boolean => /json/i.test(contentType) || /^\s*[[{"]/.test(text);
const isXml = (text: string, contentType: string): boolean => /xml/i.test(contentType) || /^\ufeff?\s*</.test(text);
