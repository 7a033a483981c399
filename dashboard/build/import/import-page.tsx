import { useState } from 'preact/hooks';
import { hasPermission } from '../../current-user';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { Card, Heading } from '../../parts/page';
import { href } from '../../router';
import { readContent } from './file-content';
import type { FileContent } from './file-content';
import { RecordImport, WorkflowImport } from './import-forms';
import type { ImportedRecord } from './import-forms';

interface SelectedFile {
  readonly id: number;
  readonly file: File;
  readonly content: FileContent;
}

/** At least one of these permissions is required. */
const PERMISSIONS: Readonly<Record<'workflow' | 'template' | 'invoker', readonly string[]>> = {
  workflow: ['CONNECTION:CREATE'],
  template: ['SCHEDULE:CREATE'],
  invoker: ['INVOKER:CREATE', 'INVOKER:UPDATE'],
};

let lastId = 0;

function Imported({ records }: { records: readonly ImportedRecord[] }) {
  return (
    <div role="status">
      <p>
        <Icon name="check" size={14} /> Imported:
      </p>
      <ul class="user-list" aria-label="Imported">
        {records.map(({ path, name, warnings }) => (
          <li key={path}>
            <a href={href(path)}>
              <bdi>{name}</bdi>
            </a>
            {warnings.length === 0 ? null : (
              <ul class="warn" aria-label={`Warnings of ${name}`}>
                {warnings.map((warning) => (
                  <li key={warning}>
                    <bdi dir="ltr">{warning}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the file contains, with a form to import it. */
function FileImport({
  selected: { file, content },
  onImported,
}: {
  selected: SelectedFile;
  onImported: (records: readonly ImportedRecord[]) => void;
}) {
  if (content.kind === 'unknown')
    return (
      <p class="warn">
        This is no exported workflow, template, invoker, or zip archive of templates or invokers of
        at most 20 MiB.
      </p>
    );
  if (content.kind === 'instance')
    return (
      <p>
        This is the export of a whole instance. An administrator imports it into an empty
        installation with the command <code>hypha import {file.name}</code>.
      </p>
    );
  const permissions = PERMISSIONS[content.kind];
  if (!permissions.some(hasPermission.value))
    return (
      <p>
        To import this {content.kind}, your group needs {permissions.join(' or ')}.
      </p>
    );
  return content.kind === 'workflow' ? (
    <WorkflowImport file={file} content={content} onImported={onImported} />
  ) : (
    <RecordImport file={file} content={content} onImported={onImported} />
  );
}

function FileCard({ selected, onRemove }: { selected: SelectedFile; onRemove: () => void }) {
  const [records, setRecords] = useState<readonly ImportedRecord[] | null>(null);
  const { name } = selected.file;
  return (
    <Card
      title={name}
      aside={
        <Button
          class="button quiet-button"
          aria-label={`${records === null ? 'Remove' : 'Close'} ${name}`}
          onClick={onRemove}
        >
          <Icon name="cross" size={14} />
          <span>{records === null ? 'Remove' : 'Close'}</span>
        </Button>
      }
    >
      {records === null ? (
        <FileImport selected={selected} onImported={setRecords} />
      ) : (
        <Imported records={records} />
      )}
    </Card>
  );
}

/** Files that are selected or dropped. */
function FileDrop({ onSelect }: { onSelect: (files: readonly File[]) => void }) {
  const [isOver, setIsOver] = useState(false);
  return (
    <label
      class={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onSelect([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <span>Drop files here, or select them</span>
      <input
        type="file"
        multiple
        accept=".json,.xml,.zip"
        onChange={({ currentTarget }) => {
          onSelect([...(currentTarget.files ?? [])]);
          // The same file can be selected again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Imports workflows, templates and invokers from files, after showing what they contain. */
export function ImportPage() {
  const [files, setFiles] = useState<readonly SelectedFile[]>([]);
  const add = async (added: readonly File[]): Promise<void> => {
    const read = await Promise.all(
      added.map(async (file) => ({ id: ++lastId, file, content: await readContent(file) })),
    );
    setFiles((before) => [...read, ...before]);
  };
  return (
    <>
      <Heading title="Import" />
      <p class="lead">
        Exported workflows, <a href={href('templates')}>templates</a> and{' '}
        <a href={href('invokers')}>invokers</a>, or zip archives of templates or invokers. You see
        what a file contains before it is imported.
      </p>
      <FileDrop onSelect={(selected) => void add(selected)} />
      {files.map((selected) => (
        <FileCard
          key={selected.id}
          selected={selected}
          onRemove={() => setFiles((before) => before.filter(({ id }) => id !== selected.id))}
        />
      ))}
    </>
  );
}
