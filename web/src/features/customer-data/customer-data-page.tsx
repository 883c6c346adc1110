import type { CustomerDataCounts } from '@bancone/contract/customer-data'
import { useState } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'
import { CustomerResult } from './customer-result.tsx'
import { HeldOrdersSection } from './held-orders-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SearchForm } from './search-form.tsx'

/**
 * What the pharmacy keeps of a customer, when the customer asks for it, and for how long. What is found of a customer does
 * not outlive the page.
 */
export function CustomerDataPage() {
  const [found, setFound] = useState<CustomerDataCounts | null>(null)
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Dati dei clienti</PageTitle>
      <div className="flex flex-col gap-4 print:hidden">
        <p className="max-w-prose text-pretty text-muted">
          Quando un cliente chiede quali dati conservi di lui, o vuole che siano eliminati, cercali
          qui. Rispondi entro 30 giorni dalla richiesta.
        </p>
        <SearchForm onFound={setFound} />
      </div>
      {found ? <CustomerResult counts={found} /> : null}
      <HeldOrdersSection />
      <RetentionSection />
    </div>
  )
}
