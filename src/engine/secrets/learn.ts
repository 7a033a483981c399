import {
  hasOneReading,
  lettersOf,
  namedValues,
  numberParts,
  percentDecoded,
  secretOfPair,
  secretValues,
  viewsOf,
} from '../../platform/redaction';
import type { Redactor } from '../../platform/redaction';
import {
  isSecretField,
  isSecretName,
  isSecretParameter,
  webhookTokensIn,
} from '../../platform/secrets';
import type { OutboundRequest, OutboundResponse } from '../ports';
import { formatOfMediaType } from '../request/body-format';
import { headerValue } from '../request/headers';
import { BinaryValue } from '../value';
import type { Value } from '../value';

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

/** Cache of literal secrets by workflow document; documents are immutable and run repeatedly. */
const spelledOut = new WeakMap<object, ReadonlySet<string>>();

/** Finds the secrets of a run by their names and adds them to its redactor. */
export class Learner {
  /** Secrets of the document that is currently scanned. */
  private found: Set<string> | null = null;

  constructor(private readonly redactor: Pick<Redactor, 'add' | 'addNamed' | 'isFull'>) {}

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
      for (const secret of before) this.redactor.add(secret);
      return;
    }
    const secrets = (this.found = new Set<string>());
    this.walk(root, (text, name, isSecret) => {
      const own = text.slice(0, LONGEST_TEXT).replace(MARK, ' ');
      if (BARE_REFERENCE.test(text) || (isSecret && own.length < text.length)) return;
      this.leaf(own, name, isSecret);
    });
    this.found = null;
    if (!this.redactor.isFull) spelledOut.set(root, secrets);
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
          isSecretParameter(name) && (isSecretName(name) || isLikelySecret(text)),
        );
    }
  }

  /** Scans a URL: parameters, user info, and webhook tokens. */
  url(url: string): void {
    for (const token of webhookTokensIn(url)) this.redactor.addNamed(token);
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
      if (at > 0 && isSecretParameter(name) && (isSecretName(name) || isLikelySecret(value)))
        this.secret(value, name);
    }
  }

  private leaf(text: string, name: string, isSecret: boolean): void {
    if (isSecret) this.secret(text, name);
    else this.text(text);
  }

  private text(fullText: string): void {
    if (!MAY_HOLD_NAMES.test(fullText)) return;
    const text = fullText.slice(0, LONGEST_TEXT);
    if (hasOneReading(text)) {
      for (const { name, start, end } of namedValues(text))
        this.secret(text.slice(start, end), name);
      return;
    }
    for (const view of viewsOf(text, null)) {
      const letters = lettersOf(view);
      for (const { name, start, end } of namedValues(letters)) {
        this.secret(Buffer.from(letters.slice(start, end), 'latin1').toString('utf8'), name);
      }
    }
  }

  private add(secret: string): void {
    if (this.redactor.add(secret)) this.found?.add(secret);
  }

  private secret(text: string, name: string): void {
    for (const value of secretValues(text, name)) this.add(value);
  }
}

function contentTypeOf(headers: OutboundResponse['headers']): string | undefined {
  const value = headers['content-type'];
  return Array.isArray(value) ? value[0] : value;
}
