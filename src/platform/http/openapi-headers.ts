import { z } from 'zod';
import { takesIfMatch } from './record-version';
import { PREFER } from './respond-async';
import type { Route } from './route';

const IF_MATCH = z.string().optional().meta({
  description: 'Change or delete only this version of the record, as its `ETag` has it (`"7"`); when somebody was faster, the answer is 412 `CONFLICT`, and nothing is changed.',
});
const SHOWS = z.string().optional().meta({ description: 'The master password: with the right one this answer shows the credentials that are hidden otherwise. A wrong one is refused, and counted like a failed login.' });
const REQUIRED = z.string().meta({ description: 'The master password. A wrong one is refused, and counted like a failed login.' });

/** The headers a route reads, beside those of the door. */
export function headerParameters({ record, masterPassword, mayRespondAsync }: Pick<Route, 'record' | 'masterPassword' | 'mayRespondAsync'>): { header?: z.ZodObject } {
  const headers = {
    ...(mayRespondAsync && { Prefer: PREFER }),
    ...(takesIfMatch({ record }) && { 'If-Match': IF_MATCH }),
    ...(masterPassword !== undefined && { 'X-Master-Password': masterPassword === 'required' ? REQUIRED : SHOWS }),
  };
  return Object.keys(headers).length === 0 ? {} : { header: z.object(headers) };
}
