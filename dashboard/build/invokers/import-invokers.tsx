import { useState } from 'preact/hooks';
import { request, upload } from '../../api/request';
import { ImportInvokerDocument } from '../../generated/operations';
import { Field } from '../../parts/fields';
import { enteredText, Rejected, TextAreaField, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { Card } from '../../parts/page';
import { href } from '../../router';
import { waitForImport } from '../wait-for-import';
import { pathOf } from './invoker-path';

/** An imported invoker, with the assumptions that were made while its XML was parsed. */
export interface ImportedInvoker {
  readonly id: string;
  readonly warnings?: readonly string[];
}

export interface Progress {
  readonly name: string;
  readonly percent: number;
}

/** Imports a file or a text. @throws Rejected with the lines of its errors */
export async function importInvoker(
  source: File | string,
  onProgress: (progress: Progress) => void,
): Promise<readonly ImportedInvoker[]> {
  const { invokerImport } =
    typeof source === 'string'
      ? await request(ImportInvokerDocument, { input: { xml: source } })
      : await upload(ImportInvokerDocument, { input: { file: null } }, 'input.file', source);
  throwUserErrors(invokerImport.userErrors);
  const name = typeof source === 'string' ? 'XML' : source.name;
  return waitForImport(
    String(invokerImport.job?.databaseId),
    typeof source === 'string' ? 'xml' : 'file',
    ({ percent, message }) => onProgress({ name: message ?? name, percent }),
  );
}

/**
 * A dialog that imports invokers from files and a text.
 * @param props.onImported called with what was imported, also if a later file is rejected
 */
export function ImportInvokers({
  onImported,
}: {
  onImported: (imported: readonly ImportedInvoker[]) => void;
}) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const submit = async (values: FormData): Promise<void> => {
    const files = values.getAll('file').filter((file) => file instanceof File && file.size > 0);
    const text = enteredText(values, 'xml');
    const sources = text.trim() === '' ? files : [...files, text];
    if (sources.length === 0)
      throw new Rejected([{ message: 'Select a file, or paste XML.', path: ['file'] }]);
    const imported: ImportedInvoker[] = [];
    try {
      for (const source of sources) imported.push(...(await importInvoker(source, setProgress)));
    } finally {
      setProgress(null);
      if (imported.length > 0) onImported(imported);
    }
  };
  return (
    <FormDialog icon="plus" text="Import invokers" submitText="Import" isWide submit={submit}>
      <div class="wide-field file-field">
        <Field label="XML files, or zip archives of them">
          <input type="file" name="file" accept=".xml,.zip" multiple />
        </Field>
      </div>
      <div class="wide-field">
        <TextAreaField label="Or paste XML" name="xml" rows={8} isCode />
      </div>
      <p class="quiet">An invoker of the same name is replaced.</p>
      <p class="wide-field" role="status">
        {progress === null ? null : (
          <>
            <progress max={100} value={progress.percent} aria-label="Progress of the import" />{' '}
            <bdi>{progress.name}</bdi>
          </>
        )}
      </p>
    </FormDialog>
  );
}

/** A warning of an invoker; with a line, it links to the line in the editor. */
export function WarningItem({ invoker, warning }: { invoker: string; warning: string }) {
  const line = /^Line (\d+)/.exec(warning)?.[1];
  return (
    <li>
      {line === undefined ? (
        <bdi dir="ltr">{warning}</bdi>
      ) : (
        <a href={href(`${pathOf(invoker)}/edit`, { line })}>
          <bdi dir="ltr">{warning}</bdi>
        </a>
      )}
    </li>
  );
}

/** What was imported, and the warnings. */
export function ImportResult({ imported }: { imported: readonly ImportedInvoker[] }) {
  if (imported.length === 0) return null;
  return (
    <Card title="Imported">
      <ul class="user-list" aria-label="Imported invokers">
        {imported.map(({ id, warnings = [] }) => (
          <li key={id}>
            <a href={href(pathOf(id))}>
              <bdi>{id}</bdi>
            </a>
            {warnings.length === 0 ? null : (
              <ul class="warn" aria-label={`Warnings of ${id}`}>
                {warnings.map((warning) => (
                  <WarningItem key={warning} invoker={id} warning={warning} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
