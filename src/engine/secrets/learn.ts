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

/** Maximum length of a text that is searched for secret names; no more is ever shown. */
const LONGEST_TEXT = 64 * 1024;
/** A field named `key` or `code` is a secret only if the value is long or mixed. */
const isLikelySecret = (value: string): boolean =>
  value.length >= 8 || (/\d/.test(value) && /[a-z]/i.test(value));
/** Reference to a value from elsewhere. */
const MARK = /\{%[^%]*%\}|\$\{[^${}]*\}/g;
const BARE_REFERENCE = /^\s*#[0-9A-Fa-f]{6}\.\(/;
const USER_PART = /^[a-z][\w+.-]{0,30}:\/\/([^/?#@]*)@/i;
const MAY_HOLD_NAMES = /[=:>%\\]/;
/** Maximum total length of values selected by masking rules: they must not displace secrets. */
const MAX_RULED_LENGTH = 64 * 1024;

/** Cache of literal secrets by workflow document; documents are immutable and run repeatedly. */
const spelledOut = new WeakMap<object, ReadonlySet<string>>();

/** Finds the secrets of a run by their names. */
export class Learner {
  /** Secrets of the document that is currently scanned. */
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

  /** Scans the workflow for literal secrets; referenced ones are found when they are sent. */
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

  /** Adds a declared secret, which is hidden however short or common it is. */
  named(value: string): void {
    this.known.add(value, true);
    this.known.add(value.trim(), true);
    this.secret(value, '');
  }

  /** Adds a value that a masking rule selects. */
  ruled(value: string): void {
    if (this.ruledValues.has(value) || this.ruledLength > MAX_RULED_LENGTH) return;
    this.ruledValues.add(value);
    this.ruledLength += value.length;
    this.secret(value, '');
  }

  /** Values that masking rules have selected so far. */
  get allRuled(): readonly string[] {
    return [...this.ruledValues];
  }

  /** Adds a value from a secret place; parts shorter than `minLength` are hidden only there. */
  placed(value: string, name: string, minLength: number): void {
    for (const part of secretParts(value, name)) if (part.length >= minLength) this.add(part);
  }

  /** Adds everything below secret names, and scans other texts for secret names. */
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

  /** Scans a URL: parameters, user info, and webhook tokens. */
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

  /** Adds the whole text, and the values within it if it is JSON or XML. */
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
