import { getSettings } from '@bancone/contract/settings'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { AirtableLoadSection } from './airtable-load-section.tsx'
import { BackupsSection } from './backups/backups-section.tsx'
import { NoticeForm } from './notice-form.tsx'
import { OrderRetentionForm } from './order-retention-form.tsx'
import { PlanDefaultsForm } from './plan-defaults-form.tsx'
import { PrivacySection } from './privacy-section.tsx'
import { RetentionForm } from './retention-form.tsx'
import { ServicesSection } from './services-section.tsx'
import { SupportContactForm } from './support-contact-form.tsx'

/** What administrators set for the whole platform, and the state of outside services. */
export function SettingsPage() {
  useDocumentTitle('Impostazioni')
  const query = useEndpoint(getSettings, {})
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Impostazioni</PageTitle>
      <ServicesSection />
      <AirtableLoadSection />
      <BackupsSection />
      <QueryStates query={query} skeleton={<FormsSkeleton />}>
        {({
          notice,
          support,
          retention,
          order_retention: orderRetention,
          plan_defaults: planDefaults,
        }) => (
          <>
            <NoticeForm loaded={notice} />
            <SupportContactForm loaded={support} />
            <RetentionForm loaded={retention} />
            <OrderRetentionForm loaded={orderRetention} />
            <PlanDefaultsForm loaded={planDefaults} />
          </>
        )}
      </QueryStates>
      <PrivacySection />
    </div>
  )
}

function FormsSkeleton() {
  return (
    <Loading className="flex flex-col gap-4 md:gap-5">
      {['h-72', 'h-64', 'h-52', 'h-56', 'h-44'].map((height) => (
        <Skeleton key={height} shape="pill" className={height} />
      ))}
    </Loading>
  )
}
