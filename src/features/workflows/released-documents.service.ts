import type { Actor } from '../../platform/access/actor';
import { derived } from '../../platform/cache';
import type { ReleasedClient } from '../../platform/http/dialects/released-client';
import { Refused } from '../../platform/errors/errors';
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

/** Presents documents in the `released` dialect. */
export interface ReleasedView {
  /**
   * The document with two containers for a 4.x client, and with one for every other. Containers
   * have the present titles and invokers of their connectors. A workflow that cannot be shown with
   * two containers has the reason in its description.
   */
  present(document: WorkflowDocument, client: ReleasedClient): Promise<JsonObject>;
}

/** Invokers as REST clients read them. */
interface ShownInvokers {
  byName(actor: Actor, name: string): Promise<object | null>;
}

type ReadInvoker = (name: string) => Promise<object | null>;

/** Presents documents of workflows, versions and templates: containers name their invokers. */
export class ReleasedDocuments implements ReleasedView {
  constructor(
    private readonly connectors: Pick<KnownConnectors, 'facts'>,
    private readonly invokers: ShownInvokers,
  ) {}

  present(document: WorkflowDocument, client: ReleasedClient): Promise<JsonObject> {
    return this.presentWith(document, client, async () => null);
  }

  /** For the editor of the 4.x client, which reads the operations from the containers. */
  forEditor(actor: Actor): ReleasedView {
    return {
      present: (document, client) =>
        this.presentWith(document, client, async (name) => ({
          operations: [],
          ...(await this.invokers.byName(actor, name)),
        })),
    };
  }

  private async presentWith(
    document: WorkflowDocument,
    client: ReleasedClient,
    readInvoker: ReadInvoker,
  ): Promise<JsonObject> {
    if (client !== '4.x') return withoutNotes(document);
    const { fromConnector, toConnector, ...rest } = viewOf(document);
    const ids = [fromConnector, toConnector].flatMap((container) =>
      isJsonObject(container) ? (idOf(container.connectorId) ?? []) : [],
    );
    const facts = await this.connectors.facts([...new Set(ids)]);
    return {
      ...rest,
      fromConnector: await withFacts(fromConnector, facts, readInvoker),
      toConnector: await withFacts(toConnector, facts, readInvoker),
    };
  }
}

const viewOf = derived((document: WorkflowDocument): JsonObject => {
  const view = toTwoContainers(document);
  return view.readOnly === null
    ? view.document
    : { ...view.document, description: describeReadOnly(view.readOnly, document.description) };
});

const ELSEWHERE = 'Change it in a 5.x client or in the dashboard.';

const describeReadOnly = (reason: string, description: string | null | undefined): string =>
  `${READ_ONLY}${reason}. ${ELSEWHERE}${description ? `\n\n${description}` : ''}`;

async function withFacts(
  container: unknown,
  connectors: ReadonlyMap<number, ConnectorFacts>,
  readInvoker: ReadInvoker,
): Promise<unknown> {
  if (!isJsonObject(container)) return container;
  const facts = connectors.get(idOf(container.connectorId) ?? 0);
  const written = isJsonObject(container.invoker) ? container.invoker : { name: '' };
  const name = facts?.invoker ?? written.name;
  return {
    ...container,
    title: facts?.title ?? container.title ?? '',
    invoker: { ...written, ...(await readInvoker(typeof name === 'string' ? name : '')), name },
  };
}

/**
 * Checks that a 4.x client may save a workflow.
 * @param sent not parsed yet
 * @param stored the workflow that it replaces; null for a new one
 * @throws Refused WORKFLOW_NEEDS_5X_CLIENT the client was shown only a part, and would save that;
 * CONNECTOR_NOT_FOUND a container has methods and no connector
 */
export function requireSavableBy4x(sent: unknown, stored: WorkflowDocument | null): void {
  const reason = stored === null ? null : toTwoContainers(stored).readOnly;
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
