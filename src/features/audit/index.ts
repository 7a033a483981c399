import { AuditService } from './audit.service';
import type { Feature } from '../../feature';
import { AuditResolver } from './audit.graphql';

export const auditFeature: Feature = {
  services: {
    audit: ({ core, config }) => new AuditService(core, config.audit.retentionDays),
  },
  startRecurring: ({ services }) => services.audit.cleanup.start(),
  stop: ({ services }) => services.audit.cleanup.stop(),
  resolvers: [AuditResolver],
};
