import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type {
  ConflictReason,
  OnlineAction,
  OnlineKind,
  SynchronisationStateName,
} from './online-service';

/** A version of the portal that waits for a decision. */
export interface OnlineConflict {
  readonly reason: ConflictReason;
  readonly sha256: string;
  readonly fingerprint: string;
  readonly href: string;
  readonly since: Date;
}

/** What was taken of an item of the portal. */
export interface OnlineItemRecord {
  /** `INVOKER/demo`: the kind, and the key of the local record. */
  readonly _id: string;
  readonly kind: OnlineKind;
  readonly key: string;
  readonly name: string;
  /** The version of the portal that was taken, or kept away on purpose; null: none. */
  readonly sha256: string | null;
  /** Fingerprint of its content; null: none. */
  readonly fingerprint: string | null;
  readonly conflict: OnlineConflict | null;
  readonly updatedAt: Date;
}

const itemSchema = schemaOf<OnlineItemRecord>({
  _id: String,
  kind: String,
  key: String,
  name: String,
  sha256: orNull(String),
  fingerprint: orNull(String),
  conflict: orNull(
    partOf<OnlineConflict>({
      reason: String,
      sha256: String,
      fingerprint: String,
      href: String,
      since: Date,
    }),
  ),
  updatedAt: Date,
});
itemSchema.index({ kind: 1, 'conflict.since': 1, _id: 1 });

export const onlineItemModel = (store: Store) =>
  store.model<OnlineItemRecord>('OnlineItem', itemSchema, 'online_items');

/** What happened to one item. */
export interface SynchronisedItem {
  readonly name: string;
  readonly action: OnlineAction;
  readonly message: string | null;
}

export type Counts = Readonly<Record<OnlineAction, number>>;

/** One synchronisation. */
export interface SynchronisationRecord {
  readonly _id: number;
  readonly kind: OnlineKind;
  readonly isDryRun: boolean;
  /** E-mail of the user who started it; null: it was due. */
  readonly startedBy: string | null;
  readonly state: SynchronisationStateName;
  readonly message: string | null;
  readonly counts: Counts;
  /** All but unchanged ones, up to a maximum. */
  readonly items: readonly SynchronisedItem[];
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

const synchronisationSchema = schemaOf<SynchronisationRecord>({
  _id: Number,
  kind: String,
  isDryRun: Boolean,
  startedBy: orNull(String),
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
});
synchronisationSchema.index({ kind: 1, _id: 1 });

export const synchronisationModel = (store: Store) =>
  store.model<SynchronisationRecord>('Synchronisation', synchronisationSchema, 'synchronisations');
