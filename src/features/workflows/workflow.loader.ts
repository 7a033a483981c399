import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { NotFound } from '../../platform/errors/errors';
import type { WorkflowDocument } from './document/workflow-document';
import type { ContentRef, VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';

/** Workflows by id, batched per request. */
export function workflowLoader(context: GraphqlContext) {
  return context.loader<number, WorkflowRecord>('workflows', (ids) =>
    context.services.workflows.byIds(ids),
  );
}

/** Versions by content id, batched per request. */
export function versionOfContentLoader(context: GraphqlContext) {
  return context.loader<string, VersionRecord>('workflowVersionsOfContents', (ids) =>
    context.services.versionRecords.byContents(ids),
  );
}

/** The workflow of a link; null if it is deleted or the user may not read it. */
export async function linkedWorkflow(
  context: GraphqlContext,
  id: number,
): Promise<WorkflowRecord | null> {
  return allows(workflowPolicy.read, context.actor) ? workflowLoader(context).load(id) : null;
}

const documentMissing = (): NotFound =>
  new NotFound(
    'VERSION_NOT_FOUND',
    'The workflow was changed or deleted while it was read. Try again.',
  );

/** The document, masked for the actor, batched and cached per request; null if it is deleted. */
function storedDocument(
  content: ContentRef,
  context: GraphqlContext,
): Promise<WorkflowDocument | null> {
  const documents = context.loader<ContentRef, WorkflowDocument>(
    'workflowDocuments',
    async (contents) => {
      const documentsById = await context.services.workflows.documents(context.actor, contents);
      return contents.map(({ id }) => documentsById.get(id) ?? null);
    },
  );
  return documents.load(content);
}

/** @throws NotFound VERSION_NOT_FOUND: deleted since the row was read */
export async function documentOf(
  { content }: Pick<VersionRecord, 'content'>,
  context: GraphqlContext,
): Promise<WorkflowDocument> {
  const document = await storedDocument(content, context);
  if (!document) throw documentMissing();
  return document;
}

/**
 * The document of a workflow. If the workflow was saved since its row was read, returns the current
 * document; the other fields are older, so a save with their `version` fails with CONFLICT.
 * @throws NotFound VERSION_NOT_FOUND: deleted since the row was read
 */
export async function currentDocumentOf(
  { _id, content }: Pick<WorkflowRecord, '_id' | 'content'>,
  context: GraphqlContext,
): Promise<WorkflowDocument> {
  const {
    actor,
    services: { workflows },
  } = context;
  const current = context.loader<number, WorkflowDocument>('currentWorkflowDocuments', (ids) =>
    Promise.all(ids.map(async (id) => (await workflows.current(actor, id))?.document ?? null)),
  );
  const document = (await storedDocument(content, context)) ?? (await current.load(_id));
  if (!document) throw documentMissing();
  return document;
}
