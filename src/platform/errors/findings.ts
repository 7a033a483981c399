import { isCurable } from './errors';
import type { DomainError } from './errors';

/** Collects errors of an input, so that the caller gets all of them at once. */
export class Findings {
  private readonly found: DomainError[];

  /** @param known errors that were found before */
  constructor(known: readonly DomainError[] = []) {
    this.found = [...known];
  }

  get count(): number {
    return this.found.length;
  }

  add(...errors: readonly DomainError[]): void {
    this.found.push(...errors);
  }

  /**
   * Runs a part of the work. Collects errors that other input would fix and returns undefined.
   * @throws all other errors: missing permission, limits, internal errors
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

  /** Synchronous variant of `of`. */
  ofSync<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (error) {
      if (!isCurable(error)) throw error;
      this.found.push(error);
      return undefined;
    }
  }

  /** @throws DomainError the first collected error, with the others attached */
  refuse(): void {
    // A collected error may contain further errors.
    const [first, ...others] = this.found.flatMap((error) => [error, ...error.beside.splice(0)]);
    if (!first) return;
    first.beside.push(...others);
    throw first;
  }

  /**
   * Returns the result if no errors were collected.
   * @throws DomainError see `refuse`
   */
  passed<R>(result: R | undefined | null): R {
    this.refuse();
    if (result == null) throw new Error('There is no result, and nothing was found against it.');
    return result;
  }
}
