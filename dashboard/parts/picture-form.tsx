import { Action } from './action';
import { Field } from './fields';
import { Form, Rejected } from './form';
import { notify } from './notices';
import { Card } from './page';

/** Behind a proxy, the service may name another origin than that of this page. */
export const addressOfPicture = (url: string): string => new URL(url, location.href).pathname;

/** Returns the file of a form. @throws Rejected if none is selected */
export function selectedFile(values: FormData, name = 'file'): File {
  const file = values.get(name);
  if (file instanceof File && file.size > 0) return file;
  throw new Rejected([{ message: 'Select a file.', path: [name] }]);
}

/**
 * A card that shows, sets and removes a picture; nothing without a picture for users who may not
 * set one.
 * @param props.noun in buttons and messages: `picture`
 */
export function PictureForm({
  title,
  noun,
  url,
  canChange,
  save,
  remove,
}: {
  title: string;
  noun: string;
  url: string | null;
  canChange: boolean;
  save: (file: File) => Promise<void>;
  remove: () => Promise<void>;
}) {
  const submit = async (values: FormData): Promise<void> => {
    await save(selectedFile(values));
    notify(`The ${noun} was saved.`);
  };
  const removeAndNotify = async (): Promise<void> => {
    await remove();
    notify(`The ${noun} was removed.`);
  };
  if (url === null && !canChange) return null;
  return (
    <Card
      title={title}
      aside={
        url !== null && canChange ? (
          <Action icon="cross" text={`Remove ${noun}`} run={removeAndNotify} />
        ) : null
      }
    >
      <div class="picture">
        {url === null ? null : (
          <img src={addressOfPicture(url)} alt={title} width={96} height={96} />
        )}
        {canChange ? (
          <Form label={title} submitText={`Upload ${noun}`} submit={submit} clears>
            <Field label="PNG, JPEG, GIF or WebP">
              <input type="file" name="file" accept="image/png,image/jpeg,image/gif,image/webp" />
            </Field>
          </Form>
        ) : null}
      </div>
    </Card>
  );
}
