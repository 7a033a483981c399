import type { Model, PipelineStage } from 'mongoose';

/** Combines pipelines into one, so that queries for many objects need one call to the store. */
export function unionOf<T>(
  model: Model<T>,
  [first, ...others]: readonly PipelineStage[][],
): PipelineStage[] {
  if (!first) return [{ $limit: 1 }];
  return [
    ...first,
    ...others.map((pipeline) => ({ $unionWith: { coll: model.collection.name, pipeline } })),
  ] as PipelineStage[];
}
