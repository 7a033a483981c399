import { GraphQLError, isNonNullType, Kind } from 'graphql';
import type { FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import type { Authentication, Need } from '../../access/need';
import { guard } from '../../access/need';
import { DomainError } from '../../errors/errors';
import { fragmentsOf } from './document-limits';
import { declaredNeed } from '../schema/needs';
import type { PlanResult } from '../plans/plans';
import { WrittenData } from '../plans/text';
import type { ReadOperation } from './documents';

interface RootField {
  readonly key: string;
  readonly nodes: FieldNode[];
}

/**
 * Returns the errors of an operation if the caller has no permission for any of its root fields:
 * the same that execution would return, before variables are read and the document is validated.
 * Returns null if a root field is allowed, does not exist, has a directive, or has a need that
 * depends on arguments: then validation and the guard of each field decide.
 */
export function checkRootPermissions(
  schema: GraphQLSchema,
  read: ReadOperation,
  authentication: Authentication,
): PlanResult | null {
  const type = schema.getRootType(read.operation.operation);
  const roots = rootFields(read);
  if (!type || !roots || roots.length === 0) return null;
  const fields = type.getFields();
  const errors: GraphQLError[] = [];
  let nullable = true;
  for (const { key, nodes } of roots) {
    const field = fields[nodes[0]?.name.value ?? ''];
    const need = declaredNeed(field?.extensions)?.need;
    const refusal = need === undefined ? null : permissionErrorOf(need, authentication);
    if (!field || !refusal) return null;
    if (!nullable) continue;
    errors.push(new GraphQLError(refusal.message, { nodes, path: [key], originalError: refusal }));
    nullable = !isNonNullType(field.type);
  }
  if (type === schema.getSubscriptionType()) return { errors };
  const data = JSON.stringify(Object.fromEntries(roots.map(({ key }) => [key, null])));
  return { data: nullable ? new WrittenData(data, false) : null, errors };
}

/**
 * Returns why the caller has no permission, whatever the arguments; null if it has, or may have
 * depending on them.
 */
export function permissionErrorOf(need: Need, authentication: Authentication): DomainError | null {
  if (authentication.state === 'signed-in' && typeof need === 'object' && 'own' in need) {
    if (need.own === 'authenticated' || authentication.actor.grants.has(need.own)) return null;
  }
  try {
    guard(need, authentication);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/**
 * Returns the root fields by response name, following each fragment once; null if one may be left
 * out.
 */
function rootFields({ document, operation }: ReadOperation): RootField[] | null {
  const fragments = fragmentsOf(document);
  const followed = new Set<string>();
  const fields = new Map<string, RootField>();
  const collect = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.directives?.length) return false;
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (!fragment || followed.has(selection.name.value)) return fragment !== undefined;
        followed.add(selection.name.value);
        return collect(fragment.selectionSet);
      }
      const key = selection.alias?.value ?? selection.name.value;
      const field = fields.get(key);
      if (field) field.nodes.push(selection);
      else fields.set(key, { key, nodes: [selection] });
      return true;
    });
  return collect(operation.selectionSet) ? [...fields.values()] : null;
}
