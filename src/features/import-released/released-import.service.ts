import type { Config } from '../../config/config';
import type { Actor } from '../../platform/access/actor';
import type { Report as ReportProgress } from '../../platform/control/command';
import type { Core } from '../../platform/core';
import { keysInUse } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { VaultKeys } from '../../platform/crypto/vault';
import type { Uploads } from '../../platform/files/uploads';
import { requireNoImport } from '../../platform/store/startup/import-mark';
import type { Tx } from '../../platform/store/store';
import { requireIdleStore } from '../../platform/store/startup/process-records';
import { rawCollection } from '../../platform/store/startup/whole-store';
import { readDump } from './dump';
import type { Dump } from './dump.schema';
import { importInvokers, importTemplates, prepareFiles } from './files';
import type { ReadyFiles } from './files';
import { startSequences } from './id-sequences';
import { importRoles, importUsers } from './import-accounts';
import { importConnectors, titlesOf } from './import-connectors';
import type { ImportContext, ImportingServices } from './import-context';
import { importMessages } from './import-messages';
import { importSchedules } from './import-schedules';
import { importAggregators, importCategories } from './import-tree';
import { importWorkflows, prepareWorkflows } from './import-workflows';
import type { ReadyWorkflow } from './import-workflows';
import { storePictures } from './pictures';
import { openCredentials } from './released-key';
import type { Credentials, ReleasedKey } from './released-key';
import { Report } from './report';
import type { ReleasedImportResult } from './report';

declare module '../../platform/context' {
  interface Services {
    releasedImport: ReleasedImportService;
  }
}

export interface ReleasedImportRequest {
  /** Path of the folder with the files. */
  readonly folder: string;
  /** Changes nothing: the transaction is aborted. */
  readonly dryRun: boolean;
  readonly key: ReleasedKey;
  /** Creates collections, runs migrations and builds indexes. */
  readonly prepare: () => Promise<void>;
  /** Records that were written or left out, of all; nothing is stored before the last one. */
  readonly onWritten: ReportProgress;
}

/** Everything that is read, checked and converted before the transaction. */
interface ReadyImport {
  readonly dump: Dump;
  readonly files: ReadyFiles;
  readonly titles: readonly string[];
  readonly credentials: ReadonlyMap<number, Credentials>;
  readonly workflows: readonly ReadyWorkflow[];
  readonly report: Report;
}

/** Aborts the transaction of a dry run. */
class DryRun extends Error {
  constructor(readonly result: ReleasedImportResult) {
    super('A dry run changes nothing.');
  }
}

/** Number of records that the transaction writes or leaves out. */
const recordsIn = ({ dump, files, workflows }: ReadyImport): number =>
  [
    dump.roles,
    dump.users,
    dump.categories,
    dump.aggregators,
    files.invokers,
    dump.connectors,
    workflows,
    files.templates,
    dump.messages,
    dump.schedules,
  ].reduce((sum, { length }) => sum + length, 0);

/** Collections that are empty in a new installation. */
const COLLECTIONS = [
  'workflows',
  'connectors',
  'schedules',
  'categories',
  'aggregators',
  'message_templates',
  'templates',
];
/** Number of groups in a new installation. */
const BUILT_IN_GROUPS = 2;

/**
 * Fills a new installation with the data of a released one. All records are written in one
 * transaction, by the services that create them in any other case.
 */
