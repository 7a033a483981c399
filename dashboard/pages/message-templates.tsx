import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import { CreateMessageTemplateDocument, MessageTemplatesDocument } from '../generated/operations';
import type {
  MessageChannel,
  MessageTemplateFilter,
  MessageTemplatesQuery,
} from '../generated/operations';
import { CHANNELS, LANGUAGES, optionsOf } from '../notifications/labels';
import { SectionLinks } from '../notifications/section-links';
import { contentsOf, TemplateFields, throwTemplateErrors } from '../notifications/template-fields';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { SelectField, textOf } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../parts/list-page';
import { pageVariables } from '../parts/pager';
import { EmptyState } from '../parts/states';
import { href, navigate } from '../router';

type Template = MessageTemplatesQuery['messageTemplates']['nodes'][number];

const languagesOf = ({ contents }: Template): string =>
  contents.map(({ language }) => LANGUAGES[language]).join(', ');

const COLUMNS: readonly Column<Template>[] = [
  {
    title: 'Template',
    cellClass: 'cell-main',
    cell: (template) => (
      <>
        <a class="row-link" href={href(`notifications/templates/${template.databaseId}`)}>
          <bdi>{template.name}</bdi>
        </a>
        {template.warnings.length === 0 ? null : (
          <span class="tag">
            <span class="warn">unknown placeholders</span>
          </span>
        )}
        <span class="line quiet">
          <bdi>{template.contents[0]?.subject}</bdi>
        </span>
        <span class="only-narrow quiet">{languagesOf(template)}</span>
      </>
    ),
  },
  { title: 'Type', cell: ({ channel }) => CHANNELS[channel] },
  { title: 'Languages', isWideOnly: true, cell: languagesOf },
];

function CreateTemplate() {
  const create = async (values: FormData): Promise<void> => {
    const contents = contentsOf(values);
    const { messageTemplateCreate } = await request(CreateMessageTemplateDocument, {
      input: {
        name: textOf(values, 'name'),
        channel: textOf(values, 'channel') as MessageChannel,
        contents,
      },
    });
    throwTemplateErrors(messageTemplateCreate.userErrors, contents);
    navigate(href(`notifications/templates/${messageTemplateCreate.messageTemplate?.databaseId}`));
  };
  return (
    <FormDialog icon="plus" text="New template" submitText="Create template" isWide submit={create}>
      <TemplateFields>
        <SelectField label="Type" name="channel" value="EMAIL" options={optionsOf(CHANNELS)} />
      </TemplateFields>
    </FormDialog>
  );
}

/** What notifications say, with a dialog that creates a template. */
export function MessageTemplates() {
  const search = currentSearch();
  const filter: MessageTemplateFilter = search === '' ? {} : { name: { contains: search } };
  const templates = useQuery(MessageTemplatesDocument, { filter, ...pageVariables() });
  return (
    <ListPage
      title="Notifications"
      label="Templates"
      actions={
        <>
          <SectionLinks />
          {hasPermission.value('SCHEDULE:CREATE') ? <CreateTemplate /> : null}
        </>
      }
      filters={
        <>
          <p class="lead">
            A template is what notifications say. Each <a href={href('schedules')}>schedule</a> has
            its notifications on its page.
          </p>
          <FilterBar label="Filter templates">
            <ListSearch label="Name" />
          </FilterBar>
        </>
      }
      query={templates}
      name="templates of messages"
      connection={({ messageTemplates }) => messageTemplates}
      nouns={['template', 'templates']}
      empty={
        <EmptyState icon="mail" title="No templates">
          {search === '' ? 'Nothing has been created yet.' : 'No results match the filters.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Templates"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
        />
      )}
    </ListPage>
  );
}
