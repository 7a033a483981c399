import { parseExactJson } from '../exact-json';
import type { OutboundResponse } from '../ports';
import type { Value } from '../value';

export interface ReadBody {
  readonly value: Value;
  /** True when the answer called itself JSON and was none. */
  readonly brokenJson: boolean;
}

/** Types under which servers send JSON without saying so; such a text counts as JSON when it looks like it and is. */
const MAYBE_JSON = new Set(['', 'text/plain', 'text/javascript', 'application/javascript', 'application/octet-stream']);

/** The body of an answer: JSON as a value, everything else as text, nothing as null. JSON that is none is kept as text. */
export function readBody(response: OutboundResponse): ReadBody {
  const contentType = String(response.headers['content-type'] ?? '').toLowerCase();
  const text = decode(response.body, contentType);
  if (text.trim() === '') return { value: text === '' ? null : text, brokenJson: false };
  const type = contentType.split(';')[0].trim();
  const declared = /[/+]json$/.test(type);
  if (!declared && !(MAYBE_JSON.has(type) && /^\s*[[{]/.test(text))) return { value: text, brokenJson: false };
  try {
    return { value: parseExactJson(text) as Value, brokenJson: false };
  } catch {
    return { value: text, brokenJson: declared };
  }
}

/** UTF-8 unless the answer names another character set that is known here. */
function decode(body: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([^";\s]+)/.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
