import { ColleaguesPage } from '../../features/colleagues/colleagues-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { ForOwners } from './for-owners.tsx'

export function Colleagues() {
  useDocumentTitle('Colleghi')
  return (
    <ForOwners
      title="I colleghi li gestiscono i titolari"
      text="Per invitare qualcuno, o per cambiare chi lavora qui, chiedi a un titolare della farmacia."
    >
      <ColleaguesPage />
    </ForOwners>
  )
}
