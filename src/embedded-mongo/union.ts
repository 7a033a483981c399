import { countedAs } from './counting';
import { compilePipeline } from './semantics/aggregate';
import type { Pipeline } from './semantics/aggregate';
import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';

/**
 * Returns the queries of a pipeline that concatenates them with `$unionWith` of the same
 * collection, so that one command reads pages for many parents. Undefined for other pipelines.
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

/**
 * Returns the queries of a pipeline that counts each, with the `_id` of its group; or undefined.
 */
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

/** Splits a pipeline at `$unionWith`. */
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
