import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Origin } from '../../context';
import { writeAnswer } from '../plans/text';
import type { OperationRequest } from '../operations/documents';
import type { Authentication } from '../../access/need';
import { TrackedCaller } from './tracked-caller';
import type { SharingScope } from './tracked-caller';
import type { Outcome } from '../operations/error-format';

/** How long a result may be shared with other subscribers, ms: the time it takes to reach many. */
const SHARED_MS = 100;
/** Maximum number of results kept for one event. */
const MAX_RESULTS_PER_EVENT = 100;

/** Longer texts are not shared. */
const LIGHT_CHARACTERS = 32 * 1024;

/** The result of an event, and who may share it. Errors are never shared, since they contain a request id. */
export class SharedResult {
  private encoded: Buffer | null | undefined;

  constructor(
    readonly outcome: Outcome,
    readonly scope: SharingScope,
  ) {}

  /** The text in UTF-8, written once for all who share it; null if it must not be shared or is large. */
  get body(): Buffer | null {
    if (this.encoded === undefined) this.encoded = this.isShareable ? encode(this.outcome) : null;
    return this.encoded;
  }

  /** Whether other sockets of the session may share it. */
  get isShareable(): boolean {
    return this.scope !== 'none' && !this.outcome.errors;
  }
}

function encode(outcome: Outcome): Buffer | null {
  const text = writeAnswer(outcome);
  return text.length > LIGHT_CHARACTERS ? null : Buffer.from(text);
}

interface StartedResult {
  readonly result: Promise<SharedResult>;
  readonly startedAt: number;
}

/**
 * Shares results of events between subscribers with the same document, variables, base URL and
 * permissions. They are made once per group, or once per session if they depend on more of the
 * caller.
 */
export class SharedResults {
  private readonly byEvent = new WeakMap<object, Map<string, StartedResult>>();
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
    origin: Origin,
    execute: (caller: TrackedCaller) => Promise<Outcome>,
  ): Promise<SharedResult> {
    const produce = async (): Promise<SharedResult> => {
      const caller = new TrackedCaller(authentication, origin);
      return new SharedResult(await execute(caller), caller.scope);
    };
    if (typeof event !== 'object' || event === null) return produce();
    const results = this.byEvent.get(event) ?? new Map<string, StartedResult>();
    this.byEvent.set(event, results);
    const groupKey = `${this.describeGroup(authentication)} ${operationKey}`;
    const sessionKey = `${authentication.state === 'signed-in' ? authentication.actor.sessionId : ''} ${groupKey}`;
    const groupResult = findFresh(results, sessionKey) ? undefined : findFresh(results, groupKey);
    if (groupResult) {
      const result = await groupResult;
      if (result.isShareable && result.scope === 'group') return result;
    }
    // Another socket of this session may have started while this one waited.
    const sessionResult = findFresh(results, sessionKey);
    if (sessionResult) {
      const result = await sessionResult;
      return result.isShareable ? result : produce();
    }
    const result = produce();
    store(results, sessionKey, result);
    if (!groupResult) store(results, groupKey, result);
    return result;
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
  results: ReadonlyMap<string, StartedResult>,
  key: string,
): Promise<SharedResult> | undefined {
  const entry = results.get(key);
  return entry && performance.now() - entry.startedAt < SHARED_MS ? entry.result : undefined;
}

function store(
  results: Map<string, StartedResult>,
  key: string,
  result: Promise<SharedResult>,
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
