import { ColleaguesPage } from '../../features/colleagues/colleagues-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { RequireOwner } from './require-owner.tsx'

export function Colleagues() {
  useDocumentTitle('Colleghi')
  return (
    <RequireOwner
      title="I colleghi li gestiscono i titolari"
      text="Per invitare qualcuno, o per cambiare chi lavora qui, chiedi a un titolare della farmacia."
    >
      <ColleaguesPage />
    </RequireOwner>
  )
}
