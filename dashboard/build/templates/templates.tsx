import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  CreateTemplateDocument,
  DeleteTemplateDocument,
  TemplatesDocument,
} from '../../generated/operations';
import type { TemplatesQuery } from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { enteredText, TextAreaField, TextField, textOf, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../../parts/list-page';
import { notify } from '../../parts/notices';
import { pageVariables } from '../../parts/pager';
import { Time } from '../../parts/runs/times';
import { EmptyState } from '../../parts/states';
import { href, navigate } from '../../router';
import { ImportLink } from '../import-link';
import { WorkflowField } from '../workflow-field';

type Template = TemplatesQuery['templates']['nodes'][number];

const NOUNS = ['template', 'templates'] as const;

const systemsOf = ({ connectors }: Template): string =>
  [...new Set(connectors.map(({ invoker }) => invoker ?? 'any system'))].join(', ');

const COLUMNS: readonly Column<Template>[] = [
  {
    title: 'Template',
    cellClass: 'cell-main',
    cell: (template) => (
      <>
        <a class="row-link" href={href(`templates/${template.databaseId}`)}>
          <bdi>{template.name}</bdi>
        </a>
        {template.description ? (
          <span class="line quiet clamped">
            <bdi>{template.description}</bdi>
          </span>
        ) : null}
        <span class="only-narrow quiet">
          <bdi>{systemsOf(template)}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Connects',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: (template) => <bdi>{systemsOf(template)}</bdi>,
  },
  {
    title: 'Changed',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

/** Makes a template of a workflow. */
function NewTemplate() {
  if (!['SCHEDULE:CREATE', 'CONNECTION:READ'].every(hasPermission.value)) return null;
  const create = async (values: FormData): Promise<void> => {
    const { templateCreate } = await request(CreateTemplateDocument, {
      input: {
        workflowId: textOf(values, 'workflowId'),
        name: textOf(values, 'name') || null,
        description: enteredText(values, 'description') || null,
        license: textOf(values, 'license') || null,
      },
    });
    throwUserErrors(templateCreate.userErrors);
    notify('The template was created.');
    navigate(href(`templates/${templateCreate.template?.databaseId}`));
  };
  return (
    <FormDialog icon="plus" text="New template" submitText="Create template" submit={create}>
      <p class="quiet">A template is a workflow without its connectors and secrets.</p>
      <WorkflowField />
      <TextField label="Name" name="name" maxLength={255} placeholder="Title of the workflow" />
      <TextAreaField label="Description" name="description" rows={3} />
      <TextField label="License" name="license" maxLength={255} />
    </FormDialog>
  );
}

function NoTemplates({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="empty" title="No templates">
      {isFiltered ? 'No results match the search.' : 'Make one of a workflow, or import a file.'}
    </EmptyState>
  );
}

async function remove(templates: readonly Template[]): Promise<void> {
  for (const { databaseId, version } of templates) {
    const { templateDelete } = await request(DeleteTemplateDocument, {
      id: String(databaseId),
      expectedVersion: version,
    });
    throwUserErrors(templateDelete.userErrors);
  }
}

/** All templates. */
export function Templates() {
  const search = currentSearch();
  const templates = useQuery(TemplatesDocument, {
    filter: search === '' ? {} : { name: { contains: search } },
    ...pageVariables(),
  });
  return (
    <ListPage
      title="Templates"
      actions={
        <span class="heading-actions">
          <ImportLink permission="SCHEDULE:CREATE" />
          <NewTemplate />
        </span>
      }
      filters={
        <FilterBar label="Filter templates">
          <ListSearch label="Name" />
        </FilterBar>
      }
      query={templates}
      name="templates"
      connection={(data) => data.templates}
      nouns={NOUNS}
      empty={<NoTemplates isFiltered={search !== ''} />}
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Templates"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            hasPermission.value('SCHEDULE:DELETE')
              ? {
                  name: ({ name }) => `template ${name}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      // Those before a rejected one are deleted.
                      remove={() => remove(selected).finally(templates.reload)}
                    />
                  ),
                }
              : undefined
          }
        />
      )}
    </ListPage>
  );
}
