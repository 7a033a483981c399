import type { TestService } from '../service/harness';
import type { Calls } from './rest-calls';
import { refused } from './refused';
import type { Refusal } from './refused';

/** What released clients offer and this product does not have: refused with this code for everyone. */
export const ALWAYS_REFUSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'GET /api/subs/free/activate',
      'POST /api/subs/activate/license',
      'POST /api/subs/{subId}',
      'DELETE /api/subs/{subId}',
      'POST /api/extra-ops',
    ].map((name) => [name, 'LICENCE_NOT_NEEDED']),
  ),
  ...Object.fromEntries(
    [
      'GET /api/assistant/oc/online/version/{name}/download',
      'POST /api/assistant/oc/update',
      'POST /api/assistant/oc/migrate',
      'POST /api/assistant/zipfile',
      'DELETE /api/assistant/zipfile/{name}',
    ].map((name) => [name, 'UPDATE_NOT_SUPPORTED']),
  ),
};

/** Requests for what only released clients use: successful, except for those always refused. */
export function releasedClientCalls(service: TestService): Calls {
  const setting = '/api/system-setting/theme_colors';
  const set = (): Promise<unknown> =>
    service.api('PUT', setting, { body: { value: { primary: '#0a0' } } });
  return {
    ...Object.fromEntries(
      [
        'subs/active',
        'subs/all',
        'subs/connection/check',
        'subs/activation/request/generate',
        'sync-history/status',
        'assistant/oc/version',
        'assistant/oc/installation',
        'assistant/oc/restart/file/exists',
        'assistant/oc/online/version/all',
        'assistant/oc/offline/version/all',
      ].map((path) => [`GET /api/${path}`, () => ({ path: `/api/${path}` })]),
    ),
    'GET /api/assistant/changelog/file/{name}': () => ({
      path: '/api/assistant/changelog/file/5.0',
    }),
    ...Object.fromEntries(
      Object.keys(ALWAYS_REFUSED).map((name) => {
        const [, path = ''] = name.split(' ');
        return [name, () => ({ path: path.replace(/\{\w+\}/, 'none') })];
      }),
    ),
    'GET /api/oidc/info': () => ({ path: '/api/oidc/info', token: null }),
    'GET /api/subs/operation/usage': () => ({
      path: '/api/subs/operation/usage?page=0&size=5&startDate=2026-01-01&endDate=',
    }),
    'GET /api/subs/operation/usage/{usageId}/details': () => ({
      path: '/api/subs/operation/usage/1/details?page=0&size=5&sort=startDate,desc',
    }),
    'GET /api/editor/settings/user/{userId}': async () => {
      await service.api('POST', '/api/editor/settings', {
        body: { colorMode: 'BACKGROUND', processTextSize: 14 },
      });
      return { path: '/api/editor/settings/user/1' };
    },
    'POST /api/editor/settings': () => ({
      path: '/api/editor/settings',
      body: { userId: 1, colorMode: 'BACKGROUND', processTextSize: 14 },
    }),
    'GET /api/system-setting/{name}': async () => {
      await set();
      return { path: setting };
    },
    'PUT /api/system-setting/{name}': () => ({ path: setting, body: { value: ['any', 1, null] } }),
    'DELETE /api/system-setting/{name}': () => ({ path: setting }),
  };
}

export const RELEASED_CLIENT_REFUSALS: readonly Refusal[] = [
  refused(404, 'EDITOR_SETTINGS_NOT_FOUND', 'GET /api/editor/settings/user/{userId}'),
  refused(404, 'SYSTEM_SETTING_NOT_FOUND', 'GET /api/system-setting/{name}', undefined, 'app_logo'),
  ...(['PUT', 'DELETE'] as const).map((method) =>
    refused(
      404,
      'SYSTEM_SETTING_NOT_FOUND',
      `${method} /api/system-setting/{name}`,
      method === 'PUT' ? { value: 1 } : undefined,
      'none',
    ),
  ),
];
