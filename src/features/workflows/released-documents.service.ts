import type { ReleasedClient } from '../../platform/http/dialects/released-client';
import { Refused } from '../../platform/errors/errors';
import { runInSlices } from '../../platform/event-loop';
import type { TimeSlice, Yielding } from '../../platform/event-loop';
import { isJsonObject } from './document/json';
import type { JsonObject } from './document/json';
import { idOf } from './document/record-id';
import { toTwoContainers } from './document/two-container-view';
import { withoutNotes } from './document/two-containers';
import type { WorkflowDocument } from './document/workflow-document';
import type { ConnectorFacts, KnownConnectors } from './references/referenced-records';

export { outlineTwoContainers } from './document/two-container-outline';
export type { NextStep, OutlinedStep } from './document/two-container-outline';

/** Begins the description of a workflow that a 4.x client cannot save. */
const READ_ONLY = 'Read-only in this client: ';

/** Views of shared, frozen documents; kept as long as the document. */
const views = new WeakMap<WorkflowDocument, Promise<JsonObject>>();

/** Presents documents of workflows, versions and templates in the `released` dialect. */
export class ReleasedDocuments {
  constructor(private readonly connectors: Pick<KnownConnectors, 'facts'>) {}

  /**
   * The document with two containers for a 4.x client, and with one for every other. Containers
   * have the present titles and invokers of their connectors. A workflow that cannot be shown with
   * two containers has the reason in its description.
   */
  async present(document: WorkflowDocument, client: ReleasedClient): Promise<JsonObject> {
    if (client !== '4.x') return withoutNotes(document);
    const view = views.get(document) ?? viewOf(document);
    views.set(document, view);
    const { fromConnector, toConnector, ...rest } = await view;
    const ids = [fromConnector, toConnector].flatMap((container) =>
      isJsonObject(container) ? (idOf(container.connectorId) ?? []) : [],
    );
    const facts = await this.connectors.facts([...new Set(ids)]);
    return {
      ...rest,
      fromConnector: withFacts(fromConnector, facts),
      toConnector: withFacts(toConnector, facts),
    };
  }
}

async function viewOf(document: WorkflowDocument): Promise<JsonObject> {
  const view = await runInSlices((slice) => toTwoContainers(document, slice));
  return view.readOnly === null
    ? view.document
    : { ...view.document, description: describeReadOnly(view.readOnly, document.description) };
}

const ELSEWHERE = 'Change it in a 5.x client or in the dashboard.';

const describeReadOnly = (reason: string, description: string | null | undefined): string =>
  `${READ_ONLY}${reason}. ${ELSEWHERE}${description ? `\n\n${description}` : ''}`;

function withFacts(container: unknown, known: ReadonlyMap<number, ConnectorFacts>): unknown {
  if (!isJsonObject(container)) return container;
  const facts = known.get(idOf(container.connectorId) ?? 0);
  const invoker = isJsonObject(container.invoker) ? container.invoker : { name: '' };
  return facts
    ? { ...container, title: facts.title, invoker: { ...invoker, name: facts.invoker } }
    : { ...container, title: container.title ?? '', invoker };
}

/**
 * Checks that a 4.x client may save a workflow.
 * @param sent not parsed yet
 * @param stored the workflow that it replaces; null for a new one
 * @throws Refused WORKFLOW_NEEDS_5X_CLIENT the client was shown only a part, and would save that;
 * CONNECTOR_NOT_FOUND a container has methods and no connector
 */
export function* requireSavableBy4x(
  sent: unknown,
  stored: WorkflowDocument | null,
  slice: TimeSlice,
): Yielding<void> {
  const reason = stored === null ? null : (yield* toTwoContainers(stored, slice)).readOnly;
  if (reason !== null)
    throw new Refused(
      'WORKFLOW_NEEDS_5X_CLIENT',
      `A 4.x client cannot save this workflow: ${reason}. ${ELSEWHERE}`,
    );
  requireShownWhole(sent);
  if (!isJsonObject(sent)) return;
  for (const side of ['fromConnector', 'toConnector']) {
    const container = sent[side];
    if (!isJsonObject(container) || idOf(container.connectorId) !== null) continue;
    const { methods } = container;
    if (Array.isArray(methods) && methods.length > 0)
      throw new Refused('CONNECTOR_NOT_FOUND', `${side} has methods and names no connector.`, {
        path: [side, 'connectorId'],
      });
  }
}

/**
 * Checks that a document of a 4.x client is no copy of a read-only view.
 * @throws Refused WORKFLOW_NEEDS_5X_CLIENT
 */
export function requireShownWhole(sent: unknown): void {
  if (!isJsonObject(sent)) return;
  if (typeof sent.description === 'string' && sent.description.startsWith(READ_ONLY))
    throw new Refused(
      'WORKFLOW_NEEDS_5X_CLIENT',
      'A 4.x client cannot copy a workflow that it shows read-only. Copy it in a 5.x client or in the dashboard.',
      { path: ['description'] },
    );
}
