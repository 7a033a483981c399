import { isCurable } from './errors';
import type { DomainError, InputPath, Problem } from './errors';

/**
 * Pairs of path prefixes: that of the service and that of an API, where they differ. `*` matches an
 * array index in both. The first matching row applies; other paths are the same in both.
 */
export type PathTable = readonly (readonly [own: InputPath, sent: InputPath])[];

/** Returns the path in the terms of the API. */
export function translated(path: InputPath, table: PathTable): InputPath {
  const row = table.find(
    ([own]) =>
      own.length <= path.length &&
      own.every((part, at) => part === path[at] || (part === '*' && typeof path[at] === 'number')),
  );
  if (!row) return path;
  const [own, sent] = row;
  const positions = path.filter((_, at) => own[at] === '*');
  return [
    ...sent.map((part) => (part === '*' ? (positions.shift() ?? part) : part)),
    ...path.slice(own.length),
  ];
}

/**
 * Returns a problem for each name that occurred before in the list.
 * @param placeOf path of the entry with this index
 */
export function namedTwice(
  names: readonly string[],
  placeOf: (at: number) => InputPath,
): Problem[] {
  const before = new Set<string>();
  return names.flatMap((name, at) => {
    if (!before.has(name)) {
      before.add(name);
      return [];
    }
    return [
      {
        code: 'NAMED_TWICE' as const,
        path: placeOf(at),
        message: `${JSON.stringify(name.slice(0, 100))} is there already.`,
      },
    ];
  });
}

/** Collects errors of an input, so that the caller gets all of them at once. */
export class Findings {
  private readonly errors: DomainError[];

  /** @param errors found before */
  constructor(errors: readonly DomainError[] = []) {
    this.errors = [...errors];
  }

  get count(): number {
    return this.errors.length;
  }

  add(...errors: readonly DomainError[]): void {
    this.errors.push(...errors);
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
      this.errors.push(error);
      return undefined;
    }
  }

  /** Synchronous variant of `of`. */
  ofSync<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (error) {
      if (!isCurable(error)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }

  /** @throws DomainError the first collected error, with the others attached */
  refuse(): void {
    // A collected error may contain further errors.
    const [first, ...others] = this.errors.flatMap((error) => [error, ...error.beside.splice(0)]);
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
