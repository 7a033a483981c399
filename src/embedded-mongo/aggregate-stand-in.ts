import { unsupported } from './semantics/errors';
import { compileFilter } from './semantics/match';
import type { Doc } from './semantics/values';

/** Until the pipeline compiler is in: leading $match, then the $group of countDocuments. */
export interface Pipeline {
  readonly prefix: { filter?: Doc; sort?: Doc; skip?: number; limit?: number };
  readonly rest: (docs: Doc[], lookup: (collection: string, field: string, values: unknown[]) => Doc[]) => Doc[];
  readonly lookups: string[];
}

export function compilePipeline(pipeline: Doc[]): Pipeline {
  const prefix: Pipeline['prefix'] = {};
  let count: Doc | undefined;
  for (const stage of pipeline) {
    const name = Object.keys(stage)[0];
    if (name === '$match') prefix.filter = { $and: [prefix.filter ?? {}, stage.$match as Doc] };
    else if (name === '$sort') prefix.sort = stage.$sort as Doc;
    else if (name === '$skip') prefix.skip = Number(stage.$skip);
    else if (name === '$limit') prefix.limit = Number(stage.$limit);
    else if (name === '$group') count = stage.$group as Doc;
    else throw unsupported(`the stage ${name} is`);
  }
  compileFilter(prefix.filter ?? {});
  return { prefix, lookups: [], rest: (docs) => (count === undefined ? docs : docs.length === 0 ? [] : [{ _id: count._id, n: docs.length }]) };
}
