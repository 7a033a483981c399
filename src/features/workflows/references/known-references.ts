import type { InputPath, Problem } from '../../../platform/errors/errors';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Tx } from '../../../platform/store/store';
import { isJsonObject } from '../json';
import type { WorkflowDocument } from '../workflow.document';
import type { WorkflowPorts } from '../workflow.ports';
import { aggregatorIdsOf, connectorIdsOf } from './document-facts';
import type { DocumentFacts } from './document-facts';
import { idOf, namesRecord } from './record-id';

/** The references of the stored workflow; null for a new one. */
export type FactsBefore = Pick<
  DocumentFacts,
  'connectorIds' | 'secrets' | 'aggregatorIds' | 'categoryId'
> | null;

export type KnownReferences = ReturnType<typeof createKnownReferences>;

const MOST_PROBLEMS = 20;

/**
 * Checks that the connectors, aggregators and category of a workflow exist. References that were
 * stored before are not checked, so that a user can change a step without repairing others. Secrets
 * are not checked: they may be created later.
 */
export function createKnownReferences({
  connectors,
  secrets,
  aggregators,
  categories,
}: WorkflowPorts) {
  /**
   * Reports CONNECTOR_NOT_FOUND, AGGREGATOR_NOT_FOUND and CATEGORY_NOT_FOUND for new references.
   */
  async function noteUnknown(
    document: WorkflowDocument,
    before: FactsBefore,
    found: Findings,
    tx?: Tx,
  ): Promise<void> {
    const ids = without(connectorIdsOf(document), before?.connectorIds);
    const facts = connectors && ids.length > 0 ? await connectors.facts(ids, tx) : undefined;
    const unknown = new Set(facts ? ids.filter((id) => !facts.has(id)) : []);
    if (unknown.size > 0) found.add(connectorNotFound(document, unknown));
    const asked = without(aggregatorIdsOf(document), before?.aggregatorIds);
    const there = aggregators && asked.length > 0 ? await aggregators.known(asked, tx) : undefined;
    const missing = new Set(there ? asked.filter((id) => !there.has(id)) : []);
    if (missing.size > 0) found.add(aggregatorNotFound(document, missing));
    const category = idOf(document.categoryId);
    if (categories === undefined || category === null || category === before?.categoryId) return;
    if (!(await categories.known([category], tx)).has(category)) {
      const message = `There is no category ${category}.`;
      found.add(new Refused('CATEGORY_NOT_FOUND', message, { path: ['categoryId'] }));
    }
  }

  return {
    noteUnknown,

    /**
     * Reports CONNECTOR_NOT_FOUND for ids that no connector can have (out of range, or not
     * numeric), except those that the stored document also has. The container is checked too: steps
     * without a type call its connector.
     */
    noteImpossible(
      document: WorkflowDocument,
      stored: WorkflowDocument | null,
      found: Findings,
    ): void {
      const ids = impossibleIds(document);
      if (ids.length === 0) return;
      const there = new Set((stored ? impossibleIds(stored) : []).map(({ id }) => id));
      const unknown = new Set(ids.map(({ id }) => id).filter((id) => !there.has(id)));
      if (unknown.size > 0) found.add(refusalOf(ids, unknown));
    },

    /**
     * Repeats the check within the transaction that writes.
     * @throws Refused CONNECTOR_NOT_FOUND, AGGREGATOR_NOT_FOUND, CATEGORY_NOT_FOUND
     */
    async requireKnown(document: WorkflowDocument, before: FactsBefore, tx: Tx): Promise<void> {
      const found = new Findings();
      await noteUnknown(document, before, found, tx);
      found.refuse();
    },

    /** Makes the deletion of newly referenced, existing records conflict with this transaction. */
    async claim(facts: DocumentFacts, before: FactsBefore, tx: Tx): Promise<void> {
      const ids = without(facts.connectorIds, before?.connectorIds);
      if (connectors && ids.length > 0) {
        const known = [...(await connectors.facts(ids, tx)).keys()];
        if (known.length > 0) await connectors.claim(known, tx);
      }
      const names = without(facts.secrets, before?.secrets);
      if (secrets && names.length > 0) {
        const known = [...(await secrets.known(names, tx))];
        if (known.length > 0) await secrets.claim(known, tx);
      }
      const aggregatorIds = without(facts.aggregatorIds, before?.aggregatorIds);
      if (aggregators && aggregatorIds.length > 0)
        await aggregators.claim([...(await aggregators.known(aggregatorIds, tx))], tx);
      const category = facts.categoryId;
      if (
        categories &&
        category !== null &&
        category !== before?.categoryId &&
        (await categories.known([category], tx)).has(category)
      )
        await categories.claim([category], tx);
    },
  };
}

function without<T>(values: readonly T[], known: readonly T[] = []): T[] {
  const there = new Set(known);
  return values.filter((value) => !there.has(value));
}

function aggregatorNotFound(
  { fromConnector }: WorkflowDocument,
  missing: ReadonlySet<number>,
): Refused {
  const problems = fromConnector.methods
    .flatMap(({ dataAggregator }, position): Problem[] => {
      const id = idOf(dataAggregator);
      return id === null || !missing.has(id)
        ? []
        : [
            {
              code: 'AGGREGATOR_NOT_FOUND',
              path: ['fromConnector', 'methods', position, 'dataAggregator'],
              message: `There is no aggregator ${id}.`,
            },
          ];
    })
    .slice(0, MOST_PROBLEMS);
  return new Refused(
    'AGGREGATOR_NOT_FOUND',
    'The workflow names an aggregator that does not exist.',
    { path: problems[0]?.path, problems },
  );
}

/** A connector id in a document, and its path. */
interface Named<T> {
  readonly place: InputPath;
  readonly id: T;
}

const connectorNotFound = (document: WorkflowDocument, unknown: ReadonlySet<number>): Refused =>
  refusalOf(idsIn(document, idOf), unknown);

/** Connector ids that no connector can have, as they appear in messages. */
const impossibleIds = (document: WorkflowDocument): Named<string>[] =>
  idsIn(document, (id) =>
    !namesRecord(id) || idOf(id) !== null
      ? null
      : typeof id === 'object'
        ? '{}'
        : JSON.stringify(id).slice(0, 100),
  );

function idsIn<T>(
  { fromConnector }: WorkflowDocument,
  read: (id: unknown) => T | null,
): Named<T>[] {
  const ofMethods = fromConnector.methods.map(({ connector }, position) => ({
    place: ['fromConnector', 'methods', position, 'connector', 'connectorId'],
    value: isJsonObject(connector) ? connector.connectorId : null,
  }));
  return [
    { place: ['fromConnector', 'connectorId'], value: fromConnector.connectorId },
    ...ofMethods,
  ].flatMap(({ place, value }) => {
    const id = read(value);
    return id === null ? [] : [{ place, id }];
  });
}

function refusalOf<T extends number | string>(
  ids: readonly Named<T>[],
  unknown: ReadonlySet<T>,
): Refused {
  const problems = ids
    .filter(({ id }) => unknown.has(id))
    .slice(0, MOST_PROBLEMS)
    .map(({ place, id }): Problem => ({
      code: 'CONNECTOR_NOT_FOUND',
      path: place,
      message: `There is no connector ${id}.`,
    }));
  return new Refused('CONNECTOR_NOT_FOUND', 'The workflow calls a connector that does not exist.', {
    path: problems[0]?.path,
    problems,
  });
}
