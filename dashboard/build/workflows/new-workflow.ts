import { request } from '../../api/request';
import { CreateEmptyWorkflowDocument } from '../../generated/operations';
import { throwUserError } from '../../parts/action';
import { formatDateTime } from '../../parts/format';
import { href, navigate } from '../../router';

/** Creates an empty workflow and opens it in the editor. */
export async function createWorkflow(): Promise<void> {
  const create = async (title: string) =>
    (await request(CreateEmptyWorkflowDocument, { title })).workflowCreate;
  let { workflow, userErrors } = await create('New workflow');
  if (userErrors.some(({ code }) => code === 'TITLE_HAS_ALREADY_TAKEN'))
    ({ workflow, userErrors } = await create(
      `New workflow, ${formatDateTime(new Date().toISOString())}`,
    ));
  throwUserError(userErrors);
  navigate(href(`workflows/${workflow?.databaseId}/edit`));
}
