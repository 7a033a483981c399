import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { NotFound, TooLarge } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { schemaOf } from '../../platform/store/schema';
import type { AuditService } from '../audit/audit.service';

declare module '../../platform/context' {
  interface Services {
    systemSettings: SystemSettings;
  }
}

/** Settings of the 5.x client for all users: its colours and its logo. */
export const SYSTEM_SETTINGS = ['theme_colors', 'app_logo'] as const;

/** A setting that is not stored has the default of the client. */
export interface SystemSetting {
  readonly name: string;
  readonly value: unknown;
  readonly updatedAt: Date;
}

interface SystemSettingRecord {
  /** Its name. */
  readonly _id: string;
  /** The value as JSON text, since any JSON is allowed. */
  readonly json: string;
  readonly updatedAt: Date;
}

/** Maximum size of a value as JSON. */
export const MAX_VALUE_BYTES = 64 * 1024;

const systemSettingSchema = schemaOf<SystemSettingRecord>({
  _id: String,
  json: String,
  updatedAt: Date,
});

const target = (id: string) => ({ type: 'SystemSetting', id }) as const;

/** The appearance of the 5.x client. The service only stores it: the client gives it a meaning. */
export class SystemSettings {
  private readonly settings: Collection<SystemSettingRecord>;

  constructor(private readonly deps: { readonly core: Core; readonly audit: AuditService }) {
    this.settings = deps.core.store.collection<SystemSettingRecord>(
      'SystemSetting',
      systemSettingSchema,
      'system_settings',
    );
  }

  /** @throws NotFound SYSTEM_SETTING_NOT_FOUND it is not set, or there is none of this name */
  async get(name: string): Promise<SystemSetting> {
    requireName(name);
    const record = await this.settings.byId(name);
    if (!record) throw notFound(`The system setting "${name}" is not set.`);
    return toSetting(record);
  }

  /**
   * @throws NotFound SYSTEM_SETTING_NOT_FOUND there is none of this name
   * @throws TooLarge
   */
  async set(actor: Actor, name: string, value: unknown): Promise<SystemSetting> {
    requireName(name);
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > MAX_VALUE_BYTES)
      throw new TooLarge(`The value of a system setting has ${MAX_VALUE_BYTES} bytes at most.`);
    const { core, audit } = this.deps;
    return core.store.transaction(async (tx) => {
      const before = await this.settings.byId(name, tx);
      const set = { json, updatedAt: core.clock.now() };
      await this.settings.upsert({ _id: name }, { $set: set }, tx);
      const after = { _id: name, ...set };
      await audit.record(
        actor,
        'system-setting.update',
        target(name),
        before && recorded(before),
        recorded(after),
        tx,
      );
      return toSetting(after);
    });
  }

  /**
   * Clients show their default again. A setting that is not set stays so.
   * @throws NotFound SYSTEM_SETTING_NOT_FOUND there is none of this name
   */
  async reset(actor: Actor, name: string): Promise<void> {
    requireName(name);
    const { core, audit } = this.deps;
    await core.store.transaction(async (tx) => {
      const before = await this.settings.findOneAndDelete({ _id: name }, tx);
      if (before)
        await audit.record(
          actor,
          'system-setting.delete',
          target(name),
          recorded(before),
          null,
          tx,
        );
    });
  }
}

const notFound = (message: string): NotFound =>
  new NotFound('SYSTEM_SETTING_NOT_FOUND', message, { path: ['name'] });

function requireName(name: string): void {
  if (!SYSTEM_SETTINGS.some((one) => one === name))
    throw notFound(`There is no system setting of this name, only ${SYSTEM_SETTINGS.join(', ')}.`);
}

const toSetting = ({ _id: name, json, updatedAt }: SystemSettingRecord): SystemSetting => ({
  name,
  value: JSON.parse(json) as unknown,
  updatedAt,
});

const recorded = ({ json }: Pick<SystemSettingRecord, 'json'>): object => ({
  value: JSON.parse(json) as unknown,
});
