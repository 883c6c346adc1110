import { getAdminStatistics } from '@bancone/contract/administrators'
import type { Response } from '@bancone/contract/endpoint'
import { paths } from '@bancone/contract/pages'
import {
  Building2,
  ChevronRight,
  DatabaseBackup,
  HeartPulse,
  History,
  Layers,
  type LucideIcon,
  Plus,
  Settings,
  Shapes,
} from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { useOwnAdministrator } from '../../features/administrators/own-administrator.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

/** The pages of the administration. */
const cards: readonly { to: string; title: string; text: string; Icon: LucideIcon }[] = [
  {
    to: paths.adminPharmacies,
    title: 'Farmacie',
    text: 'Cerca, modifica, attiva e disattiva le farmacie.',
    Icon: Building2,
  },
  {
    to: paths.adminOverview,
    title: 'Chi ha bisogno di attenzione',
    text: 'Copie ferme, limiti vicini, piani in scadenza.',
    Icon: HeartPulse,
  },
  {
    to: paths.adminPlans,
    title: 'Piani di abbonamento',
    text: 'Prezzi, funzionalità e numero di offerte.',
    Icon: Layers,
  },
  {
    to: paths.adminCategories,
    title: 'Categorie',
    text: 'Le categorie dei prodotti in offerta.',
    Icon: Shapes,
  },
  {
    to: paths.adminNewPharmacy,
    title: 'Nuova farmacia',
    text: 'Crea una farmacia e il suo accesso.',
    Icon: Plus,
  },
  {
    to: paths.adminMigrations,
    title: 'Migrazione ordini',
    text: 'Porta gli ordini da Airtable al database.',
    Icon: DatabaseBackup,
  },
  {
    to: paths.adminAudit,
    title: 'Registro',
    text: 'Chi ha fatto che cosa, e quando.',
    Icon: History,
  },
  {
    to: paths.adminSettings,
    title: 'Impostazioni',
    text: 'Assistenza, privacy, avvisi e stato dei servizi.',
    Icon: Settings,
  },
]

export function AdminDashboard() {
  const { data } = useOwnAdministrator()
  return (
    <div className="flex flex-col gap-5 md:gap-6">
      <div>
        <PageTitle>Dashboard amministratori</PageTitle>
        <p className="mt-1 text-sm wrap-anywhere text-muted">
          Sei nell'area amministratori come {data?.email}
        </p>
      </div>
      <AdminStatistics />
      <ul className="grid grid-cols-1 gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {cards.map(({ to, title, text, Icon }) => (
          <li
            key={to}
            className="relative flex items-center gap-3.5 rounded-card border border-line bg-surface px-4 py-3.5 transition-colors hover:bg-sunken"
          >
            <span
              aria-hidden
              className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent"
            >
              <Icon className="size-5" />
            </span>
            <div className="min-w-0 flex-1">
              <h2 className="font-medium">
                {/* Covers the whole card. */}
                <Link
                  to={to}
                  className="before:absolute before:inset-0 before:rounded-card focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:outline-offset-2 focus-visible:before:outline-(--c-focus)"
                >
                  {title}
                </Link>
              </h2>
              <p className="text-sm text-pretty text-muted">{text}</p>
            </div>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
          </li>
        ))}
      </ul>
    </div>
  )
}

const counters: readonly {
  count: keyof Response<typeof getAdminStatistics>
  label: string
  to: string
}[] = [
  { count: 'pharmacies', label: 'Farmacie totali', to: paths.adminPharmacies },
  { count: 'activePharmacies', label: 'Farmacie attive', to: paths.adminPharmacies },
  { count: 'categories', label: 'Categorie', to: paths.adminCategories },
  { count: 'plans', label: 'Piani di abbonamento', to: paths.adminPlans },
]

const grid = 'grid grid-cols-2 gap-2.5 lg:grid-cols-4'
const card = 'rounded-card border border-line bg-surface px-4 py-3'

function Counters({ statistics }: { statistics: Response<typeof getAdminStatistics> }) {
  const id = useId()
  return (
    <dl className={grid}>
      {counters.map(({ count, label, to }) => (
        <div key={count} className={`relative transition-colors hover:bg-sunken ${card}`}>
          <dt id={`${id}-${count}`} className="text-sm text-muted">
            {label}
          </dt>
          <dd className="text-2xl font-medium tracking-tight tabular-nums">
            <span id={`${id}-${count}-number`}>{formatNumber(statistics[count])}</span>
            {/* Covers the whole card. */}
            <Link
              to={to}
              aria-labelledby={`${id}-${count} ${id}-${count}-number`}
              className="absolute inset-0 rounded-[inherit]"
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** How many pharmacies, categories and plans there are; each number leads to their list. */
function AdminStatistics() {
  const query = useEndpoint(getAdminStatistics, {})
  return (
    <QueryStates
      query={query}
      title="Errore nel caricamento delle statistiche"
      skeleton={
        <Loading text="Caricamento delle statistiche in corso…" className={grid}>
          {counters.map(({ count }) => (
            <div key={count} className={card}>
              <Skeleton className="my-1 h-3.5 w-24" />
              <Skeleton className="mt-3 mb-1 h-6 w-12" />
            </div>
          ))}
        </Loading>
      }
    >
      {(statistics) => <Counters statistics={statistics} />}
    </QueryStates>
  )
}
