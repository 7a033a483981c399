import { z } from 'zod';
import { takesIfMatch } from './record-version';
import type { Route } from './route';

const IF_MATCH = z.string().optional().meta({
  description: 'Change or delete only this version of the record, as its `ETag` has it (`"7"`); when somebody was faster, the answer is 412 `CONFLICT`, and nothing is changed.',
});

/** The headers a route reads, beside those of the door. */
export const recordParameters = (record: Route['record']): { header?: z.ZodObject } => (takesIfMatch({ record }) ? { header: z.object({ 'If-Match': IF_MATCH }) } : {});
