import { request, upload } from '../api/request';
import { RemovePictureDocument, UploadPictureDocument } from '../generated/operations';
import { throwUserErrors } from '../parts/form';
import { PictureForm } from '../parts/picture-form';
import type { UserProps } from './details-card';

/** Shows, sets and removes the profile picture of a user. */
export function PictureCard({ user, onChange }: UserProps) {
  const { databaseId, profilePicture, version, viewerCan } = user;
  const [id, expectedVersion] = [String(databaseId), version];
  const save = async (file: File): Promise<void> => {
    const { userPictureUpload } = await upload(
      UploadPictureDocument,
      { input: { id, expectedVersion, file: null } },
      'input.file',
      file,
    );
    throwUserErrors(userPictureUpload.userErrors);
    if (userPictureUpload.user) onChange(userPictureUpload.user);
  };
  const remove = async (): Promise<void> => {
    const { userPictureRemove } = await request(RemovePictureDocument, { id, expectedVersion });
    throwUserErrors(userPictureRemove.userErrors);
    if (userPictureRemove.user) onChange(userPictureRemove.user);
  };
  return (
    <PictureForm
      title="Profile picture"
      noun="picture"
      url={profilePicture}
      canChange={viewerCan.changePicture}
      save={save}
      remove={remove}
    />
  );
}
