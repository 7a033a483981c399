import { countedAs } from './counting';
import { compilePipeline } from './semantics/aggregate';
import type { Pipeline } from './semantics/aggregate';
import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';

/**
 * The queries that a pipeline puts one behind the other: a query, then `$unionWith` of the same collection with a query each. So one
 * command reads a page for each of many parents. Undefined for anything else.
 */
export function unitedQueries(
  stages: readonly Doc[],
  collection: string,
): Pipeline['prefix'][] | undefined {
  const compiled = partsOf(stages, collection)?.map(compilePipeline);
  return compiled?.every(({ reads }) => reads === 'nothing') === true
    ? compiled.map(({ prefix }) => prefix)
    : undefined;
}

/** How many a query finds, or each of several united ones, under the `_id` of its group. Undefined for a pipeline that does anything else. */
export function countsOf(
  stages: readonly Doc[],
  collection: string,
): { readonly id: number; readonly query: Pipeline['prefix'] }[] | undefined {
  const parts = partsOf(stages, collection) ?? [[...stages]];
  const counts = parts.flatMap((part) => {
    const id = countedAs(part);
    return id === undefined ? [] : [{ id, query: compilePipeline(part).prefix }];
  });
  return counts.length === parts.length ? counts : undefined;
}

/** The pipelines that are united, in their order. */
function partsOf(stages: readonly Doc[], collection: string): Doc[][] | undefined {
  const first = stages.findIndex((stage) => '$unionWith' in stage);
  if (first < 0) return undefined;
  const others = stages.slice(first).map((stage) => pipelineOf(stage, collection));
  const parts = [stages.slice(0, first), ...others.flatMap((part) => (part ? [part] : []))];
  return parts.length === others.length + 1 &&
    parts.every((part) => part.every((stage) => !('$unionWith' in stage)))
    ? parts
    : undefined;
}

function pipelineOf(stage: Doc, collection: string): Doc[] | undefined {
  const { $unionWith: specification } = stage;
  if (Object.keys(stage).length !== 1 || !isDocument(specification)) return undefined;
  const { coll, pipeline, ...others } = specification;
  if (
    coll !== collection ||
    !Array.isArray(pipeline) ||
    !pipeline.every(isDocument) ||
    Object.keys(others).length > 0
  )
    return undefined;
  return pipeline;
}
