import { isMaskable, isSecretName, MASK } from '../../platform/secrets';
import { isList } from '../value';
import type { Value } from '../value';
import type { Masker } from './masking';

const MAX_DEPTH = 100;

/**
 * Writes a value as JSON with its secrets hidden, and stops as soon as more than `limit` characters are written: the segment of
 * a huge answer costs no more than that of a small one.
 */
export function printMasked(value: Value, masker: Masker, limit: number): string {
  const out = new Output(limit);
  write(value, masker, out, 0);
  return out.text;
}

class Output {
  text = '';

  constructor(readonly limit: number) {}

  get full(): boolean {
    return this.text.length > this.limit;
  }

  /** Long texts are cut before they are escaped. */
  string(text: string): void {
    this.text += JSON.stringify(text.length > this.limit ? text.slice(0, this.limit + 1) : text);
  }
}

function write(value: Value, masker: Masker, out: Output, depth: number): void {
  if (out.full) return;
  if (typeof value === 'string') out.string(masker.byValue(value.slice(0, out.limit + 1_000)));
  else if (value === null || typeof value !== 'object') out.text += String(value);
  else if (depth > MAX_DEPTH) out.text += '"…"';
  else if (isList(value)) writeList(value, masker, out, depth);
  else writeMap(value, masker, out, depth);
}

function writeList(list: readonly Value[], masker: Masker, out: Output, depth: number): void {
  out.text += '[';
  for (let index = 0; index < list.length && !out.full; index += 1) {
    if (index > 0) out.text += ',';
    write(list[index], masker, out, depth + 1);
  }
  out.text += ']';
}

function writeMap(map: Readonly<Record<string, Value>>, masker: Masker, out: Output, depth: number): void {
  out.text += '{';
  let first = true;
  for (const [name, field] of Object.entries(map)) {
    if (out.full) break;
    if (!first) out.text += ',';
    first = false;
    out.string(name);
    out.text += ':';
    writeField(name, field, masker, out, depth);
  }
  out.text += '}';
}

/** A secret name hides the whole value, whatever it is; only nothing stays nothing. */
function writeField(name: string, field: Value, masker: Masker, out: Output, depth: number): void {
  if (!isMaskable(field) || !isSecretName(name)) {
    write(field, masker, out, depth + 1);
    return;
  }
  masker.learn(field);
  out.string(MASK);
}
