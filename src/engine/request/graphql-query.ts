import type { ValueWriter } from '../text/template';

/** Where in a document of GraphQL something stands: `text` is a string, `block` one in three quotation marks. */
type Zone = 'code' | 'text' | 'block' | 'comment';

/** What may end a zone. */
const MARKS: Readonly<Record<Zone, RegExp>> = {
  code: /"""|["#]/g,
  text: /\\[^]|"/g,
  block: /\\"""|"""/g,
  comment: /[\r\n]/g,
};
const OPENED: Readonly<Record<string, Zone>> = { '"""': 'block', '"': 'text', '#': 'comment' };

const escapedText = (value: string): string => JSON.stringify(value).slice(1, -1);
/** Behind what would escape or lengthen the closing mark stands a line break. */
const escapedBlock = (value: string): string =>
  value.replaceAll('"""', '\\"""').replace(/["\\]$/, '$&\n');
const withoutLineBreaks = (text: string): string =>
  text.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space));
const asItIs = (value: string): string => value;

/** How a value is written: it ends neither the string nor the comment that it stands in. */
const ESCAPES: Readonly<Record<Zone, (value: string) => string>> = {
  code: asItIs,
  text: escapedText,
  block: escapedBlock,
  comment: withoutLineBreaks,
};
/** How what was written is sent: in one line, but for the lines of a block, which are its value. */
const SENT: Readonly<Record<Zone, (text: string) => string>> = {
  code: withoutLineBreaks,
  text: withoutLineBreaks,
  block: asItIs,
  comment: () => '',
};

/** Reads a document piece by piece. */
class Zones {
  zone: Zone = 'code';

  /** What a piece consists of; the marks of a string belong to it. */
  *in(piece: string): Generator<readonly [Zone, string], void, void> {
    let from = 0;
    for (let at = 0; ;) {
      const { zone } = this;
      const mark = MARKS[zone];
      mark.lastIndex = at;
      const found = mark.exec(piece);
      if (found === null) break;
      at = mark.lastIndex;
      if (found[0].startsWith('\\')) continue;
      const end = zone === 'code' || zone === 'comment' ? found.index : at;
      yield [zone, piece.slice(from, end)];
      from = end;
      this.zone = zone === 'code' ? (OPENED[found[0]] ?? zone) : 'code';
    }
    yield [this.zone, piece.slice(from)];
  }

  pass(piece: string): void {
    for (const _ of this.in(piece));
  }
}

/** A query as it is sent: without line breaks, and without the comments that they would have ended. */
export function plainQuery(query: string): string {
  return [...new Zones().in(query)].map(([zone, text]) => SENT[zone](text)).join('');
}

/** Writes values into a query: what stands in a string stays in it. Outside of strings a value is what the author makes of it: a number, a name, a list. */
export class QueryWriter implements ValueWriter {
  private readonly zones = new Zones();

  pass(text: string): void {
    this.zones.pass(text);
  }

  write(value: string): string {
    return ESCAPES[this.zones.zone](value);
  }
}
