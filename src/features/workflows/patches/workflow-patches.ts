import type { Config } from '../../../config/config';
import type { Actor } from '../../../platform/access/actor';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
import type { ExpectedVersion } from '../../../platform/store/records';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowWithDocument } from '../workflow-reading';
import type { WorkflowSaving } from '../workflow-saving';
import { applyPatch } from './apply-patch';
import type { FirstAdded } from './apply-patch';
import { readPatch } from './patch';
import type { Operation } from './patch';
import { idOfPart, listAt, targetedBy } from './patch-target';
import type { PatchTarget } from './patch-target';

export interface WorkflowPatchesDependencies {
  readonly config: Pick<Config, 'limits'>;
  readonly saving: WorkflowSaving;
}

/** The saved workflow, and the id of the first step or field binding that the patch added. */
export interface PatchedWorkflow {
  readonly record: WorkflowRecord;
  readonly addedId: string | null;
}

/** JSON patches (RFC 6902) of workflows and their parts. */
export function createWorkflowPatches({ config, saving }: WorkflowPatchesDependencies) {
  return {
    /**
     * Applies a JSON patch to a workflow or one of its parts, and saves it.
     * @param sent the patch, not parsed yet
     * @throws NotFound CONNECTION_NOT_FOUND, METHOD_NOT_FOUND, OPERATOR_NOT_FOUND,
     * ENHANCEMENT_NOT_FOUND
     * @throws BadInput PATCH_INVALID the input is not a patch
     * @throws Refused  PATH_IS_INVALID, and the errors of a save
     * @throws Conflict PATCH_TEST_FAILED; CONFLICT the version differs; TITLE_HAS_ALREADY_TAKEN
     * @throws TooLarge the patch or its result is too large
     */
    async patch(
      actor: Actor,
      id: number,
      target: PatchTarget,
      sent: unknown,
      expectedVersion?: ExpectedVersion,
    ): Promise<PatchedWorkflow> {
      const found = new Findings();
      const operations = await found.of(() => inTurns((turn) => readPatch(sent, turn)));
      let first: FirstAdded | null = null;
      const { record, document } = await saving.edit(
        actor,
        id,
        {
          action: 'workflow.patch',
          origin: 'written',
          async make(base) {
            const made = await patched(base, target, operations ?? []);
            first = made.added;
            return made.document;
          },
        },
        expectedVersion,
        found,
      );
      return { record, addedId: first && idAt(first, document, target) };
    },
  };

  async function patched(
    base: WorkflowWithDocument,
    target: PatchTarget,
    operations: readonly Operation[],
  ): Promise<{ document: unknown; added: FirstAdded | null }> {
    const targeted = targetedBy(target, base);
    const { value, added } = await inTurns((turn) =>
      applyPatch(targeted, operations, config.limits.workflowBytes, turn),
    );
    return { document: targeted.put(value), added };
  }
}

/**
 * Ids are assigned by the save, and parts keep their positions, so the id is read after the save.
 */
function idAt(
  { list, position }: FirstAdded,
  document: WorkflowWithDocument['document'],
  { kind }: PatchTarget,
): string | null {
  return idOfPart(
    listAt(document, kind === 'connector' ? ['fromConnector', ...list] : list)[position],
  );
}
