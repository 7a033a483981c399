import { z } from 'zod';
import type { Services } from '../../platform/context';
import { NotFound } from '../../platform/errors/errors';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams, requiring } from '../../platform/http/scalars';
import { userContext } from './user.presenter';
import { pictureByEmailNeed, userPolicy } from './user.policy';

const route = routesTagged('Files');

/**
 * The content type was detected from the bytes, so sniffing is off; the sandbox keeps an opened
 * file from running scripts. Frontends may be on other origins. File names are never reused, so
 * responses can be cached indefinitely.
 */
const FILE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
} as const;

const pictureRouteContext = (services: Services, { users: shown }: Presenters) => {
  const { pictures, userRecords, users } = services;
  return { shown, pictures, services, userRecords, users };
};
type PictureRouteContext = ReturnType<typeof pictureRouteContext>;

const postStorageProfilePicture = ({ shown, pictures, services }: PictureRouteContext): Route =>
  route('POST /storage/profilePicture', {
    needs: pictureByEmailNeed,
    summary: 'Sets the profile picture of a user',
    description:
      "Needs MYPROFILE:UPDATE for one's own, USER:UPDATE for others. PNG, JPEG, GIF or WebP, detected from the content.",
    upload: { part: 'file' },
    body: requiring(z.object({ email: z.string().optional() }), 'email'),
    invalidAs: 'WRONG_FORMAT',
    answer: shown.one.answer,
    errors: ['USER_NOT_EXIST'],
    record: 'changed',
    handle: async ({ actor, body, file, origin, expectedVersion }) => {
      if (body.email === undefined)
        throw new NotFound('USER_NOT_EXIST', 'The e-mail of the user is missing.', {
          path: ['email'],
        });
      const user = await pictures.setByEmail(
        actor,
        body.email,
        file?.bytes ?? Buffer.alloc(0),
        expectedVersion,
      );
      return recordReply(await shown.one(user, userContext(services, origin)), user);
    },
  });

const deleteUserProfilePicture = ({ userRecords, users }: PictureRouteContext): Route =>
  route('DELETE /user/:id/profilePicture', {
    needs: userPolicy.changePicture,
    summary: 'Removes the profile picture of a user',
    params: IdParams,
    success: 204,
    errors: ['USER_NOT_EXIST'],
    record: 'changed',
    handle: async ({ actor, params, expectedVersion }) => {
      await userRecords.get(params.id);
      return recordReply(
        undefined,
        await users.setPicture(actor, params.id, null, expectedVersion),
      );
    },
  });

const getStorageFilesByName = ({ pictures }: PictureRouteContext): Route =>
  route('GET /storage/files/:name', {
    needs: 'public',
    summary: 'Returns an uploaded image',
    params: z.object({ name: z.string() }),
    produces: 'image/*',
    errors: ['FILE_NOT_FOUND'],
    handle: async ({ params }) => {
      const file = await pictures.uploads.read(params.name);
      if (!file) throw new NotFound('FILE_NOT_FOUND', 'The file does not exist.');
      return new Reply(file.bytes, {
        ...FILE_HEADERS,
        'Content-Type': file.contentType,
        'Content-Disposition': `attachment; filename="${params.name}"`,
      });
    },
  });

export const pictureRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = pictureRouteContext(services, presenters);
  return [postStorageProfilePicture, deleteUserProfilePicture, getStorageFilesByName].map(
    (create) => create(context),
  );
};
