import { compilePipeline } from './semantics/aggregate';
import type { Pipeline } from './semantics/aggregate';
import { isDocument } from './semantics/values';
import type { Doc } from './semantics/values';

/**
 * The queries that a pipeline puts one behind the other: a query, then `$unionWith` of the same collection with a query each. So one
 * command reads a page for each of many parents. Undefined for anything else.
 */
export function unitedQueries(stages: readonly Doc[], collection: string): Pipeline['prefix'][] | undefined {
  const first = stages.findIndex((stage) => '$unionWith' in stage);
  if (first < 0) return undefined;
  const parts: Doc[][] = [stages.slice(0, first)];
  for (const stage of stages.slice(first)) {
    const part = pipelineOf(stage, collection);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const compiled = parts.map((part) => (part.some((stage) => '$unionWith' in stage) ? undefined : compilePipeline(part)));
  return compiled.every((part) => part?.reads === 'nothing') ? compiled.flatMap((part) => part?.prefix ?? []) : undefined;
}

function pipelineOf(stage: Doc, collection: string): Doc[] | undefined {
  const { $unionWith: specification } = stage;
  if (Object.keys(stage).length !== 1 || !isDocument(specification)) return undefined;
  const { coll, pipeline, ...others } = specification;
  if (coll !== collection || !Array.isArray(pipeline) || !pipeline.every(isDocument) || Object.keys(others).length > 0) return undefined;
  return pipeline;
}
