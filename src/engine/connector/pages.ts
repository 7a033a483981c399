import { EngineError } from '../errors';
import type { Exchange } from '../reference/scope';
import { isList, toText } from '../value';
import type { Value } from '../value';
import { partsOf, valueAt, withValueAt } from './answer-path';
import type { PageParameter } from './invoker-facts';

/** `response.body.$.items`, `response.header.$.Link` */
const OF_ANSWER = /^response\.(body|header)(?:\.(.*))?$/s;
const COUNTS: ReadonlySet<string> = new Set(['size', 'limit', 'offset', 'page']);
/** One link of a `Link` header. */
const LINK = /<([^<>]*)>([^,<]*)/g;

/** What is carried from page to page of one operation, and what the pages have brought so far. */
export class Pages {
  private readonly values = new Map<string, Value>();
  private readonly items: Value[] = [];
  private readonly place: readonly (string | number)[];
  private first: Exchange | null = null;

  constructor(private readonly parameters: readonly PageParameter[]) {
    for (const { name, value } of parameters) this.values.set(name, initialOf(name, value.trim()));
    const [, part, path = ''] = OF_ANSWER.exec(parameters.find(({ name }) => name === 'result')?.ref ?? '') ?? [];
    this.place = part === 'body' ? partsOf(path) : [];
  }

  valueOf(name: string): Value {
    return this.values.get(name) ?? null;
  }

  /** The address of the next page, where the last one says it; null: that of the operation. */
  linkFrom(url: string): string | null {
    const link = toText(this.valueOf('link'));
    return this.first !== null && link !== '' && URL.canParse(link, url) ? new URL(link, url).href : null;
  }

  /**
   * Takes a page that has come.
   * @returns is there another one?
   * @throws EngineError PAGE_WITHOUT_LIST
   */
  take(page: Exchange): boolean {
    const items = valueAt(page.body, this.place) ?? [];
    if (!isList(items)) throw new EngineError('PAGE_WITHOUT_LIST', 'A page has no list where the pagination of the operation says its items are.');
    this.first ??= page;
    for (const item of items) this.items.push(item);
    for (const { name, action, ref } of this.parameters) {
      if (name === 'result') continue;
      if (ref?.startsWith('response')) this.values.set(name, valueIn(page, ref));
      else if (action === 'increment') this.values.set(name, numberOf(this.valueOf(name)) + (name === 'page' ? 1 : numberOf(this.valueOf('limit'))));
    }
    return this.goesOn(items.length);
  }

  /** The first page, with the items of all in the place of its own. */
  get whole(): Exchange | null {
    const { first } = this;
    if (first === null || valueAt(first.body, this.place) === undefined) return first;
    return { ...first, body: withValueAt(first.body, this.place, this.items) };
  }

  private goesOn(brought: number): boolean {
    const hasMore = toText(this.valueOf('has_more')).trim().toLowerCase();
    if (hasMore !== '') return hasMore === 'true' || hasMore === '1';
    // A page without anything is the last one, whatever was promised.
    if (toText(this.valueOf('size')) !== '') return brought > 0 && this.items.length < numberOf(this.valueOf('size'));
    if (['cursor', 'next'].some((name) => isToken(this.valueOf(name)))) return true;
    const link = toText(this.valueOf('link'));
    return link !== '' && !link.slice(link.indexOf('?') + 1 || link.length).includes('null');
  }
}

/** Counts are numbers from the first page on. */
function initialOf(name: string, text: string): Value {
  if (COUNTS.has(name)) return text === '' ? (name === 'limit' ? 0 : null) : /^\d{1,15}$/.test(text) ? Number(text) : text;
  return text === '' ? null : text;
}

const isToken = (value: Value): boolean => !['', 'null', 'false'].includes(toText(value).trim());

function numberOf(value: Value): number {
  const number = Number(toText(value));
  return Number.isFinite(number) ? number : 0;
}

function valueIn(page: Exchange, ref: string): Value {
  const [, part, path = ''] = OF_ANSWER.exec(ref) ?? [];
  if (part === 'body') return valueAt(page.body, partsOf(path)) ?? null;
  const name = path.replace(/^\$\.?/, '').toLowerCase();
  const header = Object.hasOwn(page.headers, name) ? page.headers[name] : undefined;
  return header === undefined ? null : nextLink([header].flat().join(', '));
}

/** A `Link` header names several, of which the next one is meant; any other text is itself. */
function nextLink(text: string): Value {
  const links = [...text.matchAll(LINK)];
  if (links.length === 0) return text;
  return links.find(([, , about = '']) => /;\s*rel\s*=\s*(?:"[^"]*\bnext\b|next\b)/i.test(about))?.[1] ?? null;
}
