import { requireUnused } from '../../platform/errors/require-unused';
import { changeAll } from '../../platform/store/change-all';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import type { Adoption } from '../../platform/store/startup/adoption';
import { requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import { UniqueNames } from '../../platform/store/unique-names';
import { quoteTitle } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { connectorNotFound } from './connector-catalog';
import type { ConnectorCatalog } from './connector-catalog';
import type { ConnectorFields } from './connector-fields';
import { auditedConnector } from './connector.model';
import type { ConnectorRecord } from './connector.model';
import { checkDuplicates, checkTexts, valuesOf } from './connector.rules';
import type { ConnectorChange, DeletionOptions, NewConnector } from './connector.rules';
import type { Presented } from './credentials/master-password.service';

export { CONNECTOR_LIMITS } from './connector.rules';

declare module '../../platform/context' {
  interface Services {
    connectors: ConnectorService;
  }
}

/** Remote systems with the credentials for them; titles are unique without regard to case. */
export class ConnectorService {
  private readonly titles: UniqueNames<ConnectorRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly uploads: Uploads;
      readonly catalog: ConnectorCatalog;
      readonly fields: ConnectorFields;
      readonly workflowReferences: {
        using(
          things: { readonly connectorIds: readonly number[] },
          tx?: Tx,
        ): Promise<readonly { readonly title: string }[]>;
      };
    },
  ) {
    this.titles = new UniqueNames(deps.catalog.collection, {
      key: 'titleKey',
      takenError: (title) =>
        new Conflict(
          'CONNECTOR_ALREADY_EXISTS',
          `A connector with the title ${JSON.stringify(title)} already exists.`,
          { path: ['title'] },
        ),
    });
  }

  /** Maximum size of an icon, bytes. */
  get maxIconBytes(): number {
    return this.deps.uploads.limit;
  }

  /**
   * @throws Refused TITLE_INVALID
   * @throws BadInput an invalid text or timeout; REQUIRED_DATA_UNKNOWN, REQUIRED_DATA_MISSING;
   * NAMED_TWICE
   * @throws NotFound INVOKER_NOT_FOUND
   * @throws Conflict CONNECTOR_ALREADY_EXISTS
   */
  async create(actor: Actor, input: NewConnector, adoption?: Adoption): Promise<ConnectorRecord> {
    const { core, catalog, fields } = this.deps;
    const { invoker, requestData = [] } = input;
    const textErrors = checkTexts(input);
    const title = input.title.trim();
    const entered = valuesOf(requestData);
    const id = adoption?.id ?? (await core.store.nextId('connectors'));
    const work = async (tx: Tx): Promise<ConnectorRecord> => {
      const findings = new Findings([...textErrors, ...checkDuplicates(requestData)]);
      const sealed = await fields.change(
        { id, before: null, invoker, given: entered, isConfirmed: false },
        findings,
        tx,
      );
      if (textErrors.length === 0) await this.titles.check(title, null, findings, tx);
      const now = core.clock.now();
      const record = await catalog.collection.insert(
        {
          _id: id,
          title,
          titleKey: fold(title),
          description: input.description ?? '',
          icon: adoption?.picture ?? null,
          sslCert: input.sslCert ?? false,
          keepCookies: input.keepCookies ?? false,
          timeout: input.timeout ?? 0,
          ...findings.passed(sealed),
          lastCheck: null,
          claims: 0,
          createdAt: now,
          updatedAt: now,
          version: 1,
        },
        tx,
      );
      await this.record(actor, 'create', null, record, tx, changedFields(entered));
      return record;
    };
    return adoption ? work(adoption.tx) : this.writeTitle(title, work);
  }

  /**
   * Missing fields of the credentials keep their values unless the invoker changes. A change of the
   * address requires the non-public values again, or the master password.
   * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
   * @throws BadInput CREDENTIALS_NEED_CONFIRMATION; what `create` throws for invalid input
   * @throws Forbidden MASTER_PASSWORD_WRONG
   * @throws Conflict CONNECTOR_ALREADY_EXISTS; CONFLICT if the version is not the expected one
   */
  async update(
    actor: Actor,
    id: number,
    change: ConnectorChange,
    presented: Presented,
    expectedVersion?: ExpectedVersion,
  ): Promise<ConnectorRecord> {
    const { core, catalog, fields } = this.deps;
    const { description, invoker, sslCert, keepCookies, timeout, requestData = [] } = change;
    const isConfirmed = await fields.isConfirmed(actor, presented);
    const textErrors = checkTexts(change);
    const title = change.title?.trim();
    const entered = valuesOf(requestData);
    return this.writeTitle(title ?? '', async (tx) => {
      const findings = new Findings();
      const before = await catalog.byId(id, tx);
      if (!before) findings.add(connectorNotFound(id));
      findings.add(...textErrors, ...checkDuplicates(requestData));
      if (!before) return findings.passed<ConnectorRecord>(null);
      findings.ofSync(() => requireVersion('connector', before, expectedVersion));
      const changesFields =
        Object.keys(entered).length > 0 || (invoker !== undefined && invoker !== before.invoker);
      const sealed = changesFields
        ? await fields.change(
            { id, before, invoker: invoker ?? before.invoker, given: entered, isConfirmed },
            findings,
            tx,
          )
        : undefined;
      if (title !== undefined && title !== before.title && textErrors.length === 0)
        await this.titles.check(title, id, findings, tx);
      findings.refuse();
      const changesCalls = changesFields || (sslCert !== undefined && sslCert !== before.sslCert);
      const after = await catalog.change(
        before,
        {
          ...(title !== undefined && { title, titleKey: fold(title) }),
          description: description === null ? '' : description,
          sslCert,
          keepCookies,
          timeout,
          ...sealed,
          // The last check was of other credentials.
          ...(changesCalls && { lastCheck: null }),
        },
        core.clock.now(),
        tx,
      );
      await this.record(actor, 'update', before, after, tx, changedFields(entered));
      return after;
    });
  }

  /**
   * Sets or removes (null) the icon. `bytes` is an image file.
   * @throws NotFound CONNECTOR_NOT_FOUND
   * @throws Refused WRONG_FORMAT
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  async setIcon(
    actor: Actor,
    id: number,
    bytes: Buffer | null,
    expectedVersion?: ExpectedVersion,
  ): Promise<ConnectorRecord> {
    const { core, uploads, catalog } = this.deps;
    const findings = new Findings();
    await findings.of(() => catalog.get(id));
    if (bytes) await findings.of(() => uploads.requireImage(bytes));
    findings.refuse();
    return uploads.withSaved(bytes, (icon) =>
      core.store.transaction(async (tx) => {
        const before = await catalog.get(id, tx);
        requireVersion('connector', before, expectedVersion);
        tx.afterCommit(() => uploads.discard(before.icon));
        const after = await catalog.change(before, { icon }, core.clock.now(), tx);
        await this.record(actor, 'icon', before, after, tx);
        return after;
      }),
    );
  }

  /**
   * Deletes a connector with its credentials. Returns it as it was.
   * @throws NotFound CONNECTOR_NOT_FOUND
   * @throws Conflict CONNECTOR_IN_USE with the title of the first workflow, unless forced; CONFLICT if
   * the version is not the expected one
   */
  remove(actor: Actor, id: number, options: DeletionOptions = {}): Promise<ConnectorRecord> {
    return this.deps.core.store.transaction((tx) =>
      this.removeOne(actor, id, THE_ID(id), options, tx),
    );
  }

  /**
   * Deletes all given connectors or none. Returns them as they were.
   * @throws BadInput if there are too many
   * @throws NotFound CONNECTOR_NOT_FOUND if one is unknown
   * @throws Conflict CONNECTOR_IN_USE with the title of the first workflow, unless forced
   */
  removeAll(
    actor: Actor,
    ids: readonly number[],
    { force }: Pick<DeletionOptions, 'force'> = {},
  ): Promise<ConnectorRecord[]> {
    return changeAll(this.deps.core.store, ids, 'connectors', (id, path, tx) =>
      this.removeOne(actor, id, path, { force }, tx),
    );
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: DeletionOptions,
    tx: Tx,
  ): Promise<ConnectorRecord> {
    const { uploads, catalog, workflowReferences } = this.deps;
    const before = await catalog.get(id, tx, path);
    const findings = new Findings();
    findings.ofSync(() => requireVersion('connector', before, expectedVersion));
    // In the transaction: a workflow that is saved concurrently writes the same record.
    const users = force ? [] : await workflowReferences.using({ connectorIds: [id] }, tx);
    const subject = `The connector ${quoteTitle(before.title)}`;
    findings.ofSync(() => requireUnused('CONNECTOR_IN_USE', subject, users, path));
    findings.refuse();
    await catalog.collection.deleteOne({ _id: id }, tx);
    await this.record(actor, 'delete', before, null, tx);
    tx.afterCommit(() => uploads.discard(before.icon));
    return before;
  }

  private writeTitle<R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.titles.guard(title, () => this.deps.core.store.transaction(work));
  }

  private record(
    actor: Actor,
    action: 'create' | 'update' | 'icon' | 'delete',
    before: ConnectorRecord | null,
    after: ConnectorRecord | null,
    tx: Tx,
    details: object = {},
  ): Promise<void> {
    return this.deps.audit.record(
      actor,
      `connector.${action}`,
      { type: 'Connector', id: (before ?? after)?._id ?? 0 },
      before && auditedConnector(before),
      after && { ...auditedConnector(after), ...details },
      tx,
    );
  }
}

const changedFields = (change: object): object => {
  const names = Object.keys(change);
  return names.length > 0 ? { changedFields: names } : {};
};
