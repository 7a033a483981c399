import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  DeleteTemplateDocument,
  InstantiateTemplateDocument,
  TemplateDetailsDocument,
  TemplateDocumentDocument,
} from '../../generated/operations';
import type { TemplateDetailsQuery } from '../../generated/operations';
import { Action } from '../../parts/action';
import { DeleteRecord } from '../../parts/delete-records';
import { downloadJson } from '../../parts/download';
import { isolateDirection } from '../../parts/format';
import { Form, TextField, textOf, throwUserErrors } from '../../parts/form';
import { notify } from '../../parts/notices';
import { Card, Fact, Heading, RecordPage } from '../../parts/page';
import { Time } from '../../parts/runs/times';
import { href, navigate } from '../../router';
import { StepOutline } from '../../run/step-outline';
import { chosenConnectors, ConnectorSlotFields } from '../connector-slots';

type Template = NonNullable<TemplateDetailsQuery['template']>;

/** Saves the same file as `GET /template/file/{templateId}.json`. */
async function exportFile(shown: Template): Promise<void> {
  const { databaseId, templateId, name, description, license, productVersion } = shown;
  const { template } = await request(TemplateDocumentDocument, { id: String(databaseId) });
  if (template?.document == null) throw new Error('The template was changed. Reload the page.');
  downloadJson(`${templateId}.json`, {
    templateId,
    name,
    description,
    license,
    version: productVersion,
    link: null,
    connection: template.document,
  });
}

async function remove({ databaseId, version, name }: Template): Promise<void> {
  const { templateDelete } = await request(DeleteTemplateDocument, {
    id: String(databaseId),
    expectedVersion: version,
  });
  throwUserErrors(templateDelete.userErrors);
  notify(`${isolateDirection(name)} was deleted.`);
  navigate(href('templates'));
}

/** Creates a workflow: its title, and a connector for each slot. */
function UseCard({ template: { databaseId, name, connectors } }: { template: Template }) {
  const missing = [
    'CONNECTION:CREATE',
    ...(connectors.length > 0 ? ['CONNECTOR:READ'] : []),
  ].filter((permission) => !hasPermission.value(permission));
  const create = async (values: FormData): Promise<void> => {
    const { templateInstantiate } = await request(InstantiateTemplateDocument, {
      input: {
        templateId: String(databaseId),
        title: textOf(values, 'title') || null,
        connectors: chosenConnectors(values, connectors),
      },
    });
    throwUserErrors(templateInstantiate.userErrors);
    notify('The workflow was created.');
    navigate(href(`workflows/${templateInstantiate.workflow?.databaseId}`));
  };
  return (
    <Card title="Use this template">
      {missing.length > 0 ? (
        <p class="quiet">To create a workflow of it, your group needs {missing.join(' and ')}.</p>
      ) : (
        <Form label="Use this template" submitText="Create workflow" submit={create}>
          <TextField
            label="Title of the workflow"
            name="title"
            maxLength={128}
            placeholder={name}
          />
          <ConnectorSlotFields slots={connectors} />
        </Form>
      )}
    </Card>
  );
}

/** What was assumed or left out when the template was made. */
function NoteList({ title, notes }: { title: string; notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details class="note-list">
      <summary>
        {title} ({notes.length})
      </summary>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>
            <bdi>{note}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One template: what it does, and a form to use it. */
export function TemplatePage({ id }: { id: string }) {
  const query = useQuery(TemplateDetailsDocument, { id });
  return (
    <RecordPage
      title={`Template ${id}`}
      name="template"
      query={query}
      recordOf={({ template }) => template}
      notFoundText="It may have been deleted."
    >
      {(template) => (
        <>
          <Heading title={template.name}>
            <a href={href('templates')}>All templates</a>
            <span class="heading-actions">
              <Action icon="down" text="Export" run={() => exportFile(template)} />
              {template.viewerCan.delete ? (
                <DeleteRecord noun="template" name={template.name} remove={() => remove(template)}>
                  <p class="quiet">Workflows that were created from it stay.</p>
                </DeleteRecord>
              ) : null}
            </span>
          </Heading>
          {template.description ? <p class="lead">{template.description}</p> : null}
          <dl class="facts facts-row">
            <Fact name="Changed">
              <Time at={template.updatedAt} />{' '}
              <span class="quiet">
                <bdi>{template.updatedBy.email}</bdi>
              </span>
            </Fact>
            {template.license ? (
              <Fact name="License">
                <bdi>{template.license}</bdi>
              </Fact>
            ) : null}
          </dl>
          <UseCard template={template} />
          <StepOutline steps={template.steps ?? []} />
          <NoteList title="Assumptions of the import" notes={template.warnings} />
          <NoteList title="Values to enter, left out as secrets" notes={template.leftOut} />
        </>
      )}
    </RecordPage>
  );
}
