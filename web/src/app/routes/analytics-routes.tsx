import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { getSupportContact, type SupportContact } from '@bancone/contract/settings'
import {
  Activity,
  ChartColumn,
  ChartLine,
  ChevronLeft,
  Eye,
  FileDown,
  Lock,
  TrendingUp,
} from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { Link, Route, Routes } from 'react-router'
import { ErrorCard, useBack } from '../../features/analytics/access/error-card.tsx'
import { AnalyticsPage } from '../../features/analytics/analytics-page.tsx'
import { AnalyticsSkeleton } from '../../features/analytics/analytics-skeleton.tsx'
import { ApiError } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { page, Titled } from '../page.tsx'
import { type NotLoadedProps, RequireFeature } from './access.tsx'
import { NotFound } from './not-found.tsx'

const ReportPage = page(
  'Report Analytics',
  async () =>
    (await import('../../features/analytics/report/analytics-report-page.tsx')).ReportPage,
)
const SettingsPage = page(
  'Impostazioni Analytics',
  async () =>
    (await import('../../features/analytics/settings/analytics-settings-page.tsx')).SettingsPage,
)

function AnalyticsPages({ pharmacy }: { pharmacy: OwnPharmacy }) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <Routes>
        <Route
          index
          element={
            <Titled title="Analytics">
              <AnalyticsPage pharmacy={pharmacy} />
            </Titled>
          }
        />
        <Route path="report" element={<ReportPage pharmacy={pharmacy} />} />
        <Route path="settings" element={<SettingsPage isOwner={pharmacy.role === 'owner'} />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  )
}

/** The pages of analytics, or why there are none: not yet known, not found out, or not part of the plan. */
export function AnalyticsRoutes() {
  return (
    <RequireFeature
      feature="analytics"
      skeleton={<AnalyticsSkeleton />}
      Failed={AccessError}
      renderRefusal={(pharmacy) => <NotEnabled pharmacy={pharmacy} />}
    >
      {(pharmacy) => <AnalyticsPages pharmacy={pharmacy} />}
    </RequireFeature>
  )
}

const NOT_CHECKED = 'Impossibile verificare i permessi della farmacia'

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Errore sconosciuto'
  return error.code === 'pharmacy.not_found' ? 'Farmacia non trovata' : NOT_CHECKED
}

/** The pharmacy, whose features decide on the access, could not be loaded. */
function AccessError({ error, ...retry }: NotLoadedProps) {
  useDocumentTitle('Analytics')
  const text = textOf(error)
  return (
    <div className="grid flex-1 content-center">
      <ErrorCard
        title={text}
        text={
          text === NOT_CHECKED
            ? 'Controlla la connessione e riprova.'
            : "Riprova tra poco; se non basta, scrivi all'assistenza."
        }
        {...retry}
      />
    </div>
  )
}

const included = [
  { Icon: Eye, text: 'Monitoraggio delle visite alla pagina delle offerte' },
  { Icon: TrendingUp, text: 'Statistiche su ordini e conversioni' },
  { Icon: ChartLine, text: 'Grafici e andamento nel tempo' },
  { Icon: FileDown, text: 'Report esportabili' },
  { Icon: Activity, text: 'Dashboard in tempo reale' },
]

function contactsOf({ email, phone, whatsapp, hours }: SupportContact, pharmacy: OwnPharmacy) {
  const subject = encodeURIComponent(`Analytics per ${pharmacy.name} (${pharmacy.pharmacyCode})`)
  return {
    links: [
      ...(email ? [{ text: email, href: `mailto:${email}?subject=${subject}` }] : []),
      ...(phone ? [{ text: phone, href: `tel:${phone}` }] : []),
      ...(whatsapp
        ? [{ text: 'WhatsApp', href: `https://wa.me/${whatsapp.replace('+', '')}` }]
        : []),
    ],
    hours,
  }
}

/** How one gets another plan: by the people who run the platform. */
function Contacts({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const { data, error } = useEndpoint(getSupportContact, {})
  if (!data) return <p>{error ? "I contatti dell'assistenza non si possono leggere." : '…'}</p>
  const { links, hours } = contactsOf(data, pharmacy)
  if (links.length === 0) {
    return <p>Per cambiare piano scrivi a chi ti ha dato l'accesso a Bancone.</p>
  }
  return (
    <>
      <p>Per cambiare piano contatta l'assistenza:</p>
      <ul className="flex flex-wrap gap-x-4">
        {links.map(({ text, href }) => (
          <li key={href}>
            <a
              href={href}
              className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-accent underline-offset-4 hover:underline"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
      {hours ? <p>{hours}</p> : null}
    </>
  )
}

/** Shown to pharmacies without the feature: what it includes, and how to get it. */
function NotEnabled({ pharmacy }: { pharmacy: OwnPharmacy }) {
  useDocumentTitle('Analytics')
  const id = useId()
  const goBack = useBack()
  const [isUpgrading, setUpgrading] = useState(false)
  return (
    <div className="grid flex-1 content-center py-4">
      <section
        aria-labelledby={id}
        className="mx-auto w-full max-w-xl rounded-card border border-line bg-surface p-5 sm:p-8"
      >
        <div className="flex flex-col items-center text-center">
          <span
            aria-hidden
            className="mb-4 grid size-12 place-items-center rounded-full bg-accent-soft text-accent"
          >
            <Lock className="size-6" />
          </span>
          <h1 id={id} className="text-xl font-medium tracking-tight">
            Analytics Non Disponibile
          </h1>
          <p className="mt-1 text-balance text-muted">
            La funzionalità Analytics non è abilitata per la tua farmacia
          </p>
          <p className="mt-3 inline-flex flex-wrap items-center justify-center gap-2 text-sm text-muted">
            Piano attuale
            <span className="rounded-full border border-line-strong bg-sunken px-2.5 py-0.5 font-medium wrap-anywhere text-ink">
              {pharmacy.planName ?? 'Basic'}
            </span>
          </p>
        </div>
        <div className="mt-6 rounded-card bg-sunken p-4 sm:p-5">
          <h2 className="flex items-center gap-2 text-sm font-medium">
            <ChartColumn aria-hidden className="size-4 text-muted" />
            Cosa include Analytics
          </h2>
          <ul className="mt-3 flex flex-col gap-2.5 text-sm">
            {included.map(({ Icon, text }) => (
              <li key={text} className="flex items-start gap-2.5">
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <div className="mt-6 flex flex-col gap-2 sm:flex-row-reverse sm:justify-start">
          <Button
            look="primary"
            aria-expanded={isUpgrading}
            aria-controls={`${id}-contacts`}
            onClick={() => setUpgrading(!isUpgrading)}
          >
            <TrendingUp aria-hidden />
            Upgrade Piano
          </Button>
          <Link to={paths.dashboardAlias} className={buttonStyle({})}>
            Vai alla Dashboard
          </Link>
          <Button look="quiet" className="sm:mr-auto" onClick={goBack}>
            <ChevronLeft aria-hidden />
            Indietro
          </Button>
        </div>
        <div id={`${id}-contacts`} role="status" className="text-sm text-muted">
          {isUpgrading ? (
            <div className="mt-4 border-t border-line pt-4">
              <Contacts pharmacy={pharmacy} />
            </div>
          ) : null}
        </div>
      </section>
    </div>
  )
}