export class ReleasedImportService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly vault: VaultKeys;
      /** The encrypted values of all features. */
      readonly sealed: readonly SealedValues[];
      readonly uploads: Uploads;
      readonly services: ImportingServices;
      readonly config: Pick<Config, 'administrator' | 'timeZone'>;
    },
  ) {}

  /** @throws Error with a message for the operator; nothing was imported */
  async run(actor: Actor, request: ReleasedImportRequest): Promise<ReleasedImportResult> {
    const ready = await this.read(request);
    await this.openStore(request);
    const { uploads } = this.deps;
    const { folder, dryRun } = request;
    const pictures = await storePictures(folder, ready.dump, {
      uploads,
      isKept: !dryRun,
      report: ready.report,
    });
    try {
      return await this.write(actor, request, ready, pictures);
    } catch (error) {
      if (error instanceof DryRun) return error.result;
      for (const name of pictures.values()) await uploads.discard(name);
      throw error;
    }
  }

  /** Reads the folder without a look at the store. */
  private async read({ folder, key }: ReleasedImportRequest): Promise<ReadyImport> {
    const { services } = this.deps;
    const report = new Report();
    const dump = await readDump(folder, report);
    const credentials = openCredentials(dump.connectors, key, report);
    const files = await prepareFiles(folder, services, report);
    const titles = titlesOf(dump, report);
    const workflows = await prepareWorkflows(dump, titles, services, report);
    return { dump, files, titles, credentials, workflows, report };
  }

  private async openStore({ prepare }: ReleasedImportRequest): Promise<void> {
    const { core, vault, sealed, services, config } = this.deps;
    await requireNoImport(core.store);
    await requireIdleStore(core);
    await prepare();
    await vault.unlock(() => keysInUse(sealed));
    await this.requireNew();
    // The generated password is not printed here: the next start prints a new one.
    await services.seed.run(config.administrator, () => Promise.resolve(false));
  }

  /** @throws Error the store has data already */
  private async requireNew(): Promise<void> {
    const { store } = this.deps.core;
    const count = (name: string) => rawCollection(store, name).countDocuments();
    const contents: string[] = [];
    for (const name of COLLECTIONS) {
      const records = await count(name);
      if (records > 0) contents.push(`${records} ${name.replaceAll('_', ' ')}`);
    }
    const [users, groups] = [await count('users'), await count('groups')];
    if (users > 1) contents.push(`${users} users`);
    if (groups > BUILT_IN_GROUPS) contents.push(`${groups} groups`);
    if (contents.length > 0)
      throw new Error(
        `There is data already: ${contents.join(', ')}. Import into a new installation, since ids are kept: use another DATA_DIR or database.`,
      );
  }

  private async write(
    actor: Actor,
    { dryRun, onWritten }: ReleasedImportRequest,
    ready: ReadyImport,
    pictures: ReadonlyMap<string, string>,
  ): Promise<ReleasedImportResult> {
    const { core, services, config } = this.deps;
    const total = recordsIn(ready);
    const result = await core.store.transaction(async (tx) => {
      let done = 0;
      const context = {
        actor,
        tx,
        report: ready.report.copy(() => onWritten({ done: (done += 1), total })),
        dump: ready.dump,
        services,
        pictures,
        timeZone: config.timeZone,
      };
      const written = await this.writeAll(context, ready, dryRun);
      if (dryRun) throw new DryRun(written);
      return written;
    });
    await services.directory.load();
    return result;
  }

  /** Records come after those that they refer to. */
  private async writeAll(
    context: ImportContext,
    { files, titles, credentials, workflows, dump }: ReadyImport,
    dryRun: boolean,
  ): Promise<ReleasedImportResult> {
    const { actor, report, tx } = context;
    await startSequences(this.deps.core.store, dump, tx);
    const groups = await importRoles(context);
    const users = await importUsers(context, groups);
    const categories = await importCategories(context);
    const aggregators = await importAggregators(context);
    await importInvokers(context, files);
    const connectors = await importConnectors(context, titles, credentials);
    const referenced = { connectors, aggregators, categories };
    const imported = await importWorkflows(context, workflows, referenced);
    await importTemplates(context, files);
    const messages = await importMessages(context);
    await importSchedules(context, { workflows: imported, messages, users });
    const result = report.result(dryRun);
    await this.record(actor, result, tx);
    return result;
  }

  private record(actor: Actor, { counts }: ReleasedImportResult, tx: Tx): Promise<void> {
    const target = { type: 'Instance', id: 'all' } as const;
    const { audit } = this.deps.services;
    return audit.record(actor, 'instance.import-released', target, null, { counts }, tx);
  }
}
