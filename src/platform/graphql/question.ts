import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Origin } from '../context';
import type { OperationRequest } from './read-operation';
import type { Authentication } from '../access/need';
import type { Reach } from './asker';
import type { Outcome } from './error-format';

/** How long a result may be shared with other subscribers, ms: the time it takes to reach many. */
const SHARED_MS = 100;
/** Maximum number of results kept for one event. */
const MOST_KINDS = 100;

interface MadeResult {
  readonly outcome: Outcome;
  readonly reach: Reach;
}

interface Shared {
  readonly made: Promise<MadeResult>;
  readonly at: number;
}

/**
 * Shares results of events between subscribers with the same document, variables, base URL and
 * permissions. They are made once per group, or once per session if they depend on more of the
 * caller. Errors are never shared, since they contain a request id.
 */
export class SharedResults {
  private readonly byEvent = new WeakMap<object, Map<string, Shared>>();
  private readonly grantIds = new WeakMap<ReadonlySet<string>, number>();
  private grantsSeen = 0;

  /**
   * `question` identifies the document, its variables and all else that the answer depends on,
   * except permissions and session.
   */
  async take(
    event: unknown,
    question: string,
    authentication: Authentication,
    make: () => Promise<MadeResult>,
  ): Promise<Outcome> {
    if (typeof event !== 'object' || event === null) return (await make()).outcome;
    const kinds = this.byEvent.get(event) ?? new Map<string, Shared>();
    this.byEvent.set(event, kinds);
    const ofGroup = `${this.groupOf(authentication)} ${question}`;
    const ofSession = `${authentication.state === 'signed-in' ? authentication.actor.sessionId : ''} ${ofGroup}`;
    const ofOthers = fresh(kinds, ofSession) ? undefined : fresh(kinds, ofGroup);
    if (ofOthers) {
      const { outcome, reach } = await ofOthers;
      if (reach === 'group' && !outcome.errors) return outcome;
    }
    // Another socket of this session may have started while this one waited.
    const own = fresh(kinds, ofSession);
    if (own) {
      const { outcome, reach } = await own;
      return reach === 'nobody' || outcome.errors ? (await make()).outcome : outcome;
    }
    const made = make();
    keep(kinds, ofSession, made);
    if (!ofOthers) keep(kinds, ofGroup, made);
    return (await made).outcome;
  }

  private groupOf(authentication: Authentication): string {
    if (authentication.state !== 'signed-in') return authentication.state;
    const { groupId, groupName, grants } = authentication.actor;
    const id = this.grantIds.get(grants) ?? (this.grantsSeen += 1);
    this.grantIds.set(grants, id);
    return `${groupId} ${JSON.stringify(groupName)} ${id}`;
  }
}

function fresh(kinds: ReadonlyMap<string, Shared>, kind: string): Promise<MadeResult> | undefined {
  const known = kinds.get(kind);
  return known && performance.now() - known.at < SHARED_MS ? known.made : undefined;
}

function keep(kinds: Map<string, Shared>, kind: string, made: Promise<MadeResult>): void {
  if (kinds.has(kind) || kinds.size < MOST_KINDS) kinds.set(kind, { made, at: performance.now() });
}

/** Returns the operation key: requests of the same user with the same key have the same answer. */
export const questionOf = (
  { query, operationName, variables }: OperationRequest,
  { baseUrl }: Origin,
): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables, baseUrl]))
    .digest('base64');

const known = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/**
 * Returns the operation key for one event of a shared source. The arguments of the root field only
 * select the source and the place in it, so their variables do not count: subscribers that started
 * at different events share a key.
 */
export function questionOfEvents(
  request: OperationRequest,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  origin: Origin,
): string {
  const names = known.get(operation) ?? variablesBelowRoot(document, operation);
  known.set(operation, names);
  return questionOf(
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
  const ofRoot = new Set<unknown>(
    selectionSet.selections.flatMap((node) =>
      node.kind === Kind.FIELD ? (node.arguments ?? []) : [],
    ),
  );
  visit(document, {
    VariableDefinition: () => false,
    Argument: (node) => (ofRoot.has(node) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return names;
}
