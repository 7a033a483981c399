import { connectorUses } from '../../engine';
import type { ConnectorUse } from '../../engine';
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
}

/** Of documents that are held still: they are changed by nobody, and a run waits for this before it begins. */
const known = new WeakMap<WorkflowDocument, DocumentNeeds>();

/** Looks through a document, unless a run before has. */
export async function needsOf(document: WorkflowDocument): Promise<DocumentNeeds> {
  const before = known.get(document);
  if (before !== undefined) return before;
  const needs = {
    connectors: await inTurns((turn) => connectorUses(document, turn)), secrets: await inTurns((turn) => secretsNamedIn(document, turn)), aggregatorIds: aggregatorIdsOf(document),
  };
  known.set(document, needs);
  return needs;
}
