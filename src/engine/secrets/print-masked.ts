import { isSecretField, MASK } from '../../platform/secrets';
import { BinaryValue, isList } from '../value';
import type { Value } from '../value';
import type { RunSecrets } from './run-secrets';

const MAX_DEPTH = 100;

/**
 * Serializes a value as JSON with secrets hidden, at most `limit` characters; the cost depends on
 * the limit only.
 */
export function printMasked(value: Value, secrets: RunSecrets, limit: number): Printed {
  const out = new Output(secrets, limit);
  write(value, out, 0);
  return { text: out.written.slice(0, limit), isCut: out.full };
}

/** JSON, possibly truncated. */
interface Printed {
  readonly text: string;
  readonly isCut: boolean;
}

class Output {
  written = '';
  /** Masking shortens text, so truncation is tracked separately. */
  private wasCut = false;

  constructor(
    private readonly secrets: RunSecrets,
    private readonly limit: number,
  ) {}

  get full(): boolean {
    return this.wasCut || this.written.length > this.limit;
  }

  /** Appends syntax between texts. */
  plain(text: string): void {
    if (!this.wasCut) this.written += text;
  }

  /** Truncates the text before masking. */
  text(text: string): void {
    const room = this.limit + 1 - this.written.length;
    this.wasCut = text.length > room;
    const json = JSON.stringify(this.secrets.mask(text.slice(0, room), this.wasCut));
    this.written += this.wasCut ? json.slice(0, -1) : json;
  }

  number(value: number | bigint): void {
    this.written += this.secrets.hides(value) ? `"${MASK}"` : String(value);
  }
}

function write(value: Value, out: Output, depth: number): void {
  if (out.full) return;
  if (typeof value === 'string') out.text(value);
  else if (typeof value === 'number' || typeof value === 'bigint') out.number(value);
  else if (value === null || typeof value === 'boolean') out.plain(String(value));
  else if (value instanceof BinaryValue) out.text(value.description);
  else if (depth > MAX_DEPTH) out.plain('"…"');
  else if (isList(value)) writeList(value, out, depth);
  else writeMap(value, out, depth);
}

function writeList(list: readonly Value[], out: Output, depth: number): void {
  out.plain('[');
  for (let index = 0; index < list.length && !out.full; index += 1) {
    if (index > 0) out.plain(',');
    write(list[index], out, depth + 1);
  }
  out.plain(']');
}

/** A secret name hides the whole value. */
function writeMap(map: Readonly<Record<string, Value>>, out: Output, depth: number): void {
  out.plain('{');
  let first = true;
  for (const [name, field] of Object.entries(map)) {
    if (out.full) break;
    if (!first) out.plain(',');
    first = false;
    out.text(name);
    out.plain(':');
    if (isSecretField(name, map)) out.plain(`"${MASK}"`);
    else write(field, out, depth + 1);
  }
  out.plain('}');
}
