import { serialize } from 'node:v8';

/** How long what was read may serve others who ask the same, ms: about as far apart are those who look on hearing of one change. */
const SHARED_MS = 100;
/** Reads remembered at once; more are made by each for himself. */
const MOST = 100;

/** Reads that many make at about the same time: one for all who ask the same. What was begun before a change is given to nobody who asks after it. */
export class SharedReads {
  private readonly reads = new Map<string, Promise<unknown>>();

  /** @param question everything that the answer depends on beside the store */
  take<T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> {
    // Unlike JSON it tells patterns and dates apart.
    const name = serialize(question).toString('latin1');
    const known = this.reads.get(name);
    if (known) return known as Promise<T>;
    // Once, also where what `read` answers begins anew for each that waits for it.
    const made = (async () => read())();
    if (this.reads.size >= MOST) return made;
    this.reads.set(name, made);
    const forget = (): void => {
      if (this.reads.get(name) === made) this.reads.delete(name);
    };
    made.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return made;
  }

  /** Something has changed. */
  readonly forget = (): void => this.reads.clear();
}
