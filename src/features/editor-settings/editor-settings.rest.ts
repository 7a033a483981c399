import { z } from 'zod';
import type { Services } from '../../platform/context';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, BodyId, PathId } from '../../platform/http/scalars';
import { editorSettingsPolicy } from './editor-settings.policy';
import { EDITOR_LIMITS } from './editor-settings.service';
import type { EditorSettings } from './editor-settings.service';

const route = routesTagged('Editor settings');

const colorMode = z
  .string()
  .max(EDITOR_LIMITS.colorMode)
  .refine((text) => text.isWellFormed(), 'This is not well-formed Unicode.');
const processTextSize = z.int().min(EDITOR_LIMITS.minTextSize).max(EDITOR_LIMITS.maxTextSize);

const EditorSettingsBody = z
  .object({
    id: AnswerId.meta({ description: 'The same as the id of the user.' }),
    userId: AnswerId,
    colorMode,
    processTextSize,
  })
  .meta({ id: 'EditorSettings' });

const EditorSettingsInput = z
  .object({
    userId: BodyId.nullish().meta({ description: 'Your own id; optional.' }),
    colorMode,
    processTextSize,
  })
  .meta({ id: 'EditorSettingsInput' });

const present = ({ _id, ...settings }: EditorSettings): z.output<typeof EditorSettingsBody> => ({
  id: _id,
  userId: _id,
  ...settings,
});

/** Settings of the editor of the 4.x client. */
export const editorSettingsRoutes = ({
  editorSettings,
}: Pick<Services, 'editorSettings'>): Route[] => [
  route('GET /editor/settings/user/:userId', {
    needs: editorSettingsPolicy.read,
    owner: ({ userId }) => userId,
    summary: 'The editor settings of a user',
    description: 'For the 4.x client.',
    params: z.object({ userId: PathId }),
    answer: EditorSettingsBody,
    errors: ['EDITOR_SETTINGS_NOT_FOUND'],
    handle: async ({ params }) => present(await editorSettings.get(params.userId)),
  }),
  route('POST /editor/settings', {
    needs: editorSettingsPolicy.replace,
    success: 201,
    summary: 'Replaces your editor settings',
    description: 'For the 4.x client.',
    body: EditorSettingsInput,
    example: { body: { colorMode: 'BACKGROUND', processTextSize: 14 } },
    answer: EditorSettingsBody,
    errors: ['ACCESS_DENIED'],
    handle: async ({ actor, body: { userId, ...settings }, origin }) => {
      const saved = await editorSettings.replace(actor, {
        _id: userId ?? actor.userId,
        ...settings,
      });
      return new Reply(present(saved), {
        Location: `${origin.baseUrl}/api/editor/settings/user/${saved._id}`,
      });
    },
  }),
];
