import { z } from 'zod';
import type { Presenters } from '../../platform/http/presenters';
import { refusedRoutes } from '../../platform/http/refused-routes';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { TEMPLATE_VERSION } from '../templates/template.presenter';
import { assistantPolicy } from './assistant.policy';

const route = routesTagged('Update assistant');

/** Updates that an assistant could install. There are none: the operator installs them. */
const Updates = z.array(
  z
    .object({
      name: z.string(),
      status: z.enum(['old', 'current', 'available']),
      changelogLink: z.string(),
      instruction: z.string().meta({ description: 'HTML.' }),
    })
    .meta({ id: 'Update' }),
);

const updateLists = (): Route[] =>
  ['online', 'offline'].map((kind) =>
    route({
      method: 'get',
      path: `/assistant/oc/${kind}/version/all`,
      needs: assistantPolicy.read,
      summary: `Updates of the kind ${kind} that could be installed here: none`,
      description: 'For released clients.',
      answer: Updates,
      handle: () => Promise.resolve([]),
    }),
  );

/** What clients offer to do with an update. All of it is refused. */
const INSTALLATIONS = [
  ['get', '/assistant/oc/online/version/:name/download', 'Downloads an update'],
  ['post', '/assistant/oc/update', 'Installs an update'],
  ['post', '/assistant/oc/migrate', 'Installs an update'],
  ['post', '/assistant/zipfile', 'Uploads an update'],
  ['delete', '/assistant/zipfile/:name', 'Deletes an uploaded update'],
] as const;

/** The update assistant of the released clients. */
export const assistantRoutes = ({ exists }: Pick<Presenters, 'exists'>): Route[] => [
  route({
    method: 'get',
    path: '/assistant/oc/version',
    needs: assistantPolicy.read,
    probe: true,
    summary: 'The released version whose workflows and templates the service writes',
    description:
      'The 4.x client requests it every five seconds to see whether its session is still valid; this does not keep the session from going idle. It offers to convert templates of other versions. The version of the service is in `/actuator/health`.',
    answer: z.object({ version: z.string() }).meta({ id: 'AssistantVersion' }),
    handle: () => Promise.resolve({ version: TEMPLATE_VERSION }),
  }),
  route({
    method: 'get',
    path: '/assistant/oc/installation',
    needs: assistantPolicy.read,
    summary: 'The kind of installation: always `sources`',
    description: 'For released clients, whose pages open only for this kind.',
    answer: z.object({ type: z.literal('sources') }).meta({ id: 'AssistantInstallation' }),
    handle: () => Promise.resolve({ type: 'sources' }),
  }),
  route({
    method: 'get',
    path: '/assistant/oc/restart/file/exists',
    needs: assistantPolicy.read,
    summary: 'Whether a script can restart the service after an update: never',
    description: 'For the 4.x client.',
    answer: exists.result.answer,
    handle: () => Promise.resolve(exists.result(false)),
  }),
  ...updateLists(),
  ...refusedRoutes(route, INSTALLATIONS, {
    needs: assistantPolicy.update,
    description: 'For released clients. The operator of the service installs updates.',
    code: 'UPDATE_NOT_SUPPORTED',
    message: 'The operator of the service installs updates. They cannot be started here.',
  }),
];
