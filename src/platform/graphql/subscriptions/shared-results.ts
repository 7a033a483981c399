import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Origin } from '../../context';
import type { OperationRequest } from '../operations/documents';
import type { Authentication } from '../../access/need';
import type { SharingScope } from './tracked-caller';
import type { Outcome } from '../operations/error-format';

/** How long a result may be shared with other subscribers, ms: the time it takes to reach many. */
const SHARED_MS = 100;
/** Maximum number of results kept for one event. */
const MAX_RESULTS_PER_EVENT = 100;

interface ScopedOutcome {
  readonly outcome: Outcome;
  readonly scope: SharingScope;
}

interface SharedResult {
  readonly result: Promise<ScopedOutcome>;
  readonly startedAt: number;
}

/**
 * Shares results of events between subscribers with the same document, variables, base URL and
 * permissions. They are made once per group, or once per session if they depend on more of the
 * caller. Errors are never shared, since they contain a request id.
 */
export class SharedResults {
  private readonly byEvent = new WeakMap<object, Map<string, SharedResult>>();
  private readonly grantSetIds = new WeakMap<ReadonlySet<string>, number>();
  private lastGrantSetId = 0;

  /**
   * `operationKey` identifies the document, its variables and all else that the answer depends on,
   * except permissions and session.
   */
  async get(
    event: unknown,
    operationKey: string,
    authentication: Authentication,
    produce: () => Promise<ScopedOutcome>,
  ): Promise<Outcome> {
    if (typeof event !== 'object' || event === null) return (await produce()).outcome;
    const results = this.byEvent.get(event) ?? new Map<string, SharedResult>();
    this.byEvent.set(event, results);
    const groupKey = `${this.describeGroup(authentication)} ${operationKey}`;
    const sessionKey = `${authentication.state === 'signed-in' ? authentication.actor.sessionId : ''} ${groupKey}`;
    const groupResult = findFresh(results, sessionKey) ? undefined : findFresh(results, groupKey);
    if (groupResult) {
      const { outcome, scope } = await groupResult;
      if (scope === 'group' && !outcome.errors) return outcome;
    }
    // Another socket of this session may have started while this one waited.
    const sessionResult = findFresh(results, sessionKey);
    if (sessionResult) {
      const { outcome, scope } = await sessionResult;
      return scope === 'none' || outcome.errors ? (await produce()).outcome : outcome;
    }
    const result = produce();
    store(results, sessionKey, result);
    if (!groupResult) store(results, groupKey, result);
    return (await result).outcome;
  }

  private describeGroup(authentication: Authentication): string {
    if (authentication.state !== 'signed-in') return authentication.state;
    const { groupId, groupName, grants } = authentication.actor;
    const id = this.grantSetIds.get(grants) ?? (this.lastGrantSetId += 1);
    this.grantSetIds.set(grants, id);
    return `${groupId} ${JSON.stringify(groupName)} ${id}`;
  }
}

function findFresh(
  results: ReadonlyMap<string, SharedResult>,
  key: string,
): Promise<ScopedOutcome> | undefined {
  const entry = results.get(key);
  return entry && performance.now() - entry.startedAt < SHARED_MS ? entry.result : undefined;
}

function store(
  results: Map<string, SharedResult>,
  key: string,
  result: Promise<ScopedOutcome>,
): void {
  if (results.has(key) || results.size < MAX_RESULTS_PER_EVENT)
    results.set(key, { result, startedAt: performance.now() });
}

/** Returns the operation key: requests of the same user with the same key have the same answer. */
export const operationKeyOf = (
  { query, operationName, variables }: OperationRequest,
  { baseUrl }: Origin,
): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables, baseUrl]))
    .digest('base64');

const variablesOfOperations = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/**
 * Returns the operation key for one event of a shared source. The arguments of the root field only
 * select the source and the place in it, so their variables do not count: subscribers that started
 * at different events share a key.
 */
export function eventKeyOf(
  request: OperationRequest,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  origin: Origin,
): string {
  const names = variablesOfOperations.get(operation) ?? variablesBelowRoot(document, operation);
  variablesOfOperations.set(operation, names);
  return operationKeyOf(
    {
      ...request,
      variables: Object.fromEntries(
        Object.entries(request.variables ?? {}).filter(([name]) => names.has(name)),
      ),
    },
    origin,
  );
}

/** Returns the variables that are used anywhere but in arguments of root fields. */
function variablesBelowRoot(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlySet<string> {
  const names = new Set<string>();
  const rootArguments = new Set<unknown>(
    selectionSet.selections.flatMap((node) =>
      node.kind === Kind.FIELD ? (node.arguments ?? []) : [],
    ),
  );
  visit(document, {
    VariableDefinition: () => false,
    Argument: (node) => (rootArguments.has(node) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return names;
}
