import { isCurable, reasonsOf, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import { templateInvalid } from './template.rules';

/**
 * Processes a part of the input, and prefixes the paths of errors with `place`.
 * @throws Refused TEMPLATE_INVALID with each error
 */
export async function placed<R>(place: InputPath, work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!isCurable(error)) throw error;
    const problems = reasonsOf(error).map((problem) => ({
      ...problem,
      path: [...place, ...problem.path],
    }));
    throw new Refused('TEMPLATE_INVALID', `${place.join('.')}: ${error.message}`, {
      path: place,
      problems,
    });
  }
}

/**
 * Throws all collected errors as one.
 * @throws Refused TEMPLATE_INVALID
 */
export function refuseTogether(found: Findings): void {
  try {
    found.refuse();
  } catch (error) {
    if (!isCurable(error)) throw error;
    throw templateInvalid(reasonsOf(error));
  }
}
