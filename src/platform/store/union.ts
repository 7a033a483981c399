import type { Model, PipelineStage } from 'mongoose';

/** One pipeline that runs several one after the other, each on its index: what many objects ask for, in one call to the store. */
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
