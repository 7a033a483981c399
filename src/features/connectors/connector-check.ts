import { RemoteUnauthorized } from '../../engine/connector/conversation';
import { looksFailed } from '../../engine/connector/remote-answer';
import { fieldsIn } from '../../engine/connector/text-template';
import type { InvokerFacts } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { fold } from '../../platform/text/fold';
import { WorkQueue } from '../../platform/queues';
import type { AuditService } from '../audit/audit.service';
import type { InvokerCatalog } from '../invokers/invoker-catalog';
import type { ConnectorCatalog } from './connector-catalog';
import type { CheckRecord, ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';
import { checkFields, checkTexts, checkDuplicates, valuesOf } from './connector.rules';
import type { GivenField, Values } from './connector.rules';
import { createSendingRule, findSuspended } from './credentials/consent';
import { CommunicationFailed, Conversation, confirmationNeeded } from './conversation';
import type { Dialogue, Remote } from './conversation';
import type { Credentials } from './credentials/credentials';

declare module '../../platform/context' {
  interface Services {
    connectorCheck: ConnectorCheck;
  }
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

/** What a check sends. */
interface CheckPlan extends Omit<Dialogue, 'maxAnswerBytes'> {
  /** Whether stored values are sent along with the given ones. */
  readonly usesStored: boolean;
  /** Whether exactly what is stored is checked. */
  readonly isAsStored: boolean;
}

/** Limits of concurrent and queued checks. No check takes longer than `MAX_CALL_MS`. */
const CHECKS = { concurrency: 16, capacity: 100 } as const;
/** Maximum size of a response; a check needs little of it. */
const MAX_ANSWER_BYTES = 512 * 1024;

const UNAUTHORIZED: CheckOutcome = { status: '401 UNAUTHORIZED', error: 'Error in remote system' };

/** Calls remote systems to verify credentials. */
export class ConnectorCheck {
  private readonly queue = new WorkQueue(CHECKS);

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly catalog: ConnectorCatalog;
      readonly credentials: Credentials;
      readonly invokers: InvokerCatalog;
      readonly remote: Remote;
    },
  ) {}

  /**
   * Runs the invoker's operation of type `test` with these credentials. Missing fields come from
   * the named connector (secrets only for their original destination), otherwise from the invoker's
   * defaults. The connector keeps the result if exactly its stored values were checked. The check
   * is recorded in the audit.
   * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
   * @throws BadInput REQUIRED_DATA_UNKNOWN, NAMED_TWICE; an invalid value or timeout
   * @throws Refused CREDENTIALS_NEED_CONFIRMATION if a stored value is suspended
   * @throws Refused COMMUNICATION_FAILED if there is no response, its status is 400 or above, or a
   * value cannot be computed
   * @throws Forbidden for a stored connector that the actor may not change
   */
  async check(actor: Actor, request: CheckRequest): Promise<CheckOutcome> {
    const values = valuesOf(request.requestData ?? []);
    const { stored, invoker } = await this.find(actor, request, values);
    const plan = await this.plan(request, values, stored, invoker);
    await this.record(actor, stored, plan, values);
    const checked = plan.isAsStored ? stored : null;
    try {
      const outcome = await this.queue.run(() => this.call(plan));
      if (checked) await this.save(checked, outcome);
      return outcome;
    } catch (error) {
      if (checked && error instanceof CommunicationFailed)
        await this.save(checked, { status: error.code, error: error.message });
      throw error;
    }
  }

  private async find(
    actor: Actor,
    { connectorId, invoker: named, timeout, requestData = [] }: CheckRequest,
    entered: Values,
  ): Promise<{ stored: ConnectorRecord | null; invoker: InvokerFacts }> {
    const { catalog, invokers } = this.deps;
    const findings = new Findings([...checkTexts({ timeout }), ...checkDuplicates(requestData)]);
    const stored = await findings.of(async () => {
      if (connectorId == null) return null;
      const record = await catalog.get(connectorId, undefined, ['connectorId']);
      if (!allows(connectorPolicy.update, actor))
        throw new Forbidden(`Checking a stored connector requires ${connectorPolicy.update}.`);
      return record;
    });
    // A missing connector is already reported, so its invoker is not.
    const isUnknown = stored === undefined && named === undefined;
    const invoker = isUnknown
      ? undefined
      : await findings.of(() => invokers.get(named ?? stored?.invoker ?? '', ['invoker']));
    if (invoker) findings.add(...checkFields(invoker, entered));
    return { invoker: findings.passed(invoker), stored: stored ?? null };
  }

  private async plan(
    { sslCert, timeout }: CheckRequest,
    entered: Values,
    stored: ConnectorRecord | null,
    invoker: InvokerFacts,
  ): Promise<CheckPlan> {
    const storedValues = stored && this.deps.credentials.open(stored);
    const validatesLess = stored !== null && sslCert === true && !stored.sslCert;
    const usesStored =
      stored !== null &&
      storedValues !== null &&
      stored.invokerKey === fold(invoker.name) &&
      !validatesLess &&
      canUseStored(invoker, entered, storedValues);
    const values = usesStored ? { ...storedValues, ...entered } : entered;
    const used = usesStored
      ? stored.requestData.filter(({ name }) => !Object.hasOwn(entered, name))
      : [];
    const connector = { _id: stored?._id ?? 0 };
    const suspended = findSuspended(used, connector, invoker, values);
    if (stored && suspended.length > 0)
      throw confirmationNeeded(stored.title, suspended, ['connectorId']);
    const settings = {
      sslCert: sslCert ?? stored?.sslCert ?? false,
      timeout: timeout ?? stored?.timeout ?? 0,
    };
    return {
      invoker,
      values,
      ...settings,
      canSend: createSendingRule(used, connector, invoker, values),
      usesStored,
      isAsStored:
        usesStored &&
        settings.sslCert === stored.sslCert &&
        Object.entries(entered).every(([field, value]) => storedValues[field] === value),
    };
  }

  /** Called before the call: credentials may be sent even if it fails. */
  private async record(
    actor: Actor,
    stored: ConnectorRecord | null,
    { invoker, sslCert, timeout, usesStored }: CheckPlan,
    entered: Values,
  ): Promise<void> {
    const { core, audit } = this.deps;
    const checked = {
      ...(stored && { title: stored.title, version: stored.version }),
      invoker: invoker.name,
      sslCert,
      timeout,
      given: Object.keys(entered),
      usesStored,
    };
    const target = { type: 'Connector', id: stored?._id ?? 'unsaved' } as const;
    await core.store.transaction((tx) =>
      audit.record(actor, 'connector.check', target, null, checked, tx),
    );
  }

  private async call(plan: CheckPlan): Promise<CheckOutcome> {
    const { name, operations } = plan.invoker;
    const test = operations.find(({ type }) => type === 'test');
    if (!test)
      throw new CommunicationFailed(`The invoker ${name} has no operation of the type test.`);
    const conversation = new Conversation(this.deps.remote, {
      ...plan,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    try {
      const answer = await conversation.perform(test);
      if (answer.status === 401)
        return answer.refusal === '' ? UNAUTHORIZED : { ...UNAUTHORIZED, error: answer.refusal };
      if (!answer.isSuccess)
        throw new CommunicationFailed(`The remote system answers ${answer.status}.`);
      return looksFailed(answer, test)
        ? { status: '401', error: '401' }
        : { status: '200', error: null };
    } catch (error) {
      if (error instanceof RemoteUnauthorized) return UNAUTHORIZED;
      throw error;
    }
  }

  private save(connector: ConnectorRecord, result: Omit<CheckRecord, 'at'>): Promise<void> {
    const { core, catalog } = this.deps;
    return catalog.recordCheck(connector, { at: core.clock.now(), ...result });
  }
}

/**
 * Returns whether stored secrets may replace missing ones: only if all fields that decide their
 * destination are as stored (all public fields, and those of any visibility in the URL of an
 * operation). Otherwise a user who cannot read the secrets could have them sent to a server of
 * their own.
 */
function canUseStored(
  { requiredData, operations }: InvokerFacts,
  entered: Values,
  stored: Values,
): boolean {
  const inUrls = new Set(operations.flatMap(({ request }) => fieldsIn(request.endpoint)));
  return requiredData
    .filter(({ name, visibility }) => visibility === 'public' || inUrls.has(name))
    .every(({ name }) => !Object.hasOwn(entered, name) || entered[name] === stored[name]);
}
