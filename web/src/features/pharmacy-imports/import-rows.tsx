import {
  listImportRows,
  type PharmacyImport,
  type RowOutcome,
} from '@bancone/contract/pharmacy-imports'
import { keepPreviousData } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { ImportRowList } from './import-row-list.tsx'
import { rowCount } from './import-texts.ts'

const PAGE_SIZE = 50
const POLL_MS = 3_000

type ImportRowsProps = {
  run: PharmacyImport
  /** The rows that are shown; empty for all. */
  outcome: RowOutcome | ''
  page: number
  onPage: (page: number) => void
}

/** The rows of an import, with what they mean. */
export function ImportRows({ run, outcome, page, onPage }: ImportRowsProps) {
  const query = useEndpoint(
    listImportRows,
    {
      params: { importId: run.id },
      query: { page, pageSize: PAGE_SIZE, ...(outcome !== '' && { outcome }) },
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: run.state === 'running' ? POLL_MS : false,
    },
  )

  function go(next: number) {
    onPage(next)
    window.scrollTo({ top: 0 })
  }

  return (
    <QueryStates
      query={query}
      title="Errore nel caricamento delle righe"
      skeleton={<CardListSkeleton text="Caricamento delle righe in corso…" />}
    >
      {({ rows, pagination: { totalPages, totalRecords } }) =>
        rows.length === 0 ? (
          <EmptyList icon={<FileSpreadsheet />} title="Nessuna riga">
            In questo file non c'è nessuna riga con questo esito.
          </EmptyList>
        ) : (
          <>
            <ImportRowList rows={rows} state={run.state} />
            <ListPages
              label="Pagine delle righe"
              text={rowCount(totalRecords)}
              page={page}
              pages={totalPages}
              onPage={go}
            />
          </>
        )
      }
    </QueryStates>
  )
}
