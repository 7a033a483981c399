import type { InputPath, Problem } from '../../../platform/errors/errors';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Tx } from '../../../platform/store/store';
import { isJsonObject } from '../document/json';
import type { WorkflowDocument } from '../document/workflow-document';
import type { ReferencedRecords } from './referenced-records';
import { aggregatorIdsOf, connectorIdsOf } from '../document/document-facts';
import type { DocumentFacts } from '../document/document-facts';
import { idOf, namesRecord } from '../document/record-id';

/** The references of the stored workflow; null for a new one. */
type StoredReferences = Pick<
  DocumentFacts,
  'connectorIds' | 'secrets' | 'aggregatorIds' | 'categoryId'
> | null;

const MAX_PROBLEMS = 20;

/**
 * Checks that the connectors, aggregators and category of a workflow exist. References that were
 * stored before are not checked, so that a user can change a step without repairing others. Secrets
 * are not checked: they may be created later.
 */
export class ReferenceChecker {
  constructor(private readonly records: ReferencedRecords) {}

  /** Collects CONNECTOR_NOT_FOUND, AGGREGATOR_NOT_FOUND and CATEGORY_NOT_FOUND. */
  async check(
    document: WorkflowDocument,
    stored: StoredReferences,
    findings: Findings,
    tx?: Tx,
  ): Promise<void> {
    const { connectors, aggregators, categories } = this.records;
    const connectorIds = without(connectorIdsOf(document), stored?.connectorIds);
    if (connectorIds.length > 0) {
      const facts = await connectors.facts(connectorIds, tx);
      const missing = connectorIds.filter((id) => !facts.has(id));
      if (missing.length > 0)
        findings.add(connectorNotFound(connectorsIn(document, idOf), missing));
    }
    const aggregatorIds = without(aggregatorIdsOf(document), stored?.aggregatorIds);
    if (aggregatorIds.length > 0) {
      const existing = await aggregators.findExisting(aggregatorIds, tx);
      const missing = new Set(aggregatorIds.filter((id) => !existing.has(id)));
      if (missing.size > 0) findings.add(aggregatorNotFound(document, missing));
    }
    const category = idOf(document.categoryId);
    if (category === null || category === stored?.categoryId) return;
    if (!(await categories.findExisting([category], tx)).has(category)) {
      const message = `There is no category ${category}.`;
      findings.add(new Refused('CATEGORY_NOT_FOUND', message, { path: ['categoryId'] }));
    }
  }

  /**
   * Collects CONNECTOR_NOT_FOUND for ids that no connector can have (out of range, or not numeric),
   * except those that the stored document also has. The container is checked too: steps without a
   * type call its connector.
   */
  checkIds(document: WorkflowDocument, stored: WorkflowDocument | null, findings: Findings): void {
    const ids = impossibleIds(document);
    if (ids.length === 0) return;
    const before = stored ? impossibleIds(stored).map(({ id }) => id) : [];
    const added = without(
      ids.map(({ id }) => id),
      before,
    );
    if (added.length > 0) findings.add(connectorNotFound(ids, added));
  }

  /**
   * Repeats `check` within the transaction that writes.
   * @throws Refused CONNECTOR_NOT_FOUND, AGGREGATOR_NOT_FOUND, CATEGORY_NOT_FOUND
   */
  async require(document: WorkflowDocument, stored: StoredReferences, tx: Tx): Promise<void> {
    const findings = new Findings();
    await this.check(document, stored, findings, tx);
    findings.refuse();
  }

  /** Makes the deletion of newly referenced, existing records conflict with this transaction. */
  async claim(facts: DocumentFacts, stored: StoredReferences, tx: Tx): Promise<void> {
    const { connectors, secrets, aggregators, categories } = this.records;
    const connectorIds = without(facts.connectorIds, stored?.connectorIds);
    if (connectorIds.length > 0) {
      const existing = [...(await connectors.facts(connectorIds, tx)).keys()];
      if (existing.length > 0) await connectors.claim(existing, tx);
    }
    const names = without(facts.secrets, stored?.secrets);
    if (names.length > 0) {
      const existing = [...(await secrets.findExisting(names, tx))];
      if (existing.length > 0) await secrets.claim(existing, tx);
    }
    const aggregatorIds = without(facts.aggregatorIds, stored?.aggregatorIds);
    if (aggregatorIds.length > 0)
      await aggregators.claim([...(await aggregators.findExisting(aggregatorIds, tx))], tx);
    const category = facts.categoryId;
    if (
      category !== null &&
      category !== stored?.categoryId &&
      (await categories.findExisting([category], tx)).has(category)
    )
      await categories.claim([category], tx);
  }
}

function without<T>(values: readonly T[], excluded: readonly T[] = []): T[] {
  const set = new Set(excluded);
  return values.filter((value) => !set.has(value));
}

function aggregatorNotFound(
  { fromConnector }: WorkflowDocument,
  missing: ReadonlySet<number>,
): Refused {
  const problems = fromConnector.methods
    .flatMap(({ dataAggregator }, position): Problem[] => {
      const id = idOf(dataAggregator);
      const path = ['fromConnector', 'methods', position, 'dataAggregator'];
      return id === null || !missing.has(id)
        ? []
        : [{ code: 'AGGREGATOR_NOT_FOUND', path, message: `There is no aggregator ${id}.` }];
    })
    .slice(0, MAX_PROBLEMS);
  return new Refused(
    'AGGREGATOR_NOT_FOUND',
    'The workflow refers to an aggregator that does not exist.',
    { path: problems[0]?.path, problems },
  );
}

/** A connector id in a document, and its path. */
interface ConnectorReference<T> {
  readonly path: InputPath;
  readonly id: T;
}

/** Connector ids that no connector can have, as they appear in messages. */
const impossibleIds = (document: WorkflowDocument): ConnectorReference<string>[] =>
  connectorsIn(document, (id) =>
    !namesRecord(id) || idOf(id) !== null
      ? null
      : typeof id === 'object'
        ? '{}'
        : JSON.stringify(id).slice(0, 100),
  );

function connectorsIn<T>(
  { fromConnector }: WorkflowDocument,
  read: (id: unknown) => T | null,
): ConnectorReference<T>[] {
  const ofMethods = fromConnector.methods.map(({ connector }, position) => ({
    path: ['fromConnector', 'methods', position, 'connector', 'connectorId'],
    value: isJsonObject(connector) ? connector.connectorId : null,
  }));
  return [
    { path: ['fromConnector', 'connectorId'], value: fromConnector.connectorId },
    ...ofMethods,
  ].flatMap(({ path, value }) => {
    const id = read(value);
    return id === null ? [] : [{ path, id }];
  });
}

function connectorNotFound<T extends number | string>(
  references: readonly ConnectorReference<T>[],
  missing: readonly T[],
): Refused {
  const set = new Set(missing);
  const problems = references
    .filter(({ id }) => set.has(id))
    .slice(0, MAX_PROBLEMS)
    .map(({ path, id }): Problem => ({
      code: 'CONNECTOR_NOT_FOUND',
      path,
      message: `There is no connector ${id}.`,
    }));
  return new Refused('CONNECTOR_NOT_FOUND', 'The workflow calls a connector that does not exist.', {
    path: problems[0]?.path,
    problems,
  });
}
