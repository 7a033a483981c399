import type { Model } from 'mongoose';
import { RemoteUnauthorized } from '../../../engine/connector/conversation';
import { looksFailed } from '../../../engine/connector/remote-answer';
import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import type { Clock } from '../../../platform/clock/clock';
import { Forbidden } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Outbound } from '../../../platform/outbound';
import type { Store } from '../../../platform/store/store';
import { fold } from '../../../platform/text/fold';
import { createWorkQueue } from '../../../platform/queues';
import type { AuditService } from '../../audit/audit.service';
import { recordedCheck } from '../connector.audit';
import { connectorNotFound, invokerNotFound } from '../connector-reads';
import type { CheckRecord, ConnectorRecord } from '../connector.model';
import { connectorPolicy } from '../connector.policy';
import type { InvokerFacts, KnownInvokers } from '../connector.ports';
import { knownFieldRefusals, textRefusals, twiceRefusals, valuesOf } from '../connector.rules';
import type { GivenField, Values } from '../connector.rules';
import { needConfirmation } from '../connector-suspensions';
import { sendingRule, suspendedAmong } from '../consent';
import type { Credentials } from '../credentials';
import { CommunicationFailed } from './communication';
import { Conversation } from './conversation';
import type { Dialogue } from './conversation';
import { fieldsIn } from '../../../engine/connector/text-template';

/**
 * Returns whether stored secrets may replace missing ones: only if all fields that decide their
 * destination are as stored (all public fields, and those of any visibility in the URL of an
 * operation). Otherwise a user who cannot read the secrets could have them sent to a server of
 * their own.
 */
function mayUseStored(
  { requiredData, operations }: InvokerFacts,
  given: Values,
  stored: Values,
): boolean {
  const inAddresses = new Set(operations.flatMap(({ request }) => fieldsIn(request.endpoint)));
  return requiredData
    .filter(({ name, visibility }) => visibility === 'public' || inAddresses.has(name))
    .every(({ name }) => !Object.hasOwn(given, name) || given[name] === stored[name]);
}

/**
 * The credentials to check. Missing ones come from the stored connector; secrets only under
 * conditions.
 */
export interface CheckRequest {
  readonly connectorId?: number | null;
  readonly invoker?: string;
  readonly sslCert?: boolean;
  readonly timeout?: number;
  readonly requestData?: readonly GivenField[];
}

/** The result, in the texts that released frontends compare with. */
export interface CheckOutcome {
  readonly status: '200' | '401' | '401 UNAUTHORIZED';
  readonly error: string | null;
}

export interface ConnectorCheckDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly connectors: Model<ConnectorRecord>;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly outbound: Outbound;
  /** Timeout for connectors without their own, ms. */
  readonly timeoutMs: number;
}

/** Limits of concurrent and queued checks. No check takes longer than `LONGEST_CHECK_MS`. */
const CHECKS = { concurrency: 16, capacity: 100 } as const;
export const LONGEST_CHECK_MS = 60_000;
/** Maximum size of a response; a check needs little of it. */
export const MOST_CHECKED_BYTES = 512 * 1024;

const UNAUTHORIZED: CheckOutcome = { status: '401 UNAUTHORIZED', error: 'Error in remote system' };

