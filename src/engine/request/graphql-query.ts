import type { ValueWriter } from '../text/template';

/** Position in a GraphQL document. `text` is a string, `block` a string in triple quotes. */
type Zone = 'code' | 'text' | 'block' | 'comment';

/** Marks that may end a zone. */
const MARKS: Readonly<Record<Zone, RegExp>> = {
  code: /"""|["#]/g,
  text: /\\[^]|"/g,
  block: /\\"""|"""/g,
  comment: /[\r\n]/g,
};
const OPENED: Readonly<Record<string, Zone>> = { '"""': 'block', '"': 'text', '#': 'comment' };

const escapedText = (value: string): string => JSON.stringify(value).slice(1, -1);
/** Adds a line break after a final `"` or backslash, which would change the closing quotes. */
const escapedBlock = (value: string): string =>
  value.replaceAll('"""', '\\"""').replace(/["\\]$/, '$&\n');
const withoutLineBreaks = (text: string): string =>
  text.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space));
const asItIs = (value: string): string => value;

/** Escapes a value so that it cannot end the string or comment that contains it. */
const ESCAPES: Readonly<Record<Zone, (value: string) => string>> = {
  code: asItIs,
  text: escapedText,
  block: escapedBlock,
  comment: withoutLineBreaks,
};
/** Converts to one line, except block strings, whose lines are part of the value. */
const SENT: Readonly<Record<Zone, (text: string) => string>> = {
  code: withoutLineBreaks,
  text: withoutLineBreaks,
  block: asItIs,
  comment: () => '',
};

class Zones {
  zone: Zone = 'code';

  /** Splits a piece into zones; quotation marks belong to the string. */
  *in(piece: string): Generator<readonly [Zone, string], void, void> {
    let from = 0;
    for (let at = 0; ;) {
      const { zone } = this;
      const mark = MARKS[zone];
      mark.lastIndex = at;
      const match = mark.exec(piece);
      if (match === null) break;
      at = mark.lastIndex;
      if (match[0].startsWith('\\')) continue;
      const end = zone === 'code' || zone === 'comment' ? match.index : at;
      yield [zone, piece.slice(from, end)];
      from = end;
      this.zone = zone === 'code' ? (OPENED[match[0]] ?? zone) : 'code';
    }
    yield [this.zone, piece.slice(from)];
  }

  pass(piece: string): void {
    for (const _ of this.in(piece));
  }
}

/** Returns the query without line breaks and comments (which need line breaks to end). */
export function plainQuery(query: string): string {
  return [...new Zones().in(query)].map(([zone, text]) => SENT[zone](text)).join('');
}

/** Escapes values in strings of a query; outside, a value may be a number, name or list. */
export class QueryWriter implements ValueWriter {
  private readonly zones = new Zones();

  pass(text: string): void {
    this.zones.pass(text);
  }

  write(value: string): string {
    return ESCAPES[this.zones.zone](value);
  }
}
