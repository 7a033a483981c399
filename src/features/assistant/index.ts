import type { Feature } from '../../feature';
import { assistantRoutes } from './assistant.rest';

export const assistantFeature: Feature = {
  tags: { 'Update assistant': 'For released clients. The operator installs updates.' },
  routes: ({ presenters }) => assistantRoutes(presenters),
};
