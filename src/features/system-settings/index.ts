import type { Feature } from '../../feature';
import { systemSettingRoutes } from './system-setting.rest';
import { SystemSettings } from './system-setting.service';

export const systemSettingsFeature: Feature = {
  services: {
    systemSettings: ({ core, services: { audit } }) => new SystemSettings({ core, audit }),
  },
  tags: { 'System settings': 'The appearance of the 5.x client, for all users.' },
  routes: ({ services }) => systemSettingRoutes(services),
};
