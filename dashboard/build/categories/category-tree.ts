import type { CategoryRowFragment } from '../../generated/operations';
import type { Option } from '../../parts/fields';

/** A category with its subcategories, by name. */
export interface CategoryNode {
  readonly category: CategoryRowFragment;
  /** Names from the top level to this category: `Sales / Orders`. */
  readonly path: string;
  readonly children: readonly CategoryNode[];
}

/** @param categories all of them, by name */
export function buildTree(categories: readonly CategoryRowFragment[]): readonly CategoryNode[] {
  const byParent = new Map<number | null, CategoryRowFragment[]>();
  for (const category of categories) {
    const parentId = category.parent?.databaseId ?? null;
    byParent.set(parentId, [...(byParent.get(parentId) ?? []), category]);
  }
  const nodesOf = (parentId: number | null, prefix: string): readonly CategoryNode[] =>
    (byParent.get(parentId) ?? []).map((category) => {
      const path = prefix + category.name;
      return { category, path, children: nodesOf(category.databaseId, `${path} / `) };
    });
  return nodesOf(null, '');
}

/** Returns nodes and everything in them, each before its children. */
export const flatten = (nodes: readonly CategoryNode[]): readonly CategoryNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

export const findNode = (nodes: readonly CategoryNode[], id: string | null): CategoryNode | null =>
  flatten(nodes).find(({ category }) => String(category.databaseId) === id) ?? null;

/** Categories as options of a menu, by their paths. */
export const categoryOptions = (nodes: readonly CategoryNode[]): readonly Option[] =>
  flatten(nodes).map(({ category, path }) => ({ value: String(category.databaseId), text: path }));
