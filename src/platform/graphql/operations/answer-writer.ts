import { WrittenData } from '../plans/text';
import type { Outcome } from './error-format';

/** Longer texts are not shared. */
const LIGHT_CHARACTERS = 32 * 1024;

/** The parts of an answer; data that is written already is used as it is. */
interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: unknown;
}

/** Returns an answer as JSON. */
export function writeAnswer({ data, errors, extensions }: Answer): string {
  if (!(data instanceof WrittenData)) return JSON.stringify({ data, errors, extensions });
  const rest = JSON.stringify({ errors, extensions });
  return rest === '{}' ? `{"data":${data.text}}` : `{"data":${data.text},${rest.slice(1)}`;
}

/** Writes results that several subscribers are sent, once for all. */
export class SharedAnswers {
  private readonly written = new WeakMap<Outcome, Buffer>();
  private readonly unshareable = new WeakSet<Outcome>();

  /** From now on, `write` returns null for this outcome. */
  preventSharing(outcome: Outcome): void {
    this.unshareable.add(outcome);
  }

  /** Returns the text in UTF-8, or null if the result must not be shared or is large. */
  write(outcome: Outcome): Buffer | null {
    if (this.unshareable.has(outcome)) return null;
    const sharedText = this.written.get(outcome);
    if (sharedText) return sharedText;
    const text = writeAnswer(outcome);
    if (text.length > LIGHT_CHARACTERS) return null;
    const encoded = Buffer.from(text);
    this.written.set(outcome, encoded);
    return encoded;
  }
}
