import { located, typeMismatch, unsupported } from '../errors';
import { assignField, isDocument } from '../values';
import type { Doc } from '../values';
import type { Stage, StageCompiler } from './stage';
import { addFields, project, unset } from './stages/fields';
import { group, sortByCount } from './stages/group';
import { lookup } from './stages/lookup';
import { count, limit, match, replaceRoot, skip, sort } from './stages/simple';
import { unwind } from './stages/unwind';

/** A pipeline element split into the name of its stage and what stands under it. */
export interface NamedStage {
  readonly name: string;
  readonly specification: unknown;
}

const compilers: Readonly<Record<string, StageCompiler>> = {
  $match: match, $sort: sort, $skip: skip, $limit: limit, $project: project, $addFields: addFields, $set: addFields, $unset: unset,
  $group: group, $count: count, $unwind: unwind, $lookup: lookup, $replaceRoot: replaceRoot, $replaceWith: replaceRoot,
  $sortByCount: sortByCount, $facet: (specification) => facet(specification),
};

/** Stages of MongoDB this store refuses; any other name is an error there as well. */
const refused = new Set([
  '$bucket', '$bucketAuto', '$changeStream', '$changeStreamSplitLargeEvent', '$collStats', '$currentOp', '$densify', '$documents', '$fill', '$geoNear',
  '$graphLookup', '$indexStats', '$listLocalSessions', '$listSampledQueries', '$listSearchIndexes', '$listSessions', '$merge', '$out',
  '$planCacheStats', '$redact', '$sample', '$search', '$searchMeta', '$setWindowFields', '$shardedDataDistribution', '$unionWith', '$vectorSearch',
]);

/** @throws StoreError 14 for an element that is no document, 40323 unless it has exactly one field */
export function namedStage(element: unknown): NamedStage {
  if (!isDocument(element)) throw typeMismatch("Each element of the 'pipeline' array must be an object");
  const names = Object.keys(element);
  if (names.length !== 1) throw located(40323, 'A pipeline stage specification object must contain exactly one field.');
  return { name: names[0], specification: element[names[0]] };
}

/** @throws StoreError 115 for a stage the store has not, 40324 for one nobody has */
export function compileStage({ name, specification }: NamedStage): Stage {
  if (Object.hasOwn(compilers, name)) return compilers[name](specification, name);
  if (name === '$changeStream') throw located(40573, 'The $changeStream stage is only supported on replica sets; it is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set');
  if (refused.has(name)) throw unsupported(`the aggregation stage ${name} is`);
  throw located(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** `$facet`: each pipeline sees the same documents and fills one array field. */
function facet(specification: unknown): Stage {
  const facets = parseFacets(specification).map(([name, stages]) => [name, stages.map(compileStage)] as const);
  return (docs, find) => {
    const result: Doc = {};
    for (const [name, stages] of facets) {
      assignField(result, name, stages.reduce<readonly Doc[]>((current, stage) => stage(current, find), docs));
    }
    return [result];
  };
}

/** @throws StoreError 40169 / 40170 / 40600 for a malformed `$facet` */
export function parseFacets(specification: unknown): [string, NamedStage[]][] {
  if (!isDocument(specification)) throw located(40169, 'the $facet specification must be a non-empty object');
  const facets = Object.entries(specification);
  if (facets.length === 0) throw located(40169, 'the $facet specification must be a non-empty object');
  return facets.map(([name, pipeline]) => {
    if (name.startsWith('$') || name.includes('.')) throw located(16410, `FieldPath field names may not start with '$' or contain '.': ${name}`);
    if (!Array.isArray(pipeline)) throw located(40170, `arguments to $facet must be arrays, ${name} is not`);
    const stages = (pipeline as unknown[]).map(namedStage);
    if (stages.some((stage) => stage.name === '$facet')) throw located(40600, '$facet is not allowed to be used within a $facet stage');
    return [name, stages];
  });
}
