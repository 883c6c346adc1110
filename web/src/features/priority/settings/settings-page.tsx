import { getPrioritySettings } from '@bancone/contract/priority'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { DisplaysSection } from './displays-section.tsx'
import { SettingsFacts } from './settings-facts.tsx'
import { SettingsForm } from './settings-form.tsx'

/** How the pharmacy uses priority access: owners change it, others read it. */
export function SettingsPage({ isOwner }: { isOwner: boolean }) {
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
