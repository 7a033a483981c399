import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { PatchAnswer } from './patch.schema';
import type { PatchedWorkflow } from './workflow-patches';

export interface PatchPresenters {
  readonly patched: Presenter<[PatchedWorkflow]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly patches: PatchPresenters;
  }
}

/** The shape of the released line, with the fields that every save returns. */
export const documentedPatches: PatchPresenters = {
  patched: presenter(PatchAnswer, ({ record, addedId }: PatchedWorkflow) => ({
    connectionId: record._id,
    nodeId: record.snapshotId,
    ...(addedId !== null && { id: addedId }),
  })),
};
