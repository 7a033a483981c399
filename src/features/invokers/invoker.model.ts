import { orNull, partOf, schemaOf } from '../../platform/store/schema';

/** Where an invoker came from: with the service, from the folder of the installation, or from somebody who imported or changed it. */
export const INVOKER_ORIGINS = {
  SHIPPED: 'SHIPPED',
  FOLDER: 'FOLDER',
  IMPORTED: 'IMPORTED',
} as const;
export type InvokerOrigin = (typeof INVOKER_ORIGINS)[keyof typeof INVOKER_ORIGINS];

/** Where the XML of an invoker lies. Written once: another text has another id. */
export interface SourceRef {
  /** 24 hex digits. */
  readonly id: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
  /** Bytes of the text. */
  readonly bytes: number;
}

/** An invoker: what is searched and listed. Its XML stands beside it, and what it says is read from there. */
export interface InvokerRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded; unique. */
  readonly nameKey: string;
  readonly description: string | null;
  readonly hint: string | null;
  readonly icon: string | null;
  readonly authType: string | null;
  /** What `/invoker/file/exists/{fileName}` asks for: `demo.xml`. */
  readonly fileName: string;
  readonly origin: InvokerOrigin;
  readonly operations: number;
  readonly source: SourceRef;
  /** Counts connectors that came to use it, so that one of them and a deletion conflict instead of passing each other unseen. */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The XML of an invoker, compressed. */
export interface SourceRecord {
  readonly _id: string;
  readonly bytes: Buffer;
}

/** A file that invokers were read from at a start, so that it is read again only when it has changed. */
export interface SeenFileRecord {
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

export const seenFileSchema = schemaOf<SeenFileRecord>({ _id: String, hash: String, readAt: Date });
