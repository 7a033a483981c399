import { z } from 'zod';
import type { Services } from '../../platform/context';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerMoment } from '../../platform/http/scalars';
import { systemSettingPolicy } from './system-setting.policy';
import { MAX_VALUE_BYTES, SYSTEM_SETTINGS } from './system-setting.service';
import type { SystemSetting } from './system-setting.service';

const route = routesTagged('System settings');

const SystemSettingBody = z
  .object({
    name: z.enum(SYSTEM_SETTINGS),
    value: z.unknown().meta({ description: 'Any JSON, as it was saved.' }),
    updatedAt: AnswerMoment,
  })
  .meta({ id: 'SystemSetting' });

const SystemSettingInput = z
  .object({
    value: z.json().meta({ description: `Any JSON of at most ${MAX_VALUE_BYTES} bytes.` }),
  })
  .meta({ id: 'SystemSettingInput' });

const params = z.object({
  name: z.string().meta({ description: `One of ${SYSTEM_SETTINGS.join(', ')}.` }),
});

const present = ({ name, value, updatedAt }: SystemSetting) => ({
  name,
  value,
  updatedAt: updatedAt.getTime(),
});

const common = {
  params,
  description: 'For the 5.x client.',
} as const;

/** The appearance of the 5.x client for all users. */
export const systemSettingRoutes = ({
  systemSettings,
}: Pick<Services, 'systemSettings'>): Route[] => [
  route('GET /system-setting/:name', {
    ...common,
    needs: systemSettingPolicy.read,
    summary: 'A system setting; 404 if its default applies',
    answer: SystemSettingBody,
    errors: ['SYSTEM_SETTING_NOT_FOUND'],
    handle: async ({ params: { name } }) => present(await systemSettings.get(name)),
  }),
  route('PUT /system-setting/:name', {
    ...common,
    needs: systemSettingPolicy.change,
    summary: 'Sets a system setting',
    body: SystemSettingInput,
    example: { body: { value: {} } },
    answer: SystemSettingBody,
    errors: ['SYSTEM_SETTING_NOT_FOUND'],
    handle: async ({ actor, params: { name }, body }) =>
      present(await systemSettings.set(actor, name, body.value)),
  }),
  route('DELETE /system-setting/:name', {
    ...common,
    needs: systemSettingPolicy.change,
    summary: 'Resets a system setting to its default',
    success: 204,
    errors: ['SYSTEM_SETTING_NOT_FOUND'],
    handle: async ({ actor, params: { name } }) => systemSettings.reset(actor, name),
  }),
];
