import { connectorUses } from '../../engine';
import type { ConnectorUse, WorkflowSnapshot } from '../../engine';
import { inTurns } from '../../platform/json/turns';
import { secretsNamedIn } from '../../platform/secrets';
import { aggregatorIdsOf } from '../workflows/workflow-document.service';
import type { WorkflowDocument } from '../workflows/workflow-document.service';

/** What a run has to be given, as its document says. */
export interface DocumentNeeds {
  readonly connectors: ReadonlyMap<number, ConnectorUse>;
  /** The keys of named secrets. */
  readonly secrets: ReadonlySet<string>;
  readonly aggregatorIds: readonly number[];
  /** What the engine reads of it. The layout of an editor, which may have megabytes, is not sent to the processes of runs. */
  readonly executed: WorkflowSnapshot;
}

/** Of documents that are held still: they are changed by nobody, and a run waits for this before it begins. */
const known = new WeakMap<WorkflowDocument, DocumentNeeds>();

/** Looks through a document, unless a run before has. */
export async function needsOf(document: WorkflowDocument): Promise<DocumentNeeds> {
  const before = known.get(document);
  if (before !== undefined) return before;
  const { fromConnector, fieldBinding } = document;
  const needs: DocumentNeeds = {
    executed: { fromConnector, fieldBinding },
    connectors: await inTurns((turn) => connectorUses(document, turn)),
    secrets: await inTurns((turn) => secretsNamedIn(document, turn)),
    aggregatorIds: aggregatorIdsOf(document),
  };
  known.set(document, needs);
  return needs;
}
