import type { Config } from '../../config/config';
import { describeSettings, settingsByKey } from '../../config/describe-settings';
import type { SettingDescription } from '../../config/describe-settings';
import type { FlatKeys } from '../../config/setting';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { ChangeError } from '../../platform/config-file/changes';
import { sourceOf } from '../../platform/config-file/config-text';
import { editConfig } from '../../platform/config-file/edit-config';
import type { Origin } from '../../platform/context';
import { Refused } from '../../platform/errors/errors';
import { WorkQueue } from '../../platform/queues';
import { withLease } from '../../platform/store/lease';
import type { AuditService } from '../audit/audit.service';
import type { MasterPasswordService } from '../connectors/credentials/master-password.service';
import { ConfigFiles } from './config-files';
import type { ConfigBackup } from './config-files';
import { ConfigStates, requireNoProblems, requireRevision } from './config-state';
import type { FileState } from './config-state';
import { changesOf } from './sent-changes';
import type { SentNode } from './sent-changes';
import { ConfigMask } from './shown-config';
import type { ConfigDifference, ShownConfig } from './shown-config';

declare module '../../platform/context' {
  interface Services {
    applicationConfig: ApplicationConfigService;
  }
}

type Presented = Pick<Origin, 'masterPassword' | 'network'>;

/** The file as it is now, and what differs from the running service. */
interface CurrentConfig extends ShownConfig {
  readonly path: string;
  readonly exists: boolean;
  /** Changes with every change of the file. */
  readonly revision: string;
  /** What the service uses after its next start, but not now. */
  readonly pending: readonly ConfigDifference[];
  /** Problems because of which the service would not start with this file. */
  readonly problems: readonly string[];
  /** What is not writable, so that no change can be saved. */
  readonly writeProblems: readonly string[];
}

interface ConfigChangeResult {
  readonly status: 'saved' | 'unchanged';
  readonly restartRequired: boolean;
  readonly message: string;
  readonly pending: readonly ConfigDifference[];
  readonly revision: string;
  /** The copy of the former file; null if there was none, or nothing was changed. */
  readonly backup: string | null;
}

interface ShownBackup extends ConfigBackup, ShownConfig {
  /** What restoring it would change. */
  readonly changes: readonly ConfigDifference[];
}

const TARGET = { type: 'Configuration', id: 'file' } as const;
/** Maximum number of changes that wait for others. */
const MAX_WAITING = 1_000;

