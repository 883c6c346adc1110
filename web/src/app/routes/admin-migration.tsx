import { getMigrationRun } from '@bancone/contract/migration-runs'
import { getMigrationDetail, type MigrationDetail } from '@bancone/contract/orders-migration'
import { paths } from '@bancone/contract/pages'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { z } from 'zod/mini'
import {
  MigrationDialog,
  type MigrationQuestion,
} from '../../features/orders-migration/migration-dialog.tsx'
import { isActive, verifiedText } from '../../features/orders-migration/migration-texts.ts'
import { BackupSection } from '../../features/orders-migration/pharmacy/backup-section.tsx'
import { PhaseSteps } from '../../features/orders-migration/pharmacy/phase-steps.tsx'
import { RunHistory } from '../../features/orders-migration/pharmacy/run-history.tsx'
import { RunPanel } from '../../features/orders-migration/pharmacy/run-panel.tsx'
import {
  ShownRun,
  useMigrationAddress,
} from '../../features/orders-migration/pharmacy/shown-run.tsx'
import { MigrationBadge, RunAnnouncer } from '../../features/orders-migration/run-parts.tsx'
import {
  ACTIVE_POLL_MS,
  IDLE_POLL_MS,
  useMigrationEnds,
} from '../../features/orders-migration/use-migrations.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useNow } from '../../lib/use-now.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'

export function AdminMigration() {
  const { pharmacyId = '' } = useParams()
  return <PharmacyMigrationPage key={pharmacyId} pharmacyId={pharmacyId} />
}

/** The filter of the list from which the page was opened. */
const BackState = z.object({ list: z.string() })

function Header({ detail }: { detail: MigrationDetail }) {
  const now = useNow()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <p className="font-medium wrap-anywhere">
        {detail.name}{' '}
        <span className="font-normal text-muted tabular-nums">{detail.pharmacy_id}</span>
      </p>
      <MigrationBadge badge={detail.badge} />
      <p className="text-sm text-muted">{verifiedText(detail, now)}</p>
    </div>
  )
}

/** The migration of one pharmacy's orders: its run, phases, results and history. */
function PharmacyMigrationPage({ pharmacyId }: { pharmacyId: string }) {
  const query = useEndpoint(
    getMigrationDetail,
    { params: { pharmacyId } },
    {
      refetchInterval: ({ state }) =>
        isActive(state.data?.run ?? null) ? ACTIVE_POLL_MS : IDLE_POLL_MS,
    },
  )
  const latest = query.data?.run ?? null
  useMigrationEnds(useMemo(() => [latest], [latest]))
  const [address, change] = useMigrationAddress()
  const { operazione } = address
  const isLatest = operazione === '' || operazione === latest?.id
  const chosen = useEndpoint(
    getMigrationRun,
    { params: { runId: operazione } },
    { enabled: !isLatest },
  )
  /** How often a run was chosen from the history: its result gets the focus. */
  const [opened, setOpened] = useState(0)
  const title = useRef<HTMLDivElement>(null)
  const asked = useOpened<MigrationQuestion>(title)
  const location = useLocation()
  const [list] = useState(BackState.safeParse(location.state).data?.list ?? '')
  const showLatest = () => change({ operazione: '', righe: '' }, { replace: true })

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div
        ref={title}
        tabIndex={-1}
        className="flex flex-wrap items-center justify-between gap-3 outline-none"
      >
        <PageTitle>Migrazione ordini</PageTitle>
        <Link to={paths.adminMigrations + list} className={buttonStyle({})}>
          Tutte le farmacie
        </Link>
      </div>
      <RunAnnouncer runs={[latest]} />
      <QueryStates
        query={query}
        title="Errore nel caricamento della migrazione"
        skeleton={<CardListSkeleton text="Caricamento della migrazione in corso…" />}
      >
        {(detail) => (
          <>
            <Header detail={detail} />
            <RunPanel detail={detail} onAsk={asked.open} onStarted={showLatest} />
            {isLatest ? (
              detail.run ? (
                <ShownRun run={detail.run} detail={detail} opened={opened} onAsk={asked.open} />
              ) : null
            ) : (
              <QueryStates
                query={chosen}
                title="Errore nel caricamento dell'operazione"
                skeleton={<CardListSkeleton text="Caricamento dell'operazione in corso…" />}
              >
                {(run) => <ShownRun run={run} detail={detail} opened={opened} onAsk={asked.open} />}
              </QueryStates>
            )}
            {detail.hasAirtable ? <PhaseSteps detail={detail} /> : null}
            <BackupSection detail={detail} onAsk={asked.open} />
            <RunHistory
              pharmacyId={pharmacyId}
              latest={detail.run}
              shownId={operazione === '' ? (detail.run?.id ?? '') : operazione}
              page={address.storico}
              onPage={(storico) => change({ storico, page: address.page })}
              onOpen={() => setOpened((count) => count + 1)}
            />
          </>
        )}
      </QueryStates>
      {asked.item ? (
        <MigrationDialog question={asked.item} onStarted={showLatest} {...asked.modal} />
      ) : null}
    </div>
  )
}
