import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type {
  ConflictReason,
  OnlineAction,
  OnlineKind,
  SynchronisationStateName,
} from './online-service';

/** A version of an item: the hash of its file, and the fingerprint of its content. */
interface ItemVersion {
  /** Of the bytes of the file of the portal. */
  readonly sha256: string;
  readonly fingerprint: string;
}

/** The newest version that the portal lists, and where its file is. */
export interface OfferedVersion extends ItemVersion {
  readonly href: string;
}

/** Why an administrator has to decide about the offered version. */
export interface OnlineConflict {
  readonly reason: ConflictReason;
  readonly since: Date;
}

/** What is known of an item of the portal. */
export interface OnlineItemRecord {
  /** `INVOKER/demo`: the kind, and the key of the local record. */
  readonly _id: string;
  readonly kind: OnlineKind;
  readonly key: string;
  readonly name: string;
  /** The version that was taken, or that the local record was kept instead of; null: none. */
  readonly base: ItemVersion | null;
  /** Null: the portal no longer lists the item. */
  readonly offered: OfferedVersion | null;
  readonly conflict: OnlineConflict | null;
  readonly updatedAt: Date;
}

const itemSchema = schemaOf<OnlineItemRecord>({
  _id: String,
  kind: String,
  key: String,
  name: String,
  base: orNull(partOf<ItemVersion>({ sha256: String, fingerprint: String })),
  offered: orNull(partOf<OfferedVersion>({ sha256: String, fingerprint: String, href: String })),
  conflict: orNull(partOf<OnlineConflict>({ reason: String, since: Date })),
  updatedAt: Date,
});
itemSchema.index({ kind: 1, 'conflict.since': 1, _id: 1 });

export const onlineItemCollection = (store: Store) =>
  store.collection<OnlineItemRecord>('OnlineItem', itemSchema, 'online_items');

/** What happened to one item. */
export interface SynchronisedItem {
  readonly name: string;
  readonly action: OnlineAction;
  readonly message: string | null;
}

export type Counts = Readonly<Record<OnlineAction, number>>;

export interface SynchronisationRecord {
  readonly _id: number;
  readonly kind: OnlineKind;
  readonly isDryRun: boolean;
  /** E-mail of the user who started it, or the name of the operator; null: it was due. */
  readonly startedBy: string | null;
  /** When the cron expression fired; null: it was started by a user. */
  readonly dueAt: Date | null;
  readonly state: SynchronisationStateName;
  readonly message: string | null;
  readonly counts: Counts;
  /** All but unchanged ones, up to a maximum. */
  readonly items: readonly SynchronisedItem[];
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** If its process does not renew this in time, it was interrupted. */
  readonly aliveUntil: Date;
}

const synchronisationSchema = schemaOf<SynchronisationRecord>({
  _id: Number,
  kind: String,
  isDryRun: Boolean,
  startedBy: orNull(String),
  dueAt: orNull(Date),
  state: String,
  message: orNull(String),
  counts: partOf<Counts>({
    ADDED: Number,
    UPDATED: Number,
    LINKED: Number,
    UNCHANGED: Number,
    KEPT: Number,
    CONFLICT: Number,
    GONE: Number,
    FAILED: Number,
  }),
  items: [partOf<SynchronisedItem>({ name: String, action: String, message: orNull(String) })],
  startedAt: Date,
  finishedAt: orNull(Date),
  aliveUntil: Date,
});
synchronisationSchema.index({ kind: 1, _id: 1 });

export const synchronisationCollection = (store: Store) =>
  store.collection<SynchronisationRecord>(
    'Synchronisation',
    synchronisationSchema,
    'synchronisations',
  );
