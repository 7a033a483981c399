import { Schema } from 'mongoose';

/** Who did something, as it was then: users come and go, what they did stays. */
export interface Author {
  readonly userId: number;
  readonly email: string;
}

/** Where the text of a document lies: the parts `<id>/0`, `<id>/1`, ... of the contents. `id` is that of the version it belongs to. */
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
  readonly content: ContentRef;
  readonly methods: number;
  readonly operators: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
  /** The newest run that was not a test. */
  readonly lastRunId: number | null;
  readonly lastTestRunId: number | null;
}

/** What one save left behind. */
export interface VersionRecord {
  /** 24 hex digits: the snapshot id of the REST API, and the `nodeId` of the workflow while this is its newest version. */
  readonly _id: string;
  readonly workflowId: number;
  readonly number: number;
  readonly title: string;
  readonly author: Author;
  readonly createdAt: Date;
  readonly comment: string | null;
  readonly content: ContentRef;
  /** Runs that have not ended and execute this snapshot. */
  readonly uses: number;
  /** Nobody but those runs wants it any more: it goes with the last of them. */
  readonly discarded: boolean;
}

export interface ContentPartRecord {
  /** `<version id>/<part from 0>` */
  readonly _id: string;
  readonly bytes: Buffer;
}

const author = { userId: { type: Number, required: true }, email: { type: String, required: true } } as const;
const content = {
  id: { type: String, required: true }, parts: { type: Number, required: true }, hash: { type: String, required: true },
} as const;

export const workflowSchema = new Schema<WorkflowRecord>(
  {
    _id: { type: Number, required: true },
    title: { type: String, required: true },
    titleKey: { type: String, required: true },
    description: { type: String, default: null },
    test: { type: Boolean, required: true },
    version: { type: Number, required: true },
    content: { type: new Schema(content, { _id: false }), required: true },
    methods: { type: Number, required: true },
    operators: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: new Schema(author, { _id: false }), required: true },
    updatedAt: { type: Date, required: true },
    updatedBy: { type: new Schema(author, { _id: false }), required: true },
    lastRunId: { type: Number, default: null },
    lastTestRunId: { type: Number, default: null },
  },
  { versionKey: false, minimize: false },
);
workflowSchema.index({ titleKey: 1 }, { unique: true });
workflowSchema.index({ test: 1, _id: 1 });
workflowSchema.index({ updatedAt: 1, _id: 1 });

export const versionSchema = new Schema<VersionRecord>(
  {
    _id: { type: String, required: true },
    workflowId: { type: Number, required: true },
    number: { type: Number, required: true },
    title: { type: String, required: true },
    author: { type: new Schema(author, { _id: false }), required: true },
    createdAt: { type: Date, required: true },
    comment: { type: String, default: null },
    content: { type: new Schema(content, { _id: false }), required: true },
    uses: { type: Number, required: true },
    discarded: { type: Boolean, required: true },
  },
  { versionKey: false, minimize: false },
);
versionSchema.index({ workflowId: 1, number: -1 });

export const contentSchema = new Schema<ContentPartRecord>(
  { _id: { type: String, required: true }, bytes: { type: Buffer, required: true } },
  { versionKey: false },
);
