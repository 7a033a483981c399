import { useState } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../../api/hooks';
import { waitForJob } from '../../api/jobs';
import { download, request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  CreateSupportLogDocument,
  DeleteSupportLogDocument,
  MaskingRuleType,
  SupportLogsDocument,
  WatchSupportLogsDocument,
} from '../../generated/operations';
import type { SupportLogsQuery } from '../../generated/operations';
import { WorkflowSearch } from '../../pages/workflow-search';
import { Action } from '../../parts/action';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { saveBlob } from '../../parts/download';
import { formatBytes } from '../../parts/format';
import {
  CheckField,
  enteredText,
  linesOf,
  Rejected,
  TextAreaField,
  throwUserErrors,
} from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { FilterBar, LIST_RELOAD_INTERVAL_MS, ListPage, setFilters } from '../../parts/list-page';
import { notify } from '../../parts/notices';
import { pageVariables } from '../../parts/pager';
import { Time } from '../../parts/runs/times';
import { EmptyState } from '../../parts/states';
import { href, route } from '../../router';

type SupportLog = SupportLogsQuery['supportLogs']['nodes'][number];

const NOUNS = ['support file', 'support files'] as const;

const canRead = (): boolean => ['APP:READ', 'CONNECTION:READ'].every(hasPermission.value);

const COLUMNS: readonly Column<SupportLog>[] = [
  {
    title: 'File',
    cellClass: 'cell-main',
    cell: ({ fileName, workflow, workflowTitle, runs }) => (
      <>
        <b>
          <bdi dir="ltr">{fileName}</bdi>
        </b>
        <span class="line quiet">
          {workflow === null ? (
            <bdi>{workflowTitle}</bdi>
          ) : (
            <a href={href(`workflows/${workflow.databaseId}`)}>
              <bdi>{workflowTitle}</bdi>
            </a>
          )}
          {runs.length === 0 ? ', no runs' : ', runs '}
          {runs.map(({ databaseId }, at) => (
            <>
              {at === 0 ? '' : ', '}
              <a key={databaseId} href={href(`runs/${databaseId}`)}>
                #{databaseId}
              </a>
            </>
          ))}
        </span>
      </>
    ),
  },
  {
    title: 'Size',
    headerClass: 'number',
    cellClass: 'number num nowrap',
    cell: ({ size }) => formatBytes(size),
  },
  {
    title: 'Packed',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ createdAt, createdBy }) => (
      <>
        <Time at={createdAt} />
        <span class="line quiet">
          <bdi>{createdBy.email}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Removed',
    isWideOnly: true,
    cellClass: 'nowrap quiet',
    cell: ({ expiresAt }) => <Time form="relative" at={expiresAt} />,
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: ({ fileName, url }) => (
      <Action
        icon="down"
        text="Download"
        label={`Download ${fileName}`}
        isQuiet
        run={async () => saveBlob(fileName, await download(url))}
      />
    ),
  },
];

/** Packs the logs of a workflow, with progress. */
function CreateSupportLog({ workflow: initial }: { workflow: string | null }) {
  const [workflowId, setWorkflowId] = useState(initial);
  const [percent, setPercent] = useState<number | null>(null);
  const create = async (values: FormData): Promise<void> => {
    if (workflowId === null) throw new Rejected([{ message: 'Select a workflow.', path: [] }]);
    const rules = linesOf(enteredText(values, 'rules')).map((expression) => ({
      type: MaskingRuleType.Regex,
      expression,
    }));
    const { supportLogCreate } = await request(CreateSupportLogDocument, {
      input: { workflowId, rules, execute: values.has('execute') },
    });
    throwUserErrors(supportLogCreate.userErrors);
    setPercent(0);
    try {
      const job = await waitForJob(String(supportLogCreate.job?.databaseId), (changed) =>
        setPercent(changed.percent),
      );
      if (job.state !== 'SUCCEEDED')
        throw new Error(job.error?.message ?? 'The job was cancelled: no file was packed.');
      notify('The support file is ready.');
    } finally {
      setPercent(null);
    }
  };
  return (
    <FormDialog icon="plus" text="New support file" submitText="Pack" submit={create}>
      <p class="quiet">
        Logs of a workflow, for a person who helps you. It contains no credentials and no secrets.
      </p>
      <WorkflowSearch workflow={workflowId} onSelect={setWorkflowId} />
      {hasPermission.value('CONNECTION:UPDATE') ? (
        <CheckField label="Run the workflow first, with a log" name="execute" />
      ) : null}
      <div class="wide-field">
        <TextAreaField
          label="Also hide texts that match, one regular expression in a line"
          name="rules"
          rows={2}
          isCode
        />
      </div>
      <p class="wide-field" role="status">
        {percent === null ? null : (
          <progress max={100} value={percent} aria-label="Progress of packing" />
        )}
      </p>
    </FormDialog>
  );
}

/** Support files: packed logs of workflows. */
export function SupportLogs() {
  const workflow = route.value.query.get('workflow');
  const filter = workflow === null ? {} : { workflow: { eq: workflow } };
  const files = useQuery(SupportLogsDocument, { filter, ...pageVariables() });
  const reload = useThrottle(files.reload, LIST_RELOAD_INTERVAL_MS);
  useSubscription(WatchSupportLogsDocument, {}, { onData: reload, onForbidden: files.reload });
  const remove = async (items: readonly SupportLog[]): Promise<void> => {
    try {
      for (const { databaseId } of items) {
        const { supportLogDelete } = await request(DeleteSupportLogDocument, {
          id: String(databaseId),
        });
        throwUserErrors(supportLogDelete.userErrors);
      }
    } finally {
      files.reload();
    }
  };
  return (
    <ListPage
      title="Support files"
      actions={
        hasPermission.value('APP:CREATE') && canRead() ? (
          <CreateSupportLog key={workflow} workflow={workflow} />
        ) : null
      }
      filters={
        <FilterBar label="Filter support files">
          <WorkflowSearch workflow={workflow} onSelect={(id) => setFilters({ workflow: id })} />
        </FilterBar>
      }
      query={files}
      name="support files"
      connection={({ supportLogs }) => supportLogs}
      nouns={NOUNS}
      empty={
        <EmptyState icon="empty" title="No support files">
          {workflow === null
            ? 'Pack the logs of a workflow to send them to a person who helps you.'
            : 'No results match the filters.'}
        </EmptyState>
      }
    >
      {(items) => (
        <DataTable
          label="Support files"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            hasPermission.value('APP:DELETE')
              ? {
                  name: ({ fileName }) => `support file ${fileName}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      remove={() => remove(selected)}
                    />
                  ),
                }
              : undefined
          }
        />
      )}
    </ListPage>
  );
}
