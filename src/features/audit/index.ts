import type { Feature } from '../../platform/feature';
import { AuditResolver } from './audit.graphql';

export const auditFeature: Feature = {
  resolvers: [AuditResolver],
};
