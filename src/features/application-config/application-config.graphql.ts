import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { applicationConfigPolicy } from './application-config.policy';
import {
  ApplicationConfigChangePayload,
  ApplicationConfigRestoreInput,
  ApplicationConfigType,
  ApplicationConfigUpdateInput,
  ConfigBackupDetailsType,
  ConfigBackupType,
  ServiceRestartInput,
  ServiceRestartPayload,
} from './application-config.types';
import type { ConfigFieldType } from './application-config.types';
import type { ConfigBackup } from './config-files';
import type { ShownNode } from './shown-config';

/** Lists all nodes, parents first. */
function flattened(
  nodes: readonly ShownNode[],
  parentPath: string | null = null,
): ConfigFieldType[] {
  return nodes.flatMap(({ key, path, status, children, value, secret, comments, setting }) => [
    {
      key,
      path,
      parentPath,
      status,
      isBlock: children !== undefined,
      isSecret: secret,
      value: value ?? null,
      comments,
      setting: setting ?? null,
    },
    ...flattened(children ?? [], path),
  ]);
}

@Resolver()
export class ApplicationConfigResolver {
  @Query(() => ApplicationConfigType, {
    description:
      'The configuration file. Requires the master password in `X-Master-Password` if one is configured.',
  })
  @Needs(applicationConfigPolicy.read)
  async applicationConfig(
    @Ctx() { actor, services, origin }: GraphqlContext,
  ): Promise<ApplicationConfigType> {
    const config = await services.applicationConfig.read(actor, origin);
    return {
      ...config,
      fields: flattened(config.fields),
      settings: services.applicationConfig.settings,
      canRestart: services.applicationConfig.canRestart,
    };
  }

  @Query(() => [ConfigBackupType], {
    description:
      'Backups of the configuration file, newest first. Requires the master password if one is configured.',
  })
  @Needs(applicationConfigPolicy.read)
  applicationConfigBackups(
    @Ctx() { actor, services, origin }: GraphqlContext,
  ): Promise<readonly ConfigBackup[]> {
    return services.applicationConfig.backups(actor, origin);
  }

  @Query(() => ConfigBackupDetailsType, {
    description:
      'A backup of the configuration file. Requires the master password if one is configured.',
  })
  @Needs(applicationConfigPolicy.read)
  async applicationConfigBackup(
    @Arg('name', () => String, { description: 'Name of the backup.' }) name: string,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ): Promise<ConfigBackupDetailsType> {
    const backup = await services.applicationConfig.readBackup(actor, origin, name);
    return { ...backup, fields: flattened(backup.fields) };
  }

  @Mutation(() => ApplicationConfigChangePayload, {
    description:
      'Changes keys of the configuration file; everything else in it stays. The changes take effect after a restart. Requires the master password if one is configured.',
  })
  @Needs(applicationConfigPolicy.update)
  applicationConfigUpdate(
    @Arg('input', () => ApplicationConfigUpdateInput, { description: 'The changes.' })
    input: ApplicationConfigUpdateInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    const fields = input.fields.map(({ path, key, status, value }) => ({
      path,
      key: key ?? undefined,
      status: status ?? undefined,
      value,
    }));
    return payload('result', () =>
      services.applicationConfig.update(actor, origin, { fields, revision: input.revision }),
    );
  }

  @Mutation(() => ApplicationConfigChangePayload, {
    description:
      'Puts a backup in the place of the configuration file, which is backed up before. Requires the master password if one is configured.',
  })
  @Needs(applicationConfigPolicy.update)
  applicationConfigRestore(
    @Arg('input', () => ApplicationConfigRestoreInput, { description: 'The backup.' })
    input: ApplicationConfigRestoreInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    return payload('result', () => services.applicationConfig.restore(actor, origin, input));
  }

  @Mutation(() => ServiceRestartPayload, {
    description:
      'Restarts the service, so that changes of the configuration file take effect. Runs are interrupted as when it is stopped. Requires a supervisor that is declared with `supervised`, and the master password if one is configured.',
  })
  @ServedOnFullDisk()
  @Needs(applicationConfigPolicy.restart)
  serviceRestart(
    @Arg('input', () => ServiceRestartInput, { description: 'What is restarted.' })
    input: ServiceRestartInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    return payload('restarting', async () => {
      await services.applicationConfig.restart(actor, origin, input.revision);
      return true;
    });
  }
}