/** Reads and changes the configuration file of the service. */
export class ApplicationConfigService {
  readonly settings: readonly SettingDescription[];
  private readonly files: ConfigFiles;
  private readonly states: ConfigStates;
  private readonly mask: ConfigMask;
  private readonly settingOf: (key: string) => SettingDescription | undefined;
  /** Changes of the file, one after the other. */
  private readonly queue = new WorkQueue({ concurrency: 1, capacity: MAX_WAITING });

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly masterPassword: MasterPasswordService;
      readonly config: Pick<Config, 'data' | 'file' | 'productPrefix' | 'supervised'>;
      readonly restart?: (() => void) | undefined;
    },
  ) {
    const { file, productPrefix } = deps.config;
    this.files = new ConfigFiles(file);
    this.settings = describeSettings(productPrefix);
    this.settingOf = settingsByKey(productPrefix);
    this.states = new ConfigStates(this.files, file.check, this.isKnown);
    this.mask = new ConfigMask(this.settingOf, this.settings);
  }

  /**
   * Returns the file with its secrets masked.
   * @throws Forbidden MASTER_PASSWORD_WRONG if a master password is configured and not sent
   */
  async read(actor: Actor, origin: Presented): Promise<CurrentConfig> {
    await this.admit(actor, origin);
    const { content, text, revision, problems, keys } = await this.states.load();
    return {
      ...this.mask.tree(text),
      path: this.deps.config.file.path,
      exists: content !== null,
      revision,
      problems,
      writeProblems: await this.writeProblems(),
      pending: this.pending(keys),
    };
  }

  /**
   * Changes the keys that differ from the file, and nothing else in it.
   * @param input.revision the revision that the client has read; undefined: any
   * @throws Refused CONFIG_INVALID with the reason if a change cannot be made, or the service could
   * not start with the result; CONFIG_FILE_CHANGED, CONFIG_FILE_NOT_SHARED,
   * CONFIG_FILE_NOT_WRITABLE, SECRET_NOT_STORED
   */
  async update(
    actor: Actor,
    origin: Presented,
    input: { readonly fields: readonly SentNode[]; readonly revision?: string | null | undefined },
  ): Promise<ConfigChangeResult> {
    await this.admit(actor, origin);
    return this.changing(async () => {
      const state = await this.states.load();
      requireRevision(state, input.revision);
      const changes = changesOf(input.fields, state.text, this.mask);
      const { text, changed } = this.edited(state, changes);
      const content = Buffer.from(sourceOf(text), 'utf8');
      if (state.content === null ? content.length === 0 : content.equals(state.content))
        return this.result('unchanged', state, null);
      const after = this.states.stateOf(content, text);
      return this.save(actor, state, after, 'application-config.update', changed);
    });
  }

  async backups(actor: Actor, origin: Presented): Promise<ConfigBackup[]> {
    await this.admit(actor, origin);
    return this.files.backups();
  }

  /** @throws NotFound CONFIG_BACKUP_NOT_FOUND */
  async readBackup(actor: Actor, origin: Presented, name: string): Promise<ShownBackup> {
    await this.admit(actor, origin);
    const { backup, content } = await this.files.readBackup(name);
    const { keys, text } = this.states.stateOf(content);
    const changes = this.mask.differences((await this.states.load()).keys, keys);
    return { ...backup, ...this.mask.tree(text), changes };
  }

  /**
   * Puts a backup in the place of the file, which is backed up before.
   * @throws NotFound CONFIG_BACKUP_NOT_FOUND
   * @throws Refused as `update`
   */
  async restore(
    actor: Actor,
    origin: Presented,
    input: { readonly name: string; readonly revision?: string | null | undefined },
  ): Promise<ConfigChangeResult> {
    await this.admit(actor, origin);
    return this.changing(async () => {
      const state = await this.states.load();
      requireRevision(state, input.revision);
      const { content } = await this.files.readBackup(input.name);
      if (state.content !== null && content.equals(state.content))
        return this.result('unchanged', state, null);
      const after = this.states.stateOf(content);
      const changed = this.mask.differences(state.keys, after.keys).map(({ path }) => path);
      return this.save(actor, state, after, 'application-config.restore', changed);
    });
  }

  /** Returns why no change can be saved: what is not writable, or is not read by all processes. */
  async writeProblems(): Promise<string[]> {
    const { file } = this.deps.config;
    return [...(file.reachesAll ? [] : [this.notShared]), ...(await this.files.problems())];
  }

  get canRestart(): boolean {
    return this.supervisedRestart !== undefined;
  }

  /**
   * Ends the service, so that its supervisor starts it with the file as it is now.
   * @param revision the revision that the client has read; undefined: any
   * @throws Refused RESTART_NOT_SUPPORTED without a supervisor, or with a MongoDB; CONFIG_INVALID if
   * the service could not start; CONFIG_FILE_CHANGED
   */
  async restart(actor: Actor, origin: Presented, revision?: string | null): Promise<void> {
    await this.admit(actor, origin);
    const { core, audit, config } = this.deps;
    const restart = this.supervisedRestart;
    if (config.data.mongodbUri !== null)
      throw new Refused(
        'RESTART_NOT_SUPPORTED',
        'Other processes may use this MongoDB, and only one would be restarted. Restart all of them with their supervisor.',
      );
    if (restart === undefined)
      throw new Refused(
        'RESTART_NOT_SUPPORTED',
        `No supervisor is declared that would start the service again. Restart it by hand, or set ${config.productPrefix}.supervised.`,
      );
    const state = await this.states.load();
    requireRevision(state, revision);
    requireNoProblems(state, 'it was not restarted');
    await core.store.transaction((tx) =>
      audit.record(actor, 'application-config.restart', TARGET, null, null, tx),
    );
    // The answer is on its way before requests are finished.
    setImmediate(restart);
  }

  /** Undefined without a supervisor, and where it would restart only one of several processes. */
  private get supervisedRestart(): (() => void) | undefined {
    const { config, restart } = this.deps;
    return config.supervised && config.data.mongodbUri === null ? restart : undefined;
  }

  private get notShared(): string {
    return `Other processes may use this MongoDB, and each may read a file of its own. Change the file of each process, or set ${this.deps.config.productPrefix}.config.shared if all read this one.`;
  }

  /** One change after the other, also of processes that share the file. */
  private changing<R>(work: () => Promise<R>): Promise<R> {
    const { core, config } = this.deps;
    if (!config.file.reachesAll) throw new Refused('CONFIG_FILE_NOT_SHARED', this.notShared);
    return this.queue.run(() => withLease(core, 'configuration-file', work));
  }

  private async admit(actor: Actor, origin: Presented): Promise<void> {
    const { masterPassword } = this.deps;
    if (masterPassword.isConfigured) await masterPassword.require(actor, origin);
  }

  private readonly isKnown = (path: string): boolean => this.settingOf(path) !== undefined;

  private edited(state: FileState, changes: ReturnType<typeof changesOf>) {
    try {
      return editConfig(state.text, changes, this.isKnown);
    } catch (error) {
      if (!(error instanceof ChangeError)) throw error;
      throw new Refused('CONFIG_INVALID', `${error.message}. Nothing was changed.`);
    }
  }

  private async save(
    actor: Actor,
    before: FileState,
    after: FileState & { readonly content: Buffer },
    action: 'application-config.update' | 'application-config.restore',
    changed: readonly string[],
  ): Promise<ConfigChangeResult> {
    const { core, audit } = this.deps;
    requireNoProblems(after, 'nothing was changed');
    const { backup, undo } = await this.files.replace(
      before.content,
      after.content,
      core.clock.now(),
    );
    try {
      await core.store.transaction((tx) =>
        audit.record(actor, action, TARGET, null, { paths: changed, backup }, tx),
      );
    } catch (error) {
      // A change that cannot be audited is none.
      await undo();
      throw error;
    }
    await this.files.removeOldBackups();
    return this.result('saved', this.states.remember(after), backup);
  }

  private result(
    status: 'saved' | 'unchanged',
    { keys, revision }: FileState,
    backup: string | null,
  ): ConfigChangeResult {
    const pending = this.pending(keys);
    const restartRequired = pending.length > 0;
    const saved = status === 'saved' ? 'The configuration was saved.' : 'Nothing was changed.';
    const wait = pending.length === 1 ? '1 change waits' : `${pending.length} changes wait`;
    return {
      status,
      restartRequired,
      message: restartRequired ? `${saved} ${wait} for a restart of the service.` : saved,
      pending,
      revision,
      backup,
    };
  }

  private pending(keys: FlatKeys): ConfigDifference[] {
    return this.mask.differences(this.deps.config.file.keys, keys);
  }
}
