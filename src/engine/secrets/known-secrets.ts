import { Automaton } from './automaton';
import type { Begun, OnMatch, Pattern } from './automaton';

/** Shorter values are too often ordinary words; they are hidden only at their place. */
const SHORTEST = 4;
/** Only this many characters are searched; after a match, the rest of the text is hidden. */
export const MAX_SECRET_LENGTH = 4_096;
/** Maximum total bytes of the distinct secrets of a run. */
export const MOST_BYTES = 256 * 1024;

const ORDINARY = /^(?:true|false|null|undefined|none)$/i;

/**
 * Secrets of one run. Never forgets any: `isFull` means that not all fit, and nothing may be shown
 * any more. New secrets go into automata of growing size, merged pairwise, so that rebuilding is
 * rare.
 */
export class KnownSecrets {
  private readonly texts = new Set<string>();
  private readonly automata: Automaton[] = [];
  private fresh: Pattern[] = [];
  private bytes = 0;
  /** Length of the shortest secret in bytes. */
  shortest = Infinity;

  get isFull(): boolean {
    return this.bytes > MOST_BYTES;
  }

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /**
   * @param isNamed explicitly declared as secret: accepted however short or common it is
   * @returns whether it is hidden from now on
   */
  add(text: string, isNamed = false): boolean {
    const secret = text.length > MAX_SECRET_LENGTH ? text.slice(0, MAX_SECRET_LENGTH) : text;
    if (this.texts.has(secret)) return true;
    if (
      secret === '' ||
      this.isFull ||
      (!isNamed && (secret.length < SHORTEST || ORDINARY.test(secret)))
    )
      return false;
    const bytes = Buffer.from(secret, 'utf8');
    this.bytes += bytes.length;
    if (this.isFull) return false;
    this.texts.add(secret);
    this.shortest = Math.min(this.shortest, bytes.length);
    this.fresh.push({ bytes, isBeginning: secret.length < text.length });
    return true;
  }

  /** Returns how many bytes before index `cut`, and at the end, may be the start of a secret. */
  scan(bytes: Uint8Array, cut: number, onMatch: OnMatch): Begun {
    this.build();
    const begun = this.automata.map((automaton) => automaton.scan(bytes, cut, onMatch));
    return {
      beforeCut: Math.max(0, ...begun.map(({ beforeCut }) => beforeCut)),
      atEnd: Math.max(0, ...begun.map(({ atEnd }) => atEnd)),
    };
  }

  private build(): void {
    if (this.fresh.length === 0) return;
    let automaton = new Automaton(this.fresh);
    this.fresh = [];
    for (
      let last = this.automata.at(-1);
      last !== undefined && last.size <= automaton.size * 2;
      last = this.automata.at(-1)
    ) {
      this.automata.pop();
      automaton = new Automaton([...last.patterns, ...automaton.patterns]);
    }
    this.automata.push(automaton);
  }
}
