import { isCurable } from './errors';
import type { DomainError } from './errors';

/** Collects what speaks against an input, so that whoever sent it learns everything at once. */
export class Findings {
  private readonly found: DomainError[];

  /** @param known what was found before, elsewhere */
  constructor(known: readonly DomainError[] = []) {
    this.found = [...known];
  }

  get count(): number {
    return this.found.length;
  }

  /** Keeps refusals. */
  add(...errors: readonly DomainError[]): void {
    this.found.push(...errors);
  }

  /**
   * Does a part of the work. What other input would cure is kept, and there is no result.
   * @throws what no other input would cure: missing rights, limits, faults
   */
  async of<R>(work: () => R | Promise<R>): Promise<R | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isCurable(error)) throw error;
      this.found.push(error);
      return undefined;
    }
  }

  /** The same for work that is done at once. */
  ofSync<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (error) {
      if (!isCurable(error)) throw error;
      this.found.push(error);
      return undefined;
    }
  }

  /** @throws DomainError the first of what was found, with the others beside it */
  refuse(): void {
    // One that was kept may have others beside it already.
    const [first, ...others] = this.found.flatMap((error) => [error, ...error.beside.splice(0)]);
    if (!first) return;
    first.beside.push(...others);
    throw first;
  }

  /**
   * What a judged part came to, when nothing speaks against the whole.
   * @throws DomainError like `refuse`
   */
  passed<R>(result: R | undefined | null): R {
    this.refuse();
    if (result == null) throw new Error('There is no result, and nothing was found against it.');
    return result;
  }
}
