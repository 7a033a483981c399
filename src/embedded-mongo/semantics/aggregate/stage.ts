import type { Doc } from '../values';

/** Documents of another collection whose field holds (or, for null, lacks) one of the values. */
export type Lookup = (collection: string, field: string, values: unknown[]) => Doc[];

/** A compiled stage: all documents in, all documents out. */
export type Stage = (docs: readonly Doc[], lookup: Lookup) => Doc[];

/** Compiles what stands under a stage's name. */
export type StageCompiler = (specification: unknown, name: string) => Stage;
