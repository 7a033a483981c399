import { useState } from 'preact/hooks';
import { formatQuantity } from '../../parts/format';
import { Icon } from '../../parts/icon';
import { flatten } from './category-tree';
import type { CategoryNode } from './category-tree';

const elementId = (id: number): string => `category-${id}`;

interface TreeState {
  readonly selected: number | null;
  readonly collapsed: ReadonlySet<number>;
  readonly select: (id: number) => void;
  readonly toggle: (id: number, isOpen: boolean) => void;
}

function Item({ node, level, tree }: { node: CategoryNode; level: number; tree: TreeState }) {
  const { category, children } = node;
  const { databaseId, name, workflows } = category;
  const isOpen = !tree.collapsed.has(databaseId);
  const hasChildren = children.length > 0;
  return (
    <li role="none">
      <div
        id={elementId(databaseId)}
        class="tree-item"
        role="treeitem"
        tabIndex={tree.selected === databaseId ? 0 : -1}
        aria-level={level}
        aria-selected={tree.selected === databaseId}
        aria-expanded={hasChildren ? isOpen : undefined}
        aria-owns={hasChildren && isOpen ? `${elementId(databaseId)}-children` : undefined}
        onClick={() => tree.select(databaseId)}
      >
        <span
          class="tree-arrow"
          aria-hidden="true"
          onClick={() => tree.toggle(databaseId, !isOpen)}
        >
          {hasChildren ? <Icon name={isOpen ? 'down' : 'right'} size={12} /> : null}
        </span>
        <bdi>{name}</bdi>{' '}
        <span class="quiet num">
          {formatQuantity(workflows.totalCount, 'workflow', 'workflows')}
        </span>
      </div>
      {hasChildren && isOpen ? (
        <ul id={`${elementId(databaseId)}-children`} role="group">
          {children.map((child) => (
            <Item key={child.category.databaseId} node={child} level={level + 1} tree={tree} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** Nodes that can be seen, in the order of the page. */
const visibleNodes = (
  nodes: readonly CategoryNode[],
  collapsed: ReadonlySet<number>,
): readonly CategoryNode[] =>
  nodes.flatMap((node) => [
    node,
    ...(collapsed.has(node.category.databaseId) ? [] : visibleNodes(node.children, collapsed)),
  ]);

/**
 * A tree of categories, of which one is selected. Arrow keys move the selection, and open and close
 * a category; Home and End go to the ends.
 */
export function CategoryTree({
  nodes,
  selected,
  onSelect,
}: {
  nodes: readonly CategoryNode[];
  selected: CategoryNode | null;
  onSelect: (id: number) => void;
}) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number, isOpen: boolean): void =>
    setCollapsed(new Set([...collapsed].filter((each) => each !== id).concat(isOpen ? [] : [id])));
  const visible = visibleNodes(nodes, collapsed);
  const at = visible.findIndex((node) => node === selected);
  const focus = (node: CategoryNode | undefined): void => {
    if (node === undefined) return;
    onSelect(node.category.databaseId);
    document.getElementById(elementId(node.category.databaseId))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const node = visible[at];
    if (node === undefined) return;
    const id = node.category.databaseId;
    const isOpen = node.children.length > 0 && !collapsed.has(id);
    if (event.key === 'ArrowDown') focus(visible[at + 1]);
    else if (event.key === 'ArrowUp') focus(visible[at - 1]);
    else if (event.key === 'Home') focus(visible[0]);
    else if (event.key === 'End') focus(visible.at(-1));
    else if (event.key === 'ArrowRight' && isOpen) focus(node.children[0]);
    else if (event.key === 'ArrowRight') toggle(id, true);
    else if (event.key === 'ArrowLeft' && isOpen) toggle(id, false);
    else if (event.key === 'ArrowLeft')
      focus(flatten(nodes).find(({ children }) => children.includes(node)));
    else return;
    event.preventDefault();
  };
  return (
    <ul class="tree" role="tree" aria-label="Categories" onKeyDown={onKeyDown}>
      {nodes.map((node) => (
        <Item
          key={node.category.databaseId}
          node={node}
          level={1}
          tree={{
            selected: selected?.category.databaseId ?? null,
            collapsed,
            select: onSelect,
            toggle,
          }}
        />
      ))}
    </ul>
  );
}
