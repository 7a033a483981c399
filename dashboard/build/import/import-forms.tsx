import { useState } from 'preact/hooks';
import { request, upload } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  ImportedTemplatesDocument,
  ImportTemplatesDocument,
  ImportWorkflowDocument,
} from '../../generated/operations';
import { formatQuantity } from '../../parts/format';
import { Form, TextField, textOf, throwUserErrors } from '../../parts/form';
import { href } from '../../router';
import { chosenConnectors, ConnectorSlotFields } from '../connector-slots';
import { importInvoker } from '../invokers/import-invokers';
import type { ImportedInvoker, Progress } from '../invokers/import-invokers';
import { pathOf } from '../invokers/invoker-path';
import { waitForImport } from '../wait-for-import';
import type { RecordContent, WorkflowContent } from './file-content';

/** A record that was imported, with the assumptions that were made. */
export interface ImportedRecord {
  readonly path: string;
  readonly name: string;
  readonly warnings: readonly string[];
}

interface FormProps<Content> {
  readonly file: File;
  readonly content: Content;
  readonly onImported: (records: readonly ImportedRecord[]) => void;
}

interface ImportedTemplate {
  /** The UUID of the template. */
  readonly id: string;
  readonly warnings?: readonly string[];
}

/** The templates by their UUIDs, at most a page of them. */
async function findTemplates(
  imported: readonly ImportedTemplate[],
): Promise<readonly ImportedRecord[]> {
  const warnings = new Map(imported.map((each) => [each.id, each.warnings ?? []]));
  const { templates } = await request(ImportedTemplatesDocument, {
    templateIds: [...warnings.keys()].slice(0, 100),
  });
  return templates.nodes.map(({ databaseId, templateId, name }) => ({
    path: `templates/${databaseId}`,
    name,
    warnings: warnings.get(templateId) ?? [],
  }));
}

async function importTemplates(
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<readonly ImportedRecord[]> {
  const { templateImport } = await upload(
    ImportTemplatesDocument,
    { input: { file: null } },
    'input.file',
    file,
  );
  throwUserErrors(templateImport.userErrors);
  const imported = await waitForImport<ImportedTemplate>(
    String(templateImport.job?.databaseId),
    'file',
    ({ percent, message }) => onProgress({ name: message ?? file.name, percent }),
  );
  return findTemplates(imported);
}

const recordOf = ({ id, warnings = [] }: ImportedInvoker): ImportedRecord => ({
  path: pathOf(id),
  name: id,
  warnings,
});

interface RecordKind {
  readonly nouns: readonly [string, string];
  readonly note: string;
  readonly run: typeof importTemplates;
}

const RECORDS: Readonly<Record<RecordContent['kind'], RecordKind>> = {
  template: {
    nouns: ['template', 'templates'],
    note: 'A template with the same id is replaced. Templates of an archive get new ids.',
    run: importTemplates,
  },
  invoker: {
    nouns: ['invoker', 'invokers'],
    note: 'An invoker of the same name is replaced.',
    run: async (file, onProgress) => (await importInvoker(file, onProgress)).map(recordOf),
  },
};

/** Imports templates or invokers, all or none, and shows the progress. */
export function RecordImport({ file, content, onImported }: FormProps<RecordContent>) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const { kind, names, detail } = content;
  const { nouns, note, run } = RECORDS[kind];
  const submit = async (): Promise<void> => {
    setProgress({ name: file.name, percent: 0 });
    try {
      onImported(await run(file, setProgress));
    } finally {
      setProgress(null);
    }
  };
  return (
    <Form
      label={`Import ${file.name}`}
      submitText={`Import ${nouns[names.length === 1 ? 0 : 1]}`}
      submit={submit}
    >
      <p>
        {formatQuantity(names.length, ...nouns)}: <bdi>{names.slice(0, 10).join(', ')}</bdi>
        {names.length > 10 ? ' …' : ''}. {detail}
      </p>
      <p class="quiet">{note}</p>
      <p role="status">
        {progress === null ? null : (
          <>
            <progress max={100} value={progress.percent} aria-label="Progress of the import" />{' '}
            <bdi>{progress.name}</bdi>
          </>
        )}
      </p>
    </Form>
  );
}

/** Imports a workflow, after its title and connectors were chosen. */
export function WorkflowImport({ file, content, onImported }: FormProps<WorkflowContent>) {
  const { title, slots, secrets, leftOut } = content;
  const canChoose = hasPermission.value('CONNECTOR:READ');
  const submit = async (values: FormData): Promise<void> => {
    const { workflowImport } = await upload(
      ImportWorkflowDocument,
      {
        input: {
          file: null,
          title: textOf(values, 'title') || null,
          connectors: chosenConnectors(values, slots),
        },
      },
      'input.file',
      file,
    );
    throwUserErrors(workflowImport.userErrors);
    const { workflow } = workflowImport;
    if (workflow !== null)
      onImported([
        { path: `workflows/${workflow.databaseId}`, name: workflow.title, warnings: [] },
      ]);
  };
  return (
    <Form label={`Import ${file.name}`} submitText="Import workflow" submit={submit}>
      <p>
        The workflow <bdi>{title}</bdi>.
      </p>
      <TextField label="Title" name="title" maxLength={128} placeholder={title} />
      {canChoose ? <ConnectorSlotFields slots={slots} /> : null}
      {secrets.length === 0 ? null : (
        <p>
          It uses these secrets, which must exist before it runs: <bdi>{secrets.join(', ')}</bdi>.{' '}
          <a href={href('secrets')}>Secrets</a>
        </p>
      )}
      {leftOut.length === 0 ? null : (
        <p>
          Values to enter afterwards, which the file does not contain:{' '}
          <bdi>{leftOut.join(', ')}</bdi>.
        </p>
      )}
    </Form>
  );
}
