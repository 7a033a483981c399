/** A range of offsets in a text; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** An opening tag (its part after the name). */
export interface Tag {
  /** The values of its attributes. */
  readonly attributes: readonly Range[];
  /** False for an empty-element tag. */
  readonly isOpen: boolean;
  /** End of the tag, or of the text if it is truncated. */
  readonly end: number;
}

const LONGEST_TAG = 200;
const TAG_NAME = /[^\s<>/"'=!?]{1,200}(?=[\s/>]|$)/y;
const ATTRIBUTE =
  /\s*(?<name>[^\s<>/"'=]+)\s*=\s*(?:"(?<double>[^"<]*)"?|'(?<single>[^'<]*)'?|(?<bare>[^\s<>"']+))/dy;
/** Attributes that describe the format only. */
const OF_FORM = /^(?:xml(?:ns)?(?::|$)|xsi:|type$)/i;
const END_OF_TAG = /[<>]/g;
/** A CDATA section or tag (possibly truncated), or text. */
const PIECE = /<!\[CDATA\[(?<data>[^]*?)(?:\]\]>|$)|<(?:"[^"<]*"|'[^'<]*'|[^<>"'])*>?|[^<]+/g;

/** Returns the name of the opening tag whose `<` precedes the offset, or null. */
export function tagNameAt(text: string, start: number): string | null {
  TAG_NAME.lastIndex = start;
  return TAG_NAME.exec(text)?.[0] ?? null;
}

/** Parses an opening tag (possibly truncated) from the end of its name. */
export function tagBehind(text: string, start: number): Tag {
  const attributes: Range[] = [];
  let end = start;
  ATTRIBUTE.lastIndex = start;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const { double, single, bare } = found.indices?.groups ?? {};
    const [from, to] = double ?? single ?? bare ?? [0, 0];
    if (!OF_FORM.test(found.groups?.name ?? '')) attributes.push({ start: from, end: to });
    end = ATTRIBUTE.lastIndex;
  }
  END_OF_TAG.lastIndex = end;
  const last = END_OF_TAG.exec(text)?.index ?? text.length;
  const isClosed = text[last] === '>';
  return {
    attributes,
    isOpen: isClosed && text[last - 1] !== '/',
    end: isClosed ? last + 1 : last,
  };
}

/** Returns the content range of an element; handles nested elements of the same name. */
export function elementAfter(text: string, start: number, tag: string): Range {
  let open = 1;
  for (let at = text.indexOf('<', start); at >= 0; at = text.indexOf('<', at + 1)) {
    const isEnd = text[at + 1] === '/';
    const name = at + (isEnd ? 2 : 1);
    if (!text.startsWith(tag, name) || !/[\s/>]/.test(text[name + tag.length] ?? '>')) continue;
    open += isEnd ? -1 : isEmptyTag(text, name) ? 0 : 1;
    if (open === 0) return { start, end: at };
  }
  return { start, end: text.length };
}

function isEmptyTag(text: string, name: number): boolean {
  const tag = text.slice(name, name + LONGEST_TAG);
  return tag[tag.indexOf('>') - 1] === '/';
}

/** Yields all texts, CDATA sections and attribute values of XML (possibly truncated). */
export function* textsInXml(xml: string): Generator<string> {
  for (const { 0: piece, groups } of xml.matchAll(PIECE)) {
    if (groups?.data !== undefined) yield groups.data;
    else if (!piece.startsWith('<')) yield piece;
    else
      for (const { start, end } of tagBehind(
        piece,
        1 + (tagNameAt(piece, 1)?.length ?? piece.length),
      ).attributes)
        yield piece.slice(start, end);
  }
}
