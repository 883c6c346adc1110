import { CustomerDataPage } from '../../features/customer-data/customer-data-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { RequireOwner } from './require-owner.tsx'

export function CustomerData() {
  useDocumentTitle('Dati dei clienti')
  return (
    <RequireOwner
      title="I dati dei clienti sono per i titolari"
      text="Se un cliente chiede i suoi dati, avvisa un titolare della farmacia."
    >
      <CustomerDataPage />
    </RequireOwner>
  )
}
