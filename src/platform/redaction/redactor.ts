import { hasOneReading, viewsOf, windowsOf } from './decodings';
import { cutEntityOf } from './encodings';
import { KnownSecrets } from './known-secrets';
import type { Begun } from './known-secrets';
import { HiddenRanges, MASK } from './mask';
import { namedValues } from './named-values';
import { secretParts, secretValues } from './secret-parts';
import { endOf, lettersOf, startOf } from './view';
import type { View } from './view';

/** Shorter starts of a secret at a truncated end reveal nothing. */
const SHORTEST_BEGINNING = 4;
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;
const MAY_HOLD_NAMES = /[=:>%\\]/;
/** Maximum total length of values selected by masking rules: they must not displace secrets. */
const MAX_RULED_LENGTH = 64 * 1024;

/** Knows secret values and hides them in texts, in any encoding. Texts must be truncated before. */
export class Redactor {
  private readonly known = new KnownSecrets();
  private readonly ruled = new Set<string>();
  private ruledLength = 0;

  get isEmpty(): boolean {
    return this.known.isEmpty;
  }

  /** Too many secrets are known: nothing may be shown any more. */
  get isFull(): boolean {
    return this.known.isFull;
  }

  /** Adds one value; returns false if it is too short or too common to be hidden. */
  add(secret: string): boolean {
    return this.known.add(secret);
  }

  /** Adds a declared secret, which is hidden however short or common it is. */
  addNamed(value: string): void {
    this.known.add(value, true);
    this.known.add(value.trim(), true);
    for (const part of secretValues(value)) this.known.add(part);
  }

  /** Adds a value from a secret place; parts shorter than `minLength` are hidden only there. */
  addPlaced(value: string, name: string, minLength: number): void {
    for (const part of secretParts(value, name)) if (part.length >= minLength) this.known.add(part);
  }

  /** Adds a value that a masking rule selects. */
  addRuled(value: string): void {
    if (this.ruled.has(value) || this.ruledLength > MAX_RULED_LENGTH) return;
    this.ruled.add(value);
    this.ruledLength += value.length;
    for (const part of secretValues(value)) this.known.add(part);
  }

  /** Values that masking rules have selected so far. */
  get ruledValues(): readonly string[] {
    return [...this.ruled];
  }

  /**
   * Hides known secrets. `isCut`: the text was truncated, so its end may be the start of a secret.
   */
  hide(text: string, isCut = false): string {
    return this.hidden(isCut ? wholeCharacters(text) : text, isCut, false);
  }

  /** Also hides values after secret names. */
  mask(text: string, isCut = false): string {
    return this.hidden(isCut ? wholeCharacters(text) : text, isCut, MAY_HOLD_NAMES.test(text));
  }

  /** Hides known secrets in a text of any length. */
  hideLong(text: string): string {
    const { shortest } = this.known;
    if (
      this.known.isEmpty ||
      text.length * MOST_BYTES_A_UNIT < shortest ||
      (text.length < shortest && hasOneReading(text))
    )
      return text;
    const hidden = new HiddenRanges(text);
    for (const { at, window } of windowsOf(text)) {
      for (const view of viewsOf(window, { bytes: shortest, isCut: false }))
        this.hideKnown(view, hidden, at, view.bytes.length);
    }
    return hidden.text();
  }

  /** Returns whether the digits of a number contain a secret. */
  hides(value: number | bigint): boolean {
    const text = String(value);
    return this.hide(text) !== text;
  }

  private hidden(text: string, isCut: boolean, withNames: boolean): string {
    if (this.known.isFull) return text === '' ? '' : MASK;
    const isTooShort =
      this.known.isEmpty ||
      (text.length * MOST_BYTES_A_UNIT < this.known.shortest &&
        !(isCut && text.length >= SHORTEST_BEGINNING));
    if (!withNames && isTooShort) return text;
    const hidden = new HiddenRanges(text);
    if (isTooShort && hasOneReading(text)) return hidden.addAll(namedValues(text)).text();
    for (const view of viewsOf(text, isTooShort ? null : { bytes: this.known.shortest, isCut })) {
      if (!isTooShort && isCut) this.hideKnownAndBegun(view, hidden);
      else if (!isTooShort) this.hideKnown(view, hidden, 0, view.bytes.length);
      if (withNames)
        for (const { start, end } of namedValues(lettersOf(view)))
          hidden.add(startOf(view, start), endOf(view, end - 1));
    }
    return hidden.text();
  }

  /** @param at offset of the view in the text */
  private hideKnown(view: View, hidden: HiddenRanges, at: number, cut: number): Begun {
    return this.known.scan(view.bytes, cut, (end, length, isBeginning) => {
      hidden.add(
        at + startOf(view, end - length),
        isBeginning ? undefined : at + endOf(view, end - 1),
      );
    });
  }

  /** Also hides what may be the start of a secret at the end of a truncated text. */
  private hideKnownAndBegun(view: View, hidden: HiddenRanges): void {
    const { length } = view.bytes;
    const cut = cutEntityOf(view.bytes);
    const { beforeCut, atEnd } = this.hideKnown(view, hidden, 0, cut);
    if (beforeCut >= SHORTEST_BEGINNING) hidden.add(startOf(view, cut - beforeCut));
    if (atEnd >= SHORTEST_BEGINNING) hidden.add(startOf(view, length - atEnd));
  }
}

/** Removes half of a surrogate pair at the end. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
