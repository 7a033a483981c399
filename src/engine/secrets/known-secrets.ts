import { Automaton } from './automaton';
import type { Begun, OnMatch, Pattern } from './automaton';

/** Shorter ones are ordinary words too often; they are hidden only where they stand. */
const SHORTEST = 4;
/** Characters of a secret that are looked for; where they are found, the rest of the text is hidden with them. */
export const MAX_SECRET_LENGTH = 4_096;
/** Bytes of all secrets of a run, each once. */
export const MOST_BYTES = 256 * 1024;

const ORDINARY = /^(?:true|false|null|undefined|none)$/i;

/**
 * The secrets of one run. None is ever forgotten: when there are more than can be kept, `isFull` says so, and nothing may be shown any
 * more. New ones are gathered in automata of growing size, two of like size become one, so that each is built into few of them.
 */
export class KnownSecrets {
  private readonly texts = new Set<string>();
  private readonly automata: Automaton[] = [];
  private fresh: Pattern[] = [];
  private bytes = 0;
  /** Bytes of the shortest secret. */
  shortest = Infinity;

  get isFull(): boolean {
    return this.bytes > MOST_BYTES;
  }

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /**
   * @param isNamed it was given as a secret, and not found under a name: then no text is too ordinary to be one
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

  /** Gives how many bytes before the index `cut`, and at the very end, may be the beginning of a secret. */
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
