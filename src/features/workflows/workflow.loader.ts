import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { NotFound } from '../../platform/errors/errors';
import type { WorkflowDocument } from './workflow.document';
import type { ContentRef, VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';

/** Workflows by id, read together with all others the request asks for. */
export function workflowLoader(context: GraphqlContext) {
  return context.loader<number, WorkflowRecord>('workflows', (ids) => context.services.workflows.byIds(ids));
}

/** Versions by the id of their content, read together with all others the request asks for. */
export function versionOfContentLoader(context: GraphqlContext) {
  return context.loader<string, VersionRecord>('workflowVersionsOfContents', (ids) => context.services.workflows.versionsByContents(ids));
}

/** The workflow behind a link; null when it is deleted, and when the signed-in user may not read it. */
export async function linkedWorkflow(context: GraphqlContext, id: number): Promise<WorkflowRecord | null> {
  return allows(workflowPolicy.read, context.actor) ? workflowLoader(context).load(id) : null;
}

/**
 * The document of a workflow or version as the actor may see it, read once per request and for all of a list together.
 * @throws NotFound VERSION_NOT_FOUND: saved over or deleted since the row was read
 */
export async function documentOf({ content }: { readonly content: ContentRef }, context: GraphqlContext): Promise<WorkflowDocument> {
  const documents = context.loader<string, WorkflowDocument>('workflowDocuments', async (keys) => {
    const found = await context.services.workflows.documents(context.actor, keys.map((key) => JSON.parse(key) as ContentRef));
    return keys.map((key) => found.get((JSON.parse(key) as ContentRef).id) ?? null);
  });
  const { id, parts, hash } = content;
  const document = await documents.load(JSON.stringify({ id, parts, hash }));
  if (!document) throw new NotFound('VERSION_NOT_FOUND', 'The workflow was changed or deleted meanwhile. Ask again.');
  return document;
}
