import { getPrioritySettings, type PrioritySettings } from '@bancone/contract/priority'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useDocumentTitle } from '../../../lib/use-document-title.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { DisplaysSection } from './displays-section.tsx'
import { SettingsForm } from './settings-form.tsx'

/** How the pharmacy uses priority access: owners change it, others read it. */
export function SettingsPage({ isOwner }: { isOwner: boolean }) {
  useDocumentTitle('Impostazioni Priority')
  const query = useEndpoint(getPrioritySettings, {}, { refetchOnWindowFocus: false })
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5">
      <PageTitle>Impostazioni Priority</PageTitle>
      <QueryStates query={query} skeleton={<SettingsSkeleton />}>
        {(settings) =>
          isOwner ? <SettingsForm settings={settings} /> : <SettingsFacts settings={settings} />
        }
      </QueryStates>
      <DisplaysSection isOwner={isOwner} />
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <Loading
      text="Caricamento delle impostazioni in corso…"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <Skeleton shape="control" className="h-12 w-full" />
      <Skeleton shape="control" className="h-12 w-full" />
      <Skeleton shape="control" className="h-24 w-full" />
    </Loading>
  )
}

/** How the pharmacy uses priority access, for those who cannot change it. */
function SettingsFacts({ settings }: { settings: PrioritySettings }) {
  const facts = [
    ['Giorni di validità del link', formatNumber(settings.linkDays)],
    ["Minuti dopo i quali un'attesa è lunga", formatNumber(settings.lateMinutes)],
    ['Crea il link da solo', settings.issueOnStatus ?? 'Mai'],
    ['Messaggio WhatsApp', settings.message],
  ] as const
  return (
    <section
      aria-label="Impostazioni"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <p className="text-sm text-muted">Le impostazioni le cambiano i titolari della farmacia.</p>
      <dl className="flex flex-col gap-3">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
