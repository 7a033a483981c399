import { isSecretParameter, marked, MASK, namedValues } from '../../platform/secrets';
import type { Yielding, TimeSlice } from '../../platform/event-loop';
import { cutEntityOf } from './escapes';
import { KnownSecrets } from './known-secrets';
import { Learner } from './learn';
import { percentDecoded } from './secret-parts';
import { endOf, startOf } from './view';
import type { View } from './view';
import { hasOneReading, viewsOf, windowsOf } from './views';

/** Shorter starts of a secret at a truncated end reveal nothing. */
const SHORTEST_BEGINNING = 4;
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;
const MAY_HOLD_NAMES = /[=:>%\\]/;

/**
 * Secrets of one run. They are collected from a step before anything of it is written, and then
 * hidden everywhere, in any encoding. Texts must be truncated before.
 */
export class RunSecrets {
  private readonly known = new KnownSecrets();
  readonly learn = new Learner(this.known);

  get isEmpty(): boolean {
    return this.known.isEmpty;
  }

  /**
   * Hides known secrets. `isCut`: the text was truncated, so its end may be the start of a secret.
   */
  hide(text: string, isCut = false): string {
    return this.masked(isCut ? wholeCharacters(text) : text, isCut, false);
  }

  /** Also hides values after secret names. */
  mask(text: string, isCut = false): string {
    return this.masked(isCut ? wholeCharacters(text) : text, isCut, MAY_HOLD_NAMES.test(text));
  }

  /** Hides known secrets in a text of any length, in time slices. */
  *hideInTurns(text: string, slice: TimeSlice): Yielding<string> {
    const { shortest } = this.known;
    if (
      this.known.isEmpty ||
      text.length * MOST_BYTES_A_UNIT < shortest ||
      (text.length < shortest && hasOneReading(text))
    )
      return text;
    const covered = new Covered(text);
    for (const { at, window } of windowsOf(text)) {
      for (const view of viewsOf(window, { bytes: shortest, isCut: false })) {
        this.known.scan(view.bytes, view.bytes.length, (end, length, isBeginning) => {
          covered.add(
            at + startOf(view, end - length),
            isBeginning ? covered.length : at + endOf(view, end - 1),
          );
        });
      }
      if (slice.over) yield;
    }
    return covered.text();
  }

  /** Returns whether the digits of a number contain a secret. */
  hides(value: number | bigint): boolean {
    const text = String(value);
    return this.hide(text) !== text;
  }

  headers(
    headers: Readonly<Record<string, string | string[]>>,
    limit: number,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const text = Array.isArray(value) ? value.join(', ') : value;
        const isCut = text.length > limit;
        return [
          this.hide(name),
          isSecretParameter(name)
            ? MASK
            : marked(this.mask(text.slice(0, limit), isCut), isCut, text.length),
        ];
      }),
    );
  }

  url(url: string, isCut: boolean): string {
    const [before, query] = splitAt(
      url.replace(/^([a-z][\w+.-]{0,30}:\/\/)[^/?#@]*@/i, `$1${MASK}@`),
      '?',
    );
    return this.mask(query === null ? before : `${before}?${parameters(query)}`, isCut);
  }

  form(text: string, isCut: boolean): string {
    return this.mask(parameters(text), isCut);
  }

  private masked(text: string, isCut: boolean, withNames: boolean): string {
    if (this.known.isFull) return text === '' ? '' : MASK;
    const isTooShort =
      this.known.isEmpty ||
      (text.length * MOST_BYTES_A_UNIT < this.known.shortest &&
        !(isCut && text.length >= SHORTEST_BEGINNING));
    if (!withNames && isTooShort) return text;
    const covered = new Covered(text);
    if (isTooShort && hasOneReading(text)) {
      for (const { start, end } of namedValues(text)) covered.add(start, end);
      return covered.text();
    }
    for (const view of viewsOf(text, isTooShort ? null : { bytes: this.known.shortest, isCut })) {
      if (!isTooShort) this.coverKnown(view, covered, isCut);
      if (withNames) coverNamed(view, covered);
    }
    return covered.text();
  }

  private coverKnown(view: View, covered: Covered, isCut: boolean): void {
    const { bytes } = view;
    const cut = isCut ? cutEntityOf(bytes) : bytes.length;
    const { beforeCut, atEnd } = this.known.scan(bytes, cut, (end, length, isBeginning) => {
      covered.add(startOf(view, end - length), isBeginning ? covered.length : endOf(view, end - 1));
    });
    if (!isCut) return;
    if (beforeCut >= SHORTEST_BEGINNING)
      covered.add(startOf(view, cut - beforeCut), covered.length);
    if (atEnd >= SHORTEST_BEGINNING)
      covered.add(startOf(view, bytes.length - atEnd), covered.length);
  }
}

function coverNamed(view: View, covered: Covered): void {
  const { bytes } = view;
  for (const { start, end } of namedValues(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
  )) {
    covered.add(startOf(view, start), endOf(view, end - 1));
  }
}

/** Set of hidden ranges, which may overlap. */
class Covered {
  private changes: Int32Array | null = null;

  constructor(private readonly source: string) {}

  get length(): number {
    return this.source.length;
  }

  add(start: number, end: number): void {
    this.changes ??= new Int32Array(this.source.length + 1);
    this.changes[start] += 1;
    this.changes[end] -= 1;
  }

  text(): string {
    if (this.changes === null) return this.source;
    let written = '';
    let shownFrom = 0;
    let depth = 0;
    for (let index = 0; index <= this.source.length; index += 1) {
      const before = depth;
      depth += this.changes[index];
      if (before === 0 && depth > 0) written += this.source.slice(shownFrom, index) + MASK;
      else if (before > 0 && depth === 0) shownFrom = index;
    }
    return written + this.source.slice(shownFrom);
  }
}

/** Removes half of a surrogate pair at the end. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** Masks secret parameters in `name=value&…`. */
function parameters(text: string): string {
  return text
    .split('&')
    .map((parameter) => {
      const [name, value] = splitAt(parameter, '=');
      return value !== null && isSecretParameter(percentDecoded(name))
        ? `${name}=${MASK}`
        : parameter;
    })
    .join('&');
}

function splitAt(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
