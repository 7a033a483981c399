import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Contained } from '../../platform/contained/tasks';
import { Conflict, Unavailable } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { eachOnce, placesIn, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { quoteFirstTitle } from '../../platform/text/characters';
import { readXml } from '../../platform/xml/read-xml';
import type { ConnectorsOfInvokers } from './invoker.ports';
import type { Invoker, InvokerOperation } from './invoker';
import type { InvokerCatalog } from './invoker-catalog';
import { operationNotFound, patchXml } from './invoker-patch';
import type { FieldPatch } from './invoker-patch';
import type { InvokerTasks } from './invoker-tasks';
import type { InvokerWriter } from './invoker-writer';
import type { InvokerRecord } from './invoker.model';
import { invokerPolicy } from './invoker.policy';
import { maskInvoker, maskInvokerXml } from './mask-invoker';
import { writeInvoker } from './xml/write-invoker';

declare module '../../platform/context' {
  interface Services {
    invokers: InvokerService;
  }
}

/** The id or the name of an invoker. */
type InvokerKey = number | string;

/**
 * `force`: deletes invokers in use. Their users then report the missing invoker when they are
 * validated.
 */
export interface DeletionOptions {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

/** Maximum number of attempts if the invoker is changed concurrently. */
const MAX_ATTEMPTS = 10;

/** Invokers describe the interfaces of remote systems: shows, changes and deletes them. */
export class InvokerService {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly catalog: InvokerCatalog;
      readonly writer: InvokerWriter;
      readonly contained: Contained<InvokerTasks>;
      readonly connectors: ConnectorsOfInvokers;
      readonly workflowReferences: {
        using(
          things: { readonly invokers: readonly string[] },
          tx?: Tx,
        ): Promise<readonly { readonly title: string }[]>;
      };
    },
  ) {}

  /** Returns the invoker unchanged to users who may update it, with masked secrets to others. */
  shown(actor: Actor, invoker: Invoker): Invoker {
    return seesSecrets(actor) ? invoker : maskInvoker(invoker);
  }

  async *allShown(actor: Actor): AsyncGenerator<Invoker, void, void> {
    for await (const invoker of this.deps.catalog.all()) yield this.shown(actor, invoker);
  }

  /**
   * Returns the XML as imported. Without permission to update, it is generated from the masked
   * tree, without comments, which may contain anything.
   * @throws NotFound INVOKER_NOT_FOUND
   */
  async xml(
    actor: Actor,
    name: string,
  ): Promise<{ readonly version: number; readonly text: string }> {
    const { row, text } = await this.deps.catalog.xml(name);
    if (seesSecrets(actor)) return { version: row.version, text };
    return { version: row.version, text: writeInvoker(maskInvokerXml(await readXml(text))) };
  }

  /** @throws NotFound INVOKER_NOT_FOUND */
  async isUsed(name: string): Promise<boolean> {
    const row = await this.deps.catalog.getRow(name);
    return (await this.deps.connectors.ofInvokers([row.name])).length > 0;
  }

  /**
   * Adds fields to a body of an operation, or changes type and value of existing ones. Returns the
   * operation.
   * @throws NotFound INVOKER_NOT_FOUND, METHOD_NOT_FOUND_IN_INVOKER
   * @throws BadInput PATH_IS_INVALID if there is no body or no object at the path; INVOKER_INVALID
   * for an invalid name or type; NAMED_TWICE
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  async addFields(
    actor: Actor,
    name: string,
    patch: FieldPatch,
    expectedVersion?: ExpectedVersion,
  ): Promise<{ readonly row: InvokerRecord; readonly operation: InvokerOperation }> {
    const { catalog } = this.deps;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const row = await this.tryAddFields(actor, name, patch, expectedVersion);
      if (!row) continue;
      const invoker = (await catalog.sources.definition(row.source)) ?? (await catalog.get(name));
      const operation = invoker.operations.find((one) => one.name === patch.method);
      if (!operation) throw operationNotFound(invoker.name, patch.method);
      return { row, operation };
    }
    throw new Unavailable('The invoker is being changed by other requests. Try again.');
  }

  /**
   * Replaces the XML of an invoker. One in use cannot get another name.
   * @throws NotFound INVOKER_NOT_FOUND
   * @throws BadInput INVOKER_INVALID, with lines
   * @throws Conflict INVOKER_IN_USE, INVOKER_ALREADY_EXISTS for a new name; CONFLICT if the version is
   * not the expected one
   * @throws TooLarge
   */
  async update(
    actor: Actor,
    id: number,
    xml: string,
    expectedVersion?: ExpectedVersion,
  ): Promise<InvokerRecord> {
    const { catalog, writer, contained } = this.deps;
    const file = { fileName: null, xml, path: ['xml'] };
    const findings = new Findings();
    await findings.of(async () => {
      requireVersion('invoker', await catalog.getRow(id), expectedVersion);
    });
    const prepared = await findings.of(() => contained.run('invoker', file, { size: xml.length }));
    const { fields, ...others } = findings.passed(prepared);
    return writer.transaction(file.path, async (tx) => {
      const stored = await catalog.getRow(id, tx);
      requireVersion('invoker', stored, expectedVersion);
      if (fields.nameKey !== stored.nameKey) {
        await this.requireUnused(stored, file.path, tx);
        await writer.requireFreeName(fields.name, file.path, tx);
      }
      const changed = { ...others, fields: { ...fields, fileName: stored.fileName } };
      return writer.replace(actor, stored, changed, 'IMPORTED', tx);
    });
  }

  /**
   * Deletes an invoker. Returns it as it was.
   * @throws NotFound INVOKER_NOT_FOUND
   * @throws Conflict INVOKER_IN_USE with the titles of its first users; CONFLICT if the version is not
   * the expected one
   */
  async remove(
    actor: Actor,
    key: InvokerKey,
    options: DeletionOptions = {},
  ): Promise<InvokerRecord> {
    const path = [typeof key === 'string' ? 'name' : 'id'];
    const [removed] = await this.removeEach(actor, [key], () => path, options);
    if (!removed) throw new Error('The deletion removed nothing although no error was found.');
    return removed;
  }

  /**
   * Deletes all given invokers or none.
   * @throws BadInput if there are too many
   * @throws NotFound INVOKER_NOT_FOUND for each missing one
   * @throws Conflict INVOKER_IN_USE for each one in use, with the titles of its first users
   */
  async removeAll(
    actor: Actor,
    keys: readonly InvokerKey[],
    options: Pick<DeletionOptions, 'force'> = {},
  ): Promise<InvokerRecord[]> {
    const unique = eachOnce(keys, 'invokers', (key) => (typeof key === 'string' ? fold(key) : key));
    return this.removeEach(actor, unique, placesIn(keys), options);
  }

  private async removeEach(
    actor: Actor,
    keys: readonly InvokerKey[],
    pathOf: (key: InvokerKey) => InputPath,
    options: DeletionOptions,
  ): Promise<InvokerRecord[]> {
    const definitions = await this.auditedDefinitions(keys);
    return this.deps.store.transaction(async (tx) => {
      const findings = new Findings();
      const removed: InvokerRecord[] = [];
      for (const key of keys) {
        const row = await findings.of(async () => {
          const before = await this.findRemovable(key, pathOf(key), options, tx);
          await this.deps.writer.remove(actor, before, definitions.get(before._id) ?? null, tx);
          return before;
        });
        if (row) removed.push(row);
      }
      findings.refuse();
      return removed;
    });
  }

  /** @throws Conflict INVOKER_IN_USE, CONFLICT */
  private async findRemovable(
    key: InvokerKey,
    path: InputPath,
    { force = false, expectedVersion }: DeletionOptions,
    tx: Tx,
  ): Promise<InvokerRecord> {
    const row = await this.deps.catalog.getRow(key, tx, path);
    const findings = new Findings();
    findings.ofSync(() => requireVersion('invoker', row, expectedVersion));
    if (!force) await findings.of(() => this.requireUnused(row, path, tx));
    findings.refuse();
    return row;
  }

  /** @throws Conflict INVOKER_IN_USE with the titles of its first users */
  private async requireUnused({ name }: InvokerRecord, path: InputPath, tx: Tx): Promise<void> {
    const { connectors, workflowReferences } = this.deps;
    const users = [
      ['connectors', await connectors.ofInvokers([name], tx)],
      ['workflows', await workflowReferences.using({ invokers: [name] }, tx)],
    ] as const;
    const used = users
      .filter(([, list]) => list.length > 0)
      .map(([kind, list]) => `${kind} ${quoteFirstTitle(list)}`);
    if (used.length > 0)
      throw new Conflict('INVOKER_IN_USE', `The invoker ${name} is in use: ${used.join('; ')}.`, {
        path,
      });
  }

  /** The deleted definitions for the audit, without secrets. Read outside the transaction. */
  private async auditedDefinitions(
    keys: readonly InvokerKey[],
  ): Promise<Map<number, object | null>> {
    const { catalog } = this.deps;
    const definitions = new Map<number, object | null>();
    for (const key of keys) {
      const row = await catalog.getRow(key).catch(() => null);
      const invoker = row && (await catalog.invokerOf(row));
      if (row) definitions.set(row._id, invoker && maskInvoker(invoker));
    }
    return definitions;
  }

  /** Returns null if the invoker was changed since it was read. */
  private async tryAddFields(
    actor: Actor,
    name: string,
    patch: FieldPatch,
    expectedVersion: ExpectedVersion,
  ): Promise<InvokerRecord | null> {
    const { catalog, writer, contained } = this.deps;
    const { row: before, text } = await catalog.xml(name);
    const xml = writeInvoker(patchXml(before.name, await readXml(text), patch));
    const file = { fileName: null, xml, path: ['fields'] };
    const prepared = await contained.run('invoker', file, { size: xml.length });
    return writer.transaction(['name'], async (tx) => {
      const stored = await catalog.getRow(name, tx);
      requireVersion('invoker', stored, expectedVersion);
      if (stored.version !== before.version) return null;
      const fields = { ...prepared.fields, fileName: stored.fileName };
      return writer.replace(actor, stored, { ...prepared, fields }, 'IMPORTED', tx);
    });
  }
}

const seesSecrets = (actor: Actor): boolean => allows(invokerPolicy.update, actor);

/** The XML for an export without secrets, and without comments, which may contain anything. */
export async function exportedXml(
  text: string,
): Promise<{ readonly text: string; readonly isMasked: boolean }> {
  const root = await readXml(text);
  const masked = writeInvoker(maskInvokerXml(root));
  const isMasked = masked !== writeInvoker(root);
  return isMasked || text.includes('<!--') ? { text: masked, isMasked } : { text, isMasked };
}
