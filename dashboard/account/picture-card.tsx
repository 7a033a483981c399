import { request, upload } from '../api/request';
import { RemovePictureDocument, UploadPictureDocument } from '../generated/operations';
import { Action } from '../parts/action';
import { Field } from '../parts/fields';
import { Form, Rejected, throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import type { UserProps } from './details-card';

/** Behind a proxy, the service may name another origin than that of this page. */
const addressOfPicture = (url: string): string => new URL(url, location.href).pathname;

/** Shows, sets and removes the profile picture of a user. */
export function PictureCard({ user, onChange }: UserProps) {
  const { databaseId, profilePicture, version, viewerCan } = user;
  const [id, expectedVersion] = [String(databaseId), version];
  const save = async (values: FormData): Promise<void> => {
    const file = values.get('file');
    if (!(file instanceof File) || file.size === 0)
      throw new Rejected([{ message: 'Select a file.', path: ['file'] }]);
    const { userPictureUpload } = await upload(
      UploadPictureDocument,
      { input: { id, expectedVersion, file: null } },
      'input.file',
      file,
    );
    throwUserErrors(userPictureUpload.userErrors);
    if (userPictureUpload.user) onChange(userPictureUpload.user);
    notify('The picture was saved.');
  };
  const remove = async (): Promise<void> => {
    const { userPictureRemove } = await request(RemovePictureDocument, { id, expectedVersion });
    throwUserErrors(userPictureRemove.userErrors);
    if (userPictureRemove.user) onChange(userPictureRemove.user);
    notify('The picture was removed.');
  };
  if (profilePicture === null && !viewerCan.changePicture) return null;
  return (
    <Card
      title="Profile picture"
      aside={
        profilePicture !== null && viewerCan.changePicture ? (
          <Action icon="cross" text="Remove picture" run={remove} />
        ) : null
      }
    >
      <div class="picture">
        {profilePicture === null ? null : (
          <img
            src={addressOfPicture(profilePicture)}
            alt="Profile picture"
            width={96}
            height={96}
          />
        )}
        {viewerCan.changePicture ? (
          <Form label="Profile picture" submitText="Upload picture" submit={save} clears>
            <Field label="PNG, JPEG, GIF or WebP">
              <input type="file" name="file" accept="image/png,image/jpeg,image/gif,image/webp" />
            </Field>
          </Form>
        ) : null}
      </div>
    </Card>
  );
}
