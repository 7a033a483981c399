import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { PatchAnswer } from './patch.schema';
import type { PatchedWorkflow } from './workflow-patches';

/** What REST answers to a patch. */
export interface PatchPresenters {
  readonly patched: Presenter<[PatchedWorkflow]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly patches: PatchPresenters;
  }
}

/** The documented shape: the released one, with what every save answers beside it. */
export const documentedPatches: PatchPresenters = {
  patched: presenter(PatchAnswer, ({ record, addedId }: PatchedWorkflow) => ({
    connectionId: record._id,
    nodeId: record.snapshotId,
    ...(addedId !== null && { id: addedId }),
  })),
};
