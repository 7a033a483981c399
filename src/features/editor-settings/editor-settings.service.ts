import type { Actor } from '../../platform/access/actor';
import { Forbidden, NotFound } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';

declare module '../../platform/context' {
  interface Services {
    editorSettings: EditorSettingsService;
  }
}

/** How a user of the 4.x client wants the editor to look. The client gives the values a meaning. */
export interface EditorSettings {
  /** Id of the user. */
  readonly _id: number;
  readonly colorMode: string;
  /** In the unit of the client. */
  readonly processTextSize: number;
}

/** Maximum characters, and the range of the text size. */
export const EDITOR_LIMITS = { colorMode: 64, minTextSize: 1, maxTextSize: 1_000 } as const;

const editorSettingsSchema = schemaOf<EditorSettings>({
  _id: Number,
  colorMode: String,
  processTextSize: Number,
});

/** Editor settings of users. They only change how a client draws, so saving is not audited. */
export class EditorSettingsService {
  private readonly settings: Collection<EditorSettings>;

  constructor(store: Store) {
    this.settings = store.collection<EditorSettings>(
      'EditorSettings',
      editorSettingsSchema,
      'editor_settings',
    );
  }

  /** @throws NotFound EDITOR_SETTINGS_NOT_FOUND also for an unknown user */
  async get(userId: number): Promise<EditorSettings> {
    const settings = await this.settings.byId(userId);
    if (settings) return settings;
    throw new NotFound(
      'EDITOR_SETTINGS_NOT_FOUND',
      `User ${userId} has no settings of the editor.`,
      { path: ['userId'] },
    );
  }

  /** @throws Forbidden settings of another user */
  async replace(actor: Actor, settings: EditorSettings): Promise<EditorSettings> {
    if (settings._id !== actor.userId)
      throw new Forbidden('You can replace only your own settings of the editor.');
    const { _id, ...fields } = settings;
    await this.settings.upsert({ _id }, { $set: fields });
    return settings;
  }

  /** Deletes the settings of users, in the transaction that deletes the users. */
  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.settings.deleteMany({ _id: { $in: [...userIds] } }, tx);
  }
}
