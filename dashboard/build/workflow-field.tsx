import { request } from '../api/request';
import { WorkflowTitlesDocument } from '../generated/operations';
import { Combobox } from '../parts/combobox';
import type { OptionSearch } from '../parts/combobox';
import type { Option } from '../parts/fields';

/** A workflow as an option. Titles are not unique in older installations. */
export const workflowOption = ({
  databaseId,
  title,
}: {
  databaseId: number;
  title: string;
}): Option => ({ value: String(databaseId), text: `${title} #${databaseId}` });

const searchWorkflows: OptionSearch = async (text, signal) => {
  const { workflows } = await request(
    WorkflowTitlesDocument,
    { filter: text === '' ? {} : { title: { contains: text } } },
    signal,
  );
  return workflows.nodes.map(workflowOption);
};

/** Selects a workflow in a form. Needs the permission to read workflows. */
export function WorkflowField({ value = null }: { value?: Option | null }) {
  return (
    <Combobox
      label="Workflow"
      name="workflowId"
      value={value}
      search={searchWorkflows}
      isRequired
    />
  );
}
