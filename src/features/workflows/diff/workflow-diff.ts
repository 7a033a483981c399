import { inTurns } from '../../../platform/event-loop';
import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { knownValuesOf } from '../masking/known-values';
import type { VersionHistory, VersionWithDocument } from '../versions/version-history';
import type { WorkflowDocument } from '../workflow.document';
import type { WorkflowReading } from '../workflow-reading';
import type { VersionRecord } from '../workflow.model';
import type { FieldDifference, Room } from './field-difference';
import { fieldDifferences } from './field-difference';
import type { PartDifference } from './part-differences';
import { partDifferences } from './part-differences';

/**
 * The differences of two versions. Empty if they are equal, apart from the order of object fields
 * and of the steps and bindings in their lists.
 */
export interface WorkflowDiff {
  readonly from: VersionRecord;
  readonly to: VersionRecord;
  readonly methods: readonly PartDifference[];
  readonly operators: readonly PartDifference[];
  readonly bindings: readonly PartDifference[];
  /** Differences outside of steps and bindings. */
  readonly fields: readonly FieldDifference[];
  /** False if there are more differences than reported. */
  readonly complete: boolean;
}

/** Maximum number of differences in one diff, over steps, bindings and fields. */
export const MOST_DIFFERENCES = 10_000;

export interface WorkflowDiffDependencies {
  readonly reading: Pick<WorkflowReading, 'get'>;
  readonly history: Pick<VersionHistory, 'originalVersion'>;
}

/**
 * Compares versions of a workflow. Secrets are masked for every user: a diff shows only that they
 * changed.
 */
export function createWorkflowDiff({ reading, history }: WorkflowDiffDependencies) {
  return {
    /**
     * Compares two versions of a workflow; `to` null: the current one.
     * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
     */
    async diff(workflowId: number, from: string, to: string | null): Promise<WorkflowDiff> {
      const workflow = await reading.get(workflowId);
      const [before, after] = [
        await history.originalVersion(workflowId, from),
        await history.originalVersion(workflowId, to ?? workflow.snapshotId),
      ];
      return inTurns((turn) => compare(before, after, turn));
    },
  };
}

function* compare(
  before: VersionWithDocument,
  after: VersionWithDocument,
  turn: Turn,
): Steps<WorkflowDiff> {
  const room: Room = {
    left: MOST_DIFFERENCES,
    known: yield* knownValuesOf([before.document, after.document], turn),
  };
  const [old, now] = [partsOf(before.document), partsOf(after.document)];
  const methods = yield* partDifferences(old.methods, now.methods, room, turn);
  const operators = yield* partDifferences(old.operators, now.operators, room, turn);
  const bindings = yield* partDifferences(old.bindings, now.bindings, room, turn);
  const fields = yield* fieldDifferences(old.rest, now.rest, room, turn);
  return {
    from: before.version,
    to: after.version,
    methods,
    operators,
    bindings,
    fields,
    complete: room.left > 0,
  };
}

interface Parts {
  readonly methods: readonly JsonObject[];
  readonly operators: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly rest: JsonObject;
}

function partsOf({ fromConnector, fieldBinding, ...rest }: WorkflowDocument): Parts {
  const { methods, operators, ...container } = fromConnector;
  return {
    methods,
    operators,
    bindings: fieldBinding.filter(isJsonObject),
    rest: { ...rest, fromConnector: container },
  };
}
