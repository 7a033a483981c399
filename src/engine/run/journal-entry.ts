import { isUtf8 } from 'node:buffer';
import type { OutboundResponse } from '../ports';

/** A `Set-Cookie` header of a call to `url`. */
export type KeptCookie = readonly [url: string, header: string | string[] | undefined];

/** What a run learned from outside. `at` is where: index, iterations, attempt and a number. */
export type JournalEntry = { readonly at: string } & (
  | {
      /** A call that must not be sent twice is about to be sent. */
      readonly kind: 'begun';
    }
  | {
      readonly kind: 'answer';
      readonly response: OutboundResponse;
      /** Time that counts for the timeout of the step, ms. */
      readonly ms: number;
      /** What the answers, also of redirects, stored in the cookie store of the call. */
      readonly cookies: readonly KeptCookie[];
    }
  | {
      /** A call or script failed. */
      readonly kind: 'failure';
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'script'; readonly json: string }
  | { readonly kind: 'pause'; readonly ms: number | null }
);

/** A line of JSON, without line breaks. */
export function encodeEntry(entry: JournalEntry): string {
  if (entry.kind !== 'answer') return JSON.stringify(entry);
  const { body, ...response } = entry.response;
  const written = isUtf8(body)
    ? { text: body.toString('utf8') }
    : { base64: body.toString('base64') };
  return JSON.stringify({ ...entry, response, ...written });
}

export function decodeEntry(line: string): JournalEntry {
  const { text, base64, ...entry } = JSON.parse(line) as JournalEntry & {
    text?: string;
    base64?: string;
  };
  if (entry.kind !== 'answer') return entry;
  const body = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
  return { ...entry, response: { ...entry.response, body } };
}
