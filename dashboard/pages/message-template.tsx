import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import {
  DeleteMessageTemplateDocument,
  MessageTemplateDetailsDocument,
  UpdateMessageTemplateDocument,
} from '../generated/operations';
import type { MessageTemplateRecordFragment } from '../generated/operations';
import { CHANNELS } from '../notifications/labels';
import { contentsOf, TemplateFields, throwTemplateErrors } from '../notifications/template-fields';
import { isolateDirection } from '../parts/format';
import { Form, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';
import { Card, Heading, RecordPage } from '../parts/page';
import { href, navigate } from '../router';

function DeleteTemplate({ template }: { template: MessageTemplateRecordFragment }) {
  const { databaseId, name, version } = template;
  const remove = async (): Promise<void> => {
    const { messageTemplateDelete } = await request(DeleteMessageTemplateDocument, {
      id: String(databaseId),
      expectedVersion: version,
    });
    throwUserErrors(messageTemplateDelete.userErrors);
    notify(`${isolateDirection(name)} was deleted.`);
    navigate(href('notifications/templates'));
  };
  return (
    <FormDialog icon="cross" text="Delete template" submit={remove}>
      <p>
        Delete the template <bdi>{name}</bdi>? The notifications that use it are deleted as well.
      </p>
    </FormDialog>
  );
}

function ContentsCard({
  template,
  onChange,
}: {
  template: MessageTemplateRecordFragment;
  onChange: (template: MessageTemplateRecordFragment) => void;
}) {
  const { databaseId, name, contents, warnings, version } = template;
  const save = async (values: FormData): Promise<void> => {
    const entered = contentsOf(values);
    const { messageTemplateUpdate } = await request(UpdateMessageTemplateDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        name: textOf(values, 'name'),
        contents: entered,
      },
    });
    throwTemplateErrors(messageTemplateUpdate.userErrors, entered);
    if (messageTemplateUpdate.messageTemplate) onChange(messageTemplateUpdate.messageTemplate);
    notify('The template was saved.');
  };
  return (
    <Card title="Contents">
      {warnings.length === 0 ? null : (
        <ul class="warn template-warnings" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <Form
        label="Contents"
        submitText="Save template"
        submit={save}
        isReadOnly={!hasPermission.value('SCHEDULE:UPDATE')}
      >
        <TemplateFields name={name} contents={contents} />
      </Form>
    </Card>
  );
}

/** One template: its name and its contents in each language. */
export function MessageTemplatePage({ id }: { id: string }) {
  const query = useQuery(MessageTemplateDetailsDocument, { id });
  return (
    <RecordPage
      title={`Template ${id}`}
      name="template"
      query={query}
      recordOf={({ messageTemplate }) => messageTemplate}
      notFoundText="It may have been deleted."
    >
      {(template) => (
        <>
          <Heading title={template.name}>
            <span class="tag">{CHANNELS[template.channel]}</span>
            <a href={href('notifications/templates')}>All templates</a>
            {hasPermission.value('SCHEDULE:DELETE') ? <DeleteTemplate template={template} /> : null}
          </Heading>
          <div class="account-cards">
            <ContentsCard
              template={template}
              onChange={(messageTemplate) => query.update(() => ({ messageTemplate }))}
            />
          </div>
        </>
      )}
    </RecordPage>
  );
}
