import {
  isSecretField,
  isSecretName,
  isSecretParameter,
  namedValues,
  quotedTexts,
  textsInXml,
  webhookTokensIn,
} from '../../platform/secrets';
import type { OutboundRequest, OutboundResponse } from '../ports';
import { formatOfMediaType } from '../request/body-format';
import { headerValue } from '../request/headers';
import { BinaryValue } from '../value';
import type { Value } from '../value';
import type { KnownSecrets } from './known-secrets';
import { numberParts, percentDecoded, secretOfPair, secretParts } from './secret-parts';
import { hasOneReading, viewsOf } from './views';

/** Characters of one text in which names are looked for: no more of it is ever shown. */
export const LONGEST_TEXT = 64 * 1024;
/** What is called just `key` or `code` is hidden in a URL, form or header. Elsewhere a short one is as often an ordinary word or number. */
const isLikelySecret = (value: string): boolean =>
  value.length >= 8 || (/\d/.test(value) && /[a-z]/i.test(value));
/** What a workflow takes from elsewhere. */
const MARK = /\{%[^%]*%\}|\$\{[^${}]*\}/g;
const BARE_REFERENCE = /^\s*#[0-9A-Fa-f]{6}\.\(/;
const USER_PART = /^[a-z][\w+.-]{0,30}:\/\/([^/?#@]*)@/i;
const MAY_HOLD_NAMES = /[=:>%\\]/;
/** Characters of all values that masking rules select: a rule may select most of a large answer, and secrets need their room. */
const MAX_RULED_LENGTH = 64 * 1024;

/** What is spelled out in documents that are there still: they are changed by nobody, and a workflow is run over and over. */
const spelledOut = new WeakMap<object, ReadonlySet<string>>();

/** Finds the secrets of a run: by the names they stand under, wherever that is. */
export class Learner {
  /** While a document is read: its secrets. */
  private found: Set<string> | null = null;
  private readonly ruledValues = new Set<string>();
  private ruledLength = 0;

  constructor(private readonly known: KnownSecrets) {}

  request(request: OutboundRequest, sent: unknown): void {
    this.url(request.url);
    this.headers(request.headers);
    this.body(sent, request.body, headerValue(request.headers, 'content-type'));
  }

  response(response: OutboundResponse, body: Value): void {
    this.headers(response.headers);
    this.body(body, response.body, contentTypeOf(response.headers));
  }

  /** The workflow itself: what is spelled out in it. What it refers to is learned where it is sent. */
  document(root: object): void {
    const before = spelledOut.get(root);
    if (before !== undefined) {
      for (const secret of before) this.known.add(secret);
      return;
    }
    const found = (this.found = new Set<string>());
    this.walk(root, (text, name, isSecret) => {
      const own = text.slice(0, LONGEST_TEXT).replace(MARK, ' ');
      if (BARE_REFERENCE.test(text) || (isSecret && own.length < text.length)) return;
      this.leaf(own, name, isSecret);
    });
    this.found = null;
    if (!this.known.isFull) spelledOut.set(root, found);
  }

  /** A secret that somebody named: hidden however short or ordinary it is. */
  named(value: string): void {
    this.known.add(value, true);
    this.known.add(value.trim(), true);
    this.secret(value, '');
  }

  /** A value that a masking rule selects: hidden like one under a secret name. */
  ruled(value: string): void {
    if (this.ruledValues.has(value) || this.ruledLength > MAX_RULED_LENGTH) return;
    this.ruledValues.add(value);
    this.ruledLength += value.length;
    this.secret(value, '');
  }

  /** The values that masking rules have selected so far. */
  get allRuled(): readonly string[] {
    return [...this.ruledValues];
  }

  /** A value that stands in a secret place; parts of it that are shorter than `minLength` are hidden there only. */
  placed(value: string, name: string, minLength: number): void {
    for (const part of secretParts(value, name)) if (part.length >= minLength) this.add(part);
  }

  /** All below a secret name, and names in the texts of the rest. Takes any data. */
  tree(root: unknown): void {
    this.walk(root, (text, name, isSecret) => this.leaf(text, name, isSecret));
  }

  private walk(root: unknown, leaf: (text: string, name: string, isSecret: boolean) => void): void {
    const open: { value: unknown; name: string; isSecret: boolean }[] = [
      { value: root, name: '', isSecret: false },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { value, name, isSecret } = next;
      if (typeof value === 'string') leaf(value, name, isSecret);
      else if ((typeof value === 'number' || typeof value === 'bigint') && isSecret)
        numberParts(value).forEach((part) => this.add(part));
      else if (Array.isArray(value))
        for (const item of value as unknown[]) open.push({ value: item, name, isSecret });
      else if (typeof value === 'object' && value !== null && !(value instanceof BinaryValue)) {
        for (const [inner, field] of Object.entries(value))
          open.push({
            value: field,
            name: inner,
            isSecret: isSecret || isSecretField(inner, value),
          });
      }
    }
  }

  headers(headers: Readonly<Record<string, string | string[]>>): void {
    for (const [name, value] of Object.entries(headers)) {
      for (const text of Array.isArray(value) ? value : [value])
        this.leaf(
          text,
          name,
          isSecretName(name) || (isSecretParameter(name) && isLikelySecret(text)),
        );
    }
  }

  /** Parameters, what is secret before the host, and what starts a webhook. */
  url(url: string): void {
    for (const token of webhookTokensIn(url)) this.named(token);
    const user = USER_PART.exec(url.slice(0, LONGEST_TEXT))?.[1];
    if (user !== undefined)
      this.secret(percentDecoded(secretOfPair(user).replaceAll('+', '%2B')), 'password');
    this.form(url.slice(url.indexOf('?') + 1));
    this.text(url);
  }

  private body(
    value: unknown,
    raw: string | Buffer | undefined,
    contentType: string | undefined,
  ): void {
    if (formatOfMediaType(contentType ?? '') === 'form' && raw !== undefined)
      this.form(typeof raw === 'string' ? raw : raw.toString('utf8', 0, LONGEST_TEXT));
    this.tree(value);
  }

  private form(text: string): void {
    for (const parameter of text.slice(0, LONGEST_TEXT).split(/[&#;]/)) {
      const at = parameter.indexOf('=');
      const name = percentDecoded(parameter.slice(0, Math.max(at, 0)));
      const value = percentDecoded(parameter.slice(at + 1));
      if (at > 0 && (isSecretName(name) || (isSecretParameter(name) && isLikelySecret(value))))
        this.secret(value, name);
    }
  }

  private leaf(text: string, name: string, isSecret: boolean): void {
    if (isSecret) this.secret(text, name);
    else this.text(text);
  }

  private text(whole: string): void {
    if (!MAY_HOLD_NAMES.test(whole)) return;
    const text = whole.slice(0, LONGEST_TEXT);
    if (hasOneReading(text)) {
      for (const { name, start, end } of namedValues(text))
        this.secret(text.slice(start, end), name);
      return;
    }
    for (const { bytes } of viewsOf(text, null)) {
      const letters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      for (const { name, start, end } of namedValues(letters)) {
        this.secret(Buffer.from(letters.slice(start, end), 'latin1').toString('utf8'), name);
      }
    }
  }

  private add(secret: string): void {
    if (this.known.add(secret)) this.found?.add(secret);
  }

  /** A secret text is secret as a whole, and so is what stands in it when it is JSON or XML. */
  private secret(text: string, name: string): void {
    for (const part of secretParts(text, name)) this.add(part);
    if (/^\s*[[{]/.test(text)) {
      for (const part of quotedTexts(text)) secretParts(part).forEach((inner) => this.add(inner));
      for (const [digits] of text.matchAll(/\d{4,40}/g)) this.add(digits);
    } else if (text.includes('<')) {
      for (const part of textsInXml(text)) secretParts(part).forEach((inner) => this.add(inner));
    }
  }
}

function contentTypeOf(headers: OutboundResponse['headers']): string | undefined {
  const value = headers['content-type'];
  return Array.isArray(value) ? value[0] : value;
}
