import type { Feature } from '../../feature';
import { editorSettingsRoutes } from './editor-settings.rest';
import { EditorSettingsService } from './editor-settings.service';

export const editorSettingsFeature: Feature = {
  services: { editorSettings: ({ core: { store } }) => new EditorSettingsService(store) },
  tags: { 'Editor settings': 'How users of the 4.x client see the editor.' },
  routes: ({ services }) => editorSettingsRoutes(services),
};
