import { orNull, partOf, schemaOf } from '../../platform/store/schema';

/**
 * Origin of an invoker: shipped, from the installation's folder, or imported or changed by a user.
 */
const INVOKER_ORIGINS = {
  SHIPPED: 'SHIPPED',
  FOLDER: 'FOLDER',
  IMPORTED: 'IMPORTED',
} as const;
export type InvokerOrigin = (typeof INVOKER_ORIGINS)[keyof typeof INVOKER_ORIGINS];

/** Reference to stored XML. Immutable: another text has another id. */
export interface SourceRef {
  /** 24 hex digits. */
  readonly id: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
  /** Bytes of the text. */
  readonly bytes: number;
}

/** The indexed fields of an invoker. Its XML is stored separately and contains the rest. */
export interface InvokerRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded; unique. */
  readonly nameKey: string;
  readonly description: string | null;
  readonly hint: string | null;
  readonly icon: string | null;
  readonly authType: string | null;
  /** The name that `/invoker/file/exists/{fileName}` looks up: `demo.xml`. */
  readonly fileName: string;
  readonly origin: InvokerOrigin;
  readonly operations: number;
  readonly source: SourceRef;
  /** Incremented when a connector starts to use it, so that a concurrent deletion conflicts. */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SourceRecord {
  readonly _id: string;
  readonly bytes: Buffer;
}

/** A file that was read at start. It is read again only if its hash changes. */
export interface ImportedFileRecord {
  /** `folder/demo.xml`, `shipped/rest.xml` */
  readonly _id: string;
  /** SHA-256 of its bytes, hex. */
  readonly hash: string;
  readonly readAt: Date;
}

export const invokerSchema = schemaOf<InvokerRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  description: orNull(String),
  hint: orNull(String),
  icon: orNull(String),
  authType: orNull(String),
  fileName: String,
  origin: String,
  operations: Number,
  source: partOf<SourceRef>({ id: String, hash: String, bytes: Number }),
  claims: Number,
  version: Number,
  createdAt: Date,
  updatedAt: Date,
});
invokerSchema.index({ nameKey: 1 }, { unique: true });
invokerSchema.index({ fileName: 1 });
invokerSchema.index({ updatedAt: 1, _id: 1 });

export const sourceSchema = schemaOf<SourceRecord>({ _id: String, bytes: Buffer });

export const importedFileSchema = schemaOf<ImportedFileRecord>({
  _id: String,
  hash: String,
  readAt: Date,
});

/** Audit view of an invoker. A hash identifies its text. */
export const auditedInvoker = ({
  name,
  description,
  hint,
  icon,
  authType,
  fileName,
  origin,
  operations,
  version,
  source,
}: InvokerRecord): object => ({
  name,
  description,
  hint,
  icon,
  authType,
  fileName,
  origin,
  operations,
  version,
  sha256: source.hash,
});
