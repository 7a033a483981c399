import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  CreateCategoryDocument,
  DeleteCategoryDocument,
  UpdateCategoryDocument,
} from '../../generated/operations';
import type { CategoryUpdateInput } from '../../generated/operations';
import { formatQuantity } from '../../parts/format';
import { CheckField, SelectField, TextField, textOf, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { Card, Heading } from '../../parts/page';
import { EmptyState, QueryContent } from '../../parts/states';
import { href, route, setQuery } from '../../router';
import { categoryOptions, findNode, flatten } from './category-tree';
import type { CategoryNode } from './category-tree';
import { CategoryTree } from './tree';
import { useCategories } from './use-categories';

const MAX_NAME_LENGTH = 128;
const TOP_LEVEL = { value: '', text: 'Top level' };

const selectCategory = (id: number | null): void => setQuery({ category: id }, { replace: true });

/** Creates a category at the top level or in another one. */
function NewCategory({ parent, onChange }: { parent?: CategoryNode; onChange: () => void }) {
  if (!hasPermission.value('CONNECTION:CREATE')) return null;
  const create = async (values: FormData): Promise<void> => {
    const { categoryCreate } = await request(CreateCategoryDocument, {
      input: {
        name: textOf(values, 'name'),
        parentId: parent === undefined ? null : String(parent.category.databaseId),
      },
    });
    throwUserErrors(categoryCreate.userErrors);
    selectCategory(categoryCreate.category?.databaseId ?? null);
    onChange();
  };
  return (
    <FormDialog
      icon="plus"
      text={parent === undefined ? 'New category' : 'New subcategory'}
      submitText="Create category"
      submit={create}
    >
      <TextField label="Name" name="name" maxLength={MAX_NAME_LENGTH} isRequired />
    </FormDialog>
  );
}

interface NodeProps {
  readonly node: CategoryNode;
  readonly onChange: () => void;
}

async function update(
  { category: { databaseId, version } }: CategoryNode,
  change: Pick<CategoryUpdateInput, 'name' | 'parentId'>,
): Promise<void> {
  const { categoryUpdate } = await request(UpdateCategoryDocument, {
    input: { id: String(databaseId), expectedVersion: version, ...change },
  });
  throwUserErrors(categoryUpdate.userErrors);
}

function Rename({ node, onChange }: NodeProps) {
  const rename = async (values: FormData): Promise<void> => {
    await update(node, { name: textOf(values, 'name') });
    onChange();
  };
  return (
    <FormDialog icon="edit" text="Rename" title="Rename category" submit={rename}>
      <TextField
        label="Name"
        name="name"
        value={node.category.name}
        maxLength={MAX_NAME_LENGTH}
        isRequired
      />
    </FormDialog>
  );
}

function Move({ node, nodes, onChange }: NodeProps & { nodes: readonly CategoryNode[] }) {
  const inside = new Set(flatten([node]).map(({ category }) => String(category.databaseId)));
  const options = categoryOptions(nodes).filter(({ value }) => !inside.has(value));
  const move = async (values: FormData): Promise<void> => {
    await update(node, { parentId: textOf(values, 'parentId') || null });
    onChange();
  };
  return (
    <FormDialog icon="right" text="Move" title="Move category" submit={move}>
      <SelectField
        label="Into"
        name="parentId"
        value={String(node.category.parent?.databaseId ?? '')}
        options={[TOP_LEVEL, ...options]}
      />
    </FormDialog>
  );
}

function Delete({ node, onChange }: NodeProps) {
  const { databaseId, name, version } = node.category;
  const inside = flatten(node.children);
  const workflowCount = flatten([node]).reduce(
    (sum, { category }) => sum + category.workflows.totalCount,
    0,
  );
  const remove = async (values: FormData): Promise<void> => {
    const { categoryDelete } = await request(DeleteCategoryDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        cascade: values.has('cascade'),
      },
    });
    throwUserErrors(categoryDelete.userErrors);
    selectCategory(null);
    onChange();
  };
  const contents = [
    inside.length === 0 ? '' : formatQuantity(inside.length, 'subcategory', 'subcategories'),
    workflowCount === 0
      ? ''
      : `${formatQuantity(workflowCount, 'workflow', 'workflows')} with schedules and versions`,
  ].filter(Boolean);
  return (
    <FormDialog icon="cross" text="Delete" title="Delete category" submit={remove}>
      <p>
        Delete the category <bdi>{name}</bdi>?
      </p>
      {contents.length === 0 ? null : (
        <>
          <p class="quiet">
            Its workflows stay without a category, and its subcategories move to the top level,
            unless you delete them as well.
          </p>
          <CheckField label={`Also delete ${contents.join(' and ')}`} name="cascade" />
        </>
      )}
    </FormDialog>
  );
}

/** The selected category, with what can be done with it. */
function SelectedCategory({
  node,
  nodes,
  onChange,
}: NodeProps & { nodes: readonly CategoryNode[] }) {
  const { databaseId, name, parent, workflows, viewerCan } = node.category;
  return (
    <Card title={name}>
      {parent === null ? null : (
        <p class="quiet">
          <bdi>{node.path}</bdi>
        </p>
      )}
      <p>
        <a href={href('workflows', { category: databaseId })}>
          {formatQuantity(workflows.totalCount, 'workflow', 'workflows')}
        </a>
      </p>
      <div class="form-buttons">
        <NewCategory parent={node} onChange={onChange} />
        {viewerCan.update ? (
          <>
            <Rename node={node} onChange={onChange} />
            <Move node={node} nodes={nodes} onChange={onChange} />
          </>
        ) : null}
        {viewerCan.delete ? <Delete node={node} onChange={onChange} /> : null}
      </div>
    </Card>
  );
}

/** All categories of workflows as a tree. The URL holds the selected one. */
export function Categories() {
  const query = useCategories();
  const selectedId = route.value.query.get('category');
  return (
    <>
      <Heading title="Categories">
        <NewCategory onChange={query.reload} />
      </Heading>
      <QueryContent
        query={query}
        name="categories"
        isEmpty={(nodes) => nodes.length === 0}
        empty={
          <EmptyState icon="empty" title="No categories">
            Categories are folders for workflows. Create one, and move workflows into it from their
            list.
          </EmptyState>
        }
      >
        {(nodes) => {
          const node = findNode(nodes, selectedId) ?? nodes[0];
          return (
            <div class="tree-columns">
              <section class="card" aria-label="Categories">
                <CategoryTree nodes={nodes} selected={node ?? null} onSelect={selectCategory} />
              </section>
              {node === undefined ? null : (
                <SelectedCategory node={node} nodes={nodes} onChange={query.reload} />
              )}
            </div>
          );
        }}
      </QueryContent>
    </>
  );
}
