import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';

/** Who did something, as it was then: users come and go, what they did stays. */
export interface Author {
  readonly userId: number;
  readonly email: string;
}

/** Where the text of a document lies: the parts `<id>/0`, `<id>/1`, ... of the contents. Written once: another text has another id. */
export interface ContentRef {
  readonly id: string;
  readonly parts: number;
  /** SHA-256 of the JSON text, hex. */
  readonly hash: string;
}

/** A workflow: what is searched and listed. The document itself stands in its versions. */
export interface WorkflowRecord {
  readonly _id: number;
  readonly title: string;
  /** `titleKey(title)`; unique. */
  readonly titleKey: string;
  readonly description: string | null;
  /** Hidden from lists unless asked for; its runs are not counted. */
  readonly test: boolean;
  /** 1 for the first save. */
  readonly version: number;
  /** The version it is now: the `nodeId` of the REST API. */
  readonly snapshotId: string;
  readonly content: ContentRef;
  readonly methods: number;
  readonly operators: number;
  /** The connectors its steps call. This and what follows up to `icon` is read from the document: `references/document-facts`. */
  readonly connectorIds: readonly number[];
  /** Names of invokers that are written in the document. */
  readonly invokers: readonly string[];
  /** The same, folded. */
  readonly invokerKeys: readonly string[];
  /** Names of the secrets it refers to, folded. */
  readonly secrets: readonly string[];
  /** The aggregators its methods name. */
  readonly aggregatorIds: readonly number[];
  readonly categoryId: number | null;
  readonly icon: string | null;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
  /** The newest run that was not a test. */
  readonly lastRunId: number | null;
  readonly lastTestRunId: number | null;
  /** The workflow that is started when a run of this one fails. */
  readonly errorWorkflowId?: number;
  /** Counts changes of what belongs to it beside its document, its rules and the deletion of versions: they and a deletion conflict. */
  readonly partChanges?: number;
}

/** What one save left behind, or several small ones of one author in a row. */
export interface VersionRecord {
  /** 24 hex digits: the snapshot id of the REST API, and the `nodeId` of the workflow while this is its current version. */
  readonly _id: string;
  readonly workflowId: number;
  readonly number: number;
  readonly title: string;
  readonly author: Author;
  readonly createdAt: Date;
  readonly comment: string | null;
  /** When a PATCH was last saved into it; null: none was. */
  readonly patchedAt: Date | null;
  readonly content: ContentRef;
  /** Runs that have not ended and execute this snapshot. */
  readonly uses: number;
  /** Runs that executed it or will, as long as they are kept: it stays with them. */
  readonly kept: number;
  /** Nobody but those runs wants it any more: it goes with the last of them. */
  readonly discarded: boolean;
}

export interface ContentPartRecord {
  /** `<content id>/<part from 0>` */
  readonly _id: string;
  readonly bytes: Buffer;
}

const author = partOf<Author>({ userId: Number, email: String });
const content = partOf<ContentRef>({ id: String, parts: Number, hash: String });

export const workflowSchema = schemaOf<WorkflowRecord>({
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
  lastRunId: orNull(Number),
  lastTestRunId: orNull(Number),
  errorWorkflowId: orMissing(Number),
  partChanges: orMissing(Number),
});
workflowSchema.index({ titleKey: 1 }, { unique: true });
// Of a workflow that is deleted. Few name one.
workflowSchema.index({ errorWorkflowId: 1 }, { sparse: true });
// Lists leave workflows of test runs out or merge both kinds, so every index begins with them; those of filters end with the order
// lists have by themselves.
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
// Runs hold on to contents.
versionSchema.index({ 'content.id': 1 }, { unique: true });

export const contentSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });
