import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author, ContentPartRecord, ContentRef } from '../workflows/workflow.model';
import type { ConnectorSlot } from './body/connector-slots';

/** A workflow without connectors, ready to be made into one: what is listed. Its body stands apart. */
export interface TemplateRecord {
  readonly _id: number;
  /** A UUID in lower case, by which REST and files know it; unique. */
  readonly templateId: string;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string | null;
  readonly license: string | null;
  /** Version of the product that wrote it, or whose form it was brought to. */
  readonly productVersion: string;
  /** The connectors to be chosen. */
  readonly connectors: readonly ConnectorSlot[];
  /** Places where a secret stood: they are empty. */
  readonly leftOut: readonly string[];
  /** What was assumed of a file that does not say it all. Templates from before there were warnings have none. */
  readonly warnings?: readonly string[];
  readonly content: ContentRef;
  /** 1 for the first save. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
}

const author = partOf<Author>({ userId: Number, email: String });

const templateSchema = schemaOf<TemplateRecord>({
  _id: Number,
  templateId: String,
  name: String,
  nameKey: String,
  description: orNull(String),
  license: orNull(String),
  productVersion: String,
  connectors: [partOf<ConnectorSlot>({ invoker: orNull(String), title: String })],
  leftOut: [String],
  warnings: orMissing([String]),
  content: partOf<ContentRef>({ id: String, parts: Number, hash: String }),
  version: Number,
  createdAt: Date,
  createdBy: author,
  updatedAt: Date,
  updatedBy: author,
});
templateSchema.index({ templateId: 1 }, { unique: true });
for (const field of ['nameKey', 'createdAt', 'updatedAt'])
  templateSchema.index({ [field]: 1, _id: 1 });

export const templateModel = (store: Store) =>
  store.model<TemplateRecord>('Template', templateSchema, 'templates');

const contentSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });

export const templateContentModel = (store: Store) =>
  store.model<ContentPartRecord>('TemplateContent', contentSchema, 'template_contents');
