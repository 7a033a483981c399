import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  DeleteWorkflowsDocument,
  DuplicateWorkflowDocument,
  ExportWorkflowDocument,
  MoveWorkflowDocument,
} from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { DeleteSelected } from '../../parts/delete-records';
import { downloadJson } from '../../parts/download';
import type { Option } from '../../parts/fields';
import { formatQuantity, isolateDirection } from '../../parts/format';
import { SelectField, textOf, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { notify } from '../../parts/notices';
import { href } from '../../router';

interface Workflow {
  readonly databaseId: number;
  readonly title: string;
}

const NOUNS = ['workflow', 'workflows'] as const;

async function duplicate({ databaseId, title }: Workflow): Promise<void> {
  const { workflowDuplicate } = await request(DuplicateWorkflowDocument, {
    id: String(databaseId),
  });
  throwUserError(workflowDuplicate.userErrors);
  notify(`${isolateDirection(title)} was copied.`, {
    link: {
      href: href(`workflows/${workflowDuplicate.workflow?.databaseId}`),
      text: 'Open the copy',
    },
  });
}

async function exportFile({ databaseId }: Workflow): Promise<void> {
  const { workflowExport } = await request(ExportWorkflowDocument, { id: String(databaseId) });
  throwUserError(workflowExport.userErrors);
  if (workflowExport.file) downloadJson(workflowExport.file.fileName, workflowExport.file.content);
}

/** Copies or exports a workflow. */
export function WorkflowActions({
  workflow,
  onChange,
}: {
  workflow: Workflow;
  onChange: () => void;
}) {
  const { title } = workflow;
  return (
    <>
      {hasPermission.value('CONNECTION:CREATE') ? (
        <Action
          icon="copy"
          text="Duplicate"
          label={`Duplicate ${title}`}
          isQuiet
          run={async () => {
            await duplicate(workflow);
            onChange();
          }}
        />
      ) : null}
      <Action
        icon="down"
        text="Export"
        label={`Export ${title}`}
        isQuiet
        run={() => exportFile(workflow)}
      />
    </>
  );
}

/** Moves or deletes selected workflows. */
export function SelectedWorkflowActions({
  workflows,
  categories,
  onChange,
}: {
  workflows: readonly Workflow[];
  categories: readonly Option[];
  onChange: () => void;
}) {
  const quantity = formatQuantity(workflows.length, ...NOUNS);
  const move = async (values: FormData): Promise<void> => {
    const categoryId = textOf(values, 'categoryId') || null;
    try {
      for (const { databaseId } of workflows) {
        const { workflowUpdate } = await request(MoveWorkflowDocument, {
          id: String(databaseId),
          categoryId,
        });
        throwUserErrors(workflowUpdate.userErrors);
      }
    } finally {
      onChange();
    }
    notify(`Moved ${quantity}.`);
  };
  const remove = async (): Promise<void> => {
    const { workflowsDelete } = await request(DeleteWorkflowsDocument, {
      ids: workflows.map(({ databaseId }) => String(databaseId)),
    });
    throwUserErrors(workflowsDelete.userErrors);
    onChange();
  };
  return (
    <>
      {hasPermission.value('CONNECTION:UPDATE') ? (
        <FormDialog icon="right" text="Move" title={`Move ${quantity} to a category`} submit={move}>
          <SelectField
            label="Category"
            name="categoryId"
            value=""
            options={[{ value: '', text: 'No category' }, ...categories]}
          />
        </FormDialog>
      ) : null}
      {hasPermission.value('CONNECTION:DELETE') ? (
        <DeleteSelected count={workflows.length} nouns={NOUNS} remove={remove} />
      ) : null}
    </>
  );
}
