import type { Collection } from '../../platform/store/collection';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A user at the time of their action, kept after the user is deleted. */
export interface Author {
  readonly userId: number;
  readonly email: string;
}

/**
 * Refers to the stored parts `<id>/0`, `<id>/1`, ... of a JSON text. Parts never change: a new text
 * gets a new id.
 */
export interface ContentRef {
  readonly id: string;
  readonly parts: number;
  /** SHA-256 of the JSON text, hex. */
  readonly hash: string;
}

/** The searchable and listed fields of a workflow. Its document is in its versions. */
export interface WorkflowRecord {
  readonly _id: number;
  readonly title: string;
  /** `titleKey(title)`; unique. */
  readonly titleKey: string;
  readonly description: string | null;
  /** True: hidden from lists unless requested, and its runs are not counted. */
  readonly test: boolean;
  /** Starts at 1; incremented by each save. */
  readonly version: number;
  /** Id of the current version: `nodeId` in the REST API. */
  readonly snapshotId: string;
  readonly content: ContentRef;
  readonly methods: number;
  readonly operators: number;
  /**
   * Connectors that the steps call. The fields up to `icon` are derived from the document:
   * `document/document-facts`.
   */
  readonly connectorIds: readonly number[];
  /** Missing in rows of earlier versions. */
  readonly containerIds?: readonly number[];
  readonly invokers: readonly string[];
  /** Invoker names, folded. */
  readonly invokerKeys: readonly string[];
  /** Names of the secrets in the document, folded. */
  readonly secrets: readonly string[];
  readonly aggregatorIds: readonly number[];
  readonly categoryId: number | null;
  readonly icon: string | null;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
  /** Of a test workflow. */
  readonly lastTestRunId: number | null;
  /** The workflow that is started when a run of this one fails. */
  readonly errorWorkflowId?: number;
  /** Its runs go on after a crash. */
  readonly resume?: boolean;
  /**
   * Incremented by transactions that change data of the workflow outside of its document, such as
   * masking rules, so that they conflict with its deletion.
   */
  readonly partChanges?: number;
}

/** A snapshot created by a save, or by several PATCHes of one author in a row. */
export interface VersionRecord {
  /**
   * 24 hex digits: the snapshot id of the REST API, and `nodeId` of the workflow while it is the
   * current version.
   */
  readonly _id: string;
  readonly workflowId: number;
  readonly number: number;
  readonly title: string;
  readonly author: Author;
  readonly createdAt: Date;
  readonly comment: string | null;
  /** Time of the last PATCH saved into it; null if there was none. */
  readonly patchedAt: Date | null;
  readonly content: ContentRef;
  /** Number of unfinished runs that execute this snapshot. */
  readonly uses: number;
  /** Number of kept runs that execute or executed it; the snapshot is kept as long as they are. */
  readonly kept: number;
  /** True if it is kept only for those runs, and deleted with the last of them. */
  readonly discarded: boolean;
}

export interface ContentPartRecord {
  /** `<content id>/<part from 0>` */
  readonly _id: string;
  readonly bytes: Buffer;
}

const author = partOf<Author>({ userId: Number, email: String });
const content = partOf<ContentRef>({ id: String, parts: Number, hash: String });

const workflowSchema = schemaOf<WorkflowRecord>({
  _id: Number,
  title: String,
  titleKey: String,
  description: orNull(String),
  test: Boolean,
  version: Number,
  snapshotId: String,
  content,
  methods: Number,
  operators: Number,
  connectorIds: [Number],
  containerIds: orMissing([Number] as const),
  invokers: [String],
  invokerKeys: [String],
  secrets: [String],
  aggregatorIds: [Number],
  categoryId: orNull(Number),
  icon: orNull(String),
  createdAt: Date,
  createdBy: author,
  updatedAt: Date,
  updatedBy: author,
  lastTestRunId: orNull(Number),
  errorWorkflowId: orMissing(Number),
  resume: orMissing(Boolean),
  partChanges: orMissing(Number),
});
workflowSchema.index({ titleKey: 1 }, { unique: true });
// For deletions, which clear references to the workflow. Sparse: few workflows have an error
// workflow.
workflowSchema.index({ errorWorkflowId: 1 }, { sparse: true });
// Every index starts with `test`, because lists either exclude test workflows or merge both kinds.
// Indexes of filters end with the default order of lists.
for (const field of ['titleKey', 'createdAt', 'updatedAt'])
  workflowSchema.index({ test: 1, [field]: 1, _id: 1 });
workflowSchema.index({ test: 1, _id: 1 });
for (const field of [
  'title',
  'updatedBy.userId',
  'connectorIds',
  'invokerKeys',
  'secrets',
  'aggregatorIds',
  'categoryId',
])
  workflowSchema.index({ test: 1, [field]: 1, createdAt: 1, _id: 1 });

export const workflowCollection = (store: Store): Collection<WorkflowRecord> =>
  store.collection<WorkflowRecord>('Workflow', workflowSchema, 'workflows');

export const versionSchema = schemaOf<VersionRecord>({
  _id: String,
  workflowId: Number,
  number: Number,
  title: String,
  author,
  createdAt: Date,
  comment: orNull(String),
  patchedAt: orNull(Date),
  content,
  uses: Number,
  kept: Number,
  discarded: Boolean,
});
versionSchema.index({ workflowId: 1, number: -1 });
// Runs look up versions by content id.
versionSchema.index({ 'content.id': 1 }, { unique: true });

export const contentSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });
