import { z } from 'zod';
import { MOST_AT_ONCE } from '../store/all-or-none';
import { BodyId, INT32_MAX } from './scalars';

/** Which records a list operation is about: `{"identifiers":[1,2]}`. */
export const Identifiers = z
  .object({ identifiers: z.array(BodyId).max(MOST_AT_ONCE) })
  .meta({ id: 'Identifiers' });

/** Example for a deletion: an id that no record has. */
export const NOBODY = { identifiers: [INT32_MAX] };
