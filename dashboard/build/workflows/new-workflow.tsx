import { request } from '../../api/request';
import { CreateEmptyWorkflowDocument } from '../../generated/operations';
import { Action } from '../../parts/action';
import { throwUserErrors } from '../../parts/form';
import { href, navigate } from '../../router';

const TITLE = 'New workflow';
/** How many numbered titles are tried before one with the time. */
const MAX_NUMBERED = 5;

/** Creates an empty workflow with a free title, and opens its editor. */
export async function createWorkflow(): Promise<void> {
  for (let number = 1; ; number += 1) {
    const suffix =
      number === 1 ? '' : number <= MAX_NUMBERED ? ` ${number}` : ` ${new Date().toLocaleString()}`;
    const { workflowCreate } = await request(CreateEmptyWorkflowDocument, {
      title: TITLE + suffix,
    });
    const { workflow, userErrors } = workflowCreate;
    if (workflow !== null) return navigate(href(`workflows/${workflow.databaseId}/edit`));
    const isTaken = userErrors.some(({ code }) => code === 'TITLE_HAS_ALREADY_TAKEN');
    if (!isTaken || number > MAX_NUMBERED) throwUserErrors(userErrors);
  }
}

export const NewWorkflowButton = () => <Action icon="plus" text={TITLE} run={createWorkflow} />;