/** Calls remote systems to verify credentials. */
export function createConnectorCheck({
  store,
  clock,
  audit,
  connectors,
  invokers,
  credentials,
  outbound,
  timeoutMs,
}: ConnectorCheckDependencies) {
  const queue = createWorkQueue(CHECKS);

  const storedOf = async (
    actor: Actor,
    id: number | null | undefined,
  ): Promise<ConnectorRecord | null> => {
    if (id == null) return null;
    const record = await connectors.findById(id).lean<ConnectorRecord>();
    if (!record) throw connectorNotFound(id, ['connectorId']);
    if (!allows(connectorPolicy.update, actor))
      throw new Forbidden(`To check a stored connector needs ${connectorPolicy.update}.`);
    return record;
  };

  const ask = async (
    invoker: InvokerFacts,
    values: Values,
    { sslCert, timeout }: { sslCert: boolean; timeout: number },
    maySend: Dialogue['maySend'],
  ): Promise<CheckOutcome> => {
    const test = invoker.operations.find(({ type }) => type === 'test');
    if (!test)
      throw new CommunicationFailed(
        `The invoker ${invoker.name} has no operation of the type test.`,
      );
    const longest = Math.min(timeout === 0 ? timeoutMs : timeout, LONGEST_CHECK_MS);
    const conversation = new Conversation(outbound, {
      invoker,
      values,
      sslCert,
      timeoutMs: longest,
      signal: AbortSignal.timeout(longest),
      maxAnswerBytes: MOST_CHECKED_BYTES,
      maySend,
    });
    try {
      const answer = await conversation.perform(test);
      if (answer.status === 401) return UNAUTHORIZED;
      if (!answer.isSuccess)
        throw new CommunicationFailed(`The remote system answers ${answer.status}.`);
      return looksFailed(answer, test)
        ? { status: '401', error: '401' }
        : { status: '200', error: null };
    } catch (error) {
      if (error instanceof RemoteUnauthorized) return UNAUTHORIZED;
      throw error;
    }
  };

  /** Stores the result, unless the connector was changed during the check. */
  const remember = async (
    { _id, version }: ConnectorRecord,
    found: Omit<CheckRecord, 'at'>,
  ): Promise<void> => {
    await connectors.updateOne(
      { _id, version },
      { $set: { lastCheck: { at: clock.now(), ...found } } },
    );
  };

  return {
    /**
     * Runs the invoker's operation of type `test` with these credentials. Missing fields come from
     * the named connector (secrets only for their original destination), otherwise from the
     * invoker's defaults. The connector keeps the result if exactly its stored values were checked.
     * The check is recorded in the audit.
     * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
     * @throws BadInput REQUIRED_DATA_UNKNOWN, NAMED_TWICE; an invalid value or timeout
     * @throws Refused CREDENTIALS_NEED_CONFIRMATION if a stored value is suspended
     * @throws Refused COMMUNICATION_FAILED if there is no response, its status is 400 or above, or
     * a value cannot be computed
     * @throws Forbidden for a stored connector that the actor may not change
     */
    async check(
      actor: Actor,
      { connectorId, invoker: named, sslCert, timeout, requestData: given = [] }: CheckRequest,
    ): Promise<CheckOutcome> {
      const found = new Findings([...textRefusals({ timeout }), ...twiceRefusals(given)]);
      const requestData = valuesOf(given);
      const stored = await found.of(() => storedOf(actor, connectorId));
      const name = named ?? stored?.invoker;
      const invoker = await found.of(async () => {
        const facts = name === undefined ? null : await invokers.byName(name);
        // A missing connector is already reported, so its invoker is not.
        if (!facts && !(stored === undefined && named === undefined)) throw invokerNotFound(name);
        return facts;
      });
      if (invoker) found.add(...knownFieldRefusals(invoker, requestData));
      const facts = found.passed(invoker);
      const kept = stored && credentials.opened(stored);
      const validatesLess =
        stored !== null && stored !== undefined && sslCert === true && !stored.sslCert;
      const usesStored =
        stored != null &&
        kept != null &&
        stored.invokerKey === fold(facts.name) &&
        !validatesLess &&
        mayUseStored(facts, requestData, kept);
      const values = usesStored ? { ...kept, ...requestData } : requestData;
      const used = usesStored
        ? stored.requestData.filter(({ name }) => !Object.hasOwn(requestData, name))
        : [];
      const about = { _id: stored?._id ?? 0 };
      const suspended = await suspendedAmong(used, about, facts, values);
      if (stored && suspended.length > 0)
        throw needConfirmation(stored.title, suspended, ['connectorId']);
      const maySend = await sendingRule(used, about, facts, values);
      const settings = {
        sslCert: sslCert ?? stored?.sslCert ?? false,
        timeout: timeout ?? stored?.timeout ?? 0,
      };
      const isStored =
        usesStored &&
        settings.sslCert === stored.sslCert &&
        Object.entries(requestData).every(([field, value]) => kept[field] === value);
      // Recorded before the call: credentials may be sent even if it fails.
      const told = recordedCheck(stored ?? null, {
        invoker: facts.name,
        ...settings,
        given: Object.keys(requestData),
        usesStored,
      });
      await store.transaction((tx) =>
        audit.record(
          actor,
          'connector.check',
          { type: 'Connector', id: stored?._id ?? 'unsaved' },
          null,
          told,
          tx,
        ),
      );
      try {
        const outcome = await queue.run(() => ask(facts, values, settings, maySend));
        if (isStored) await remember(stored, outcome);
        return outcome;
      } catch (error) {
        if (isStored && error instanceof CommunicationFailed)
          await remember(stored, { status: error.code, error: error.message });
        throw error;
      }
    },
  };
}
