import { isCurable, reasonsOf, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import { templateInvalid } from './template.rules';

/**
 * Does work on a part of what was sent: what is refused says in which part.
 * @throws Refused TEMPLATE_INVALID with every reason, the place of the part before its own
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
 * Refuses what was found in parts as one: who is told one thing at a time learns all of it, too.
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
