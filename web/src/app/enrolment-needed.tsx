import { EnrolFactor } from '../features/account/enrol-factor.tsx'
import { SessionCard } from '../features/session/session-card.tsx'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { AdminHeader } from './shell/admin-header.tsx'
import { Footer } from './shell/footer.tsx'

const title = 'Attiva la verifica in due passaggi'

/** Shown instead of the administration to administrators who must enrol a second factor first. */
export function EnrolmentNeeded({ onDone }: { onDone: () => void }) {
  useDocumentTitle(title)
  return (
    <div className="flex min-h-dvh flex-col">
      <AdminHeader email={null} />
      <main className="flex-1">
        <SessionCard
          title={title}
          intro="Chi amministra vede i dati di tutte le farmacie: qui la sola password non basta. Dopo averla scritta ti chiederemo anche un codice che cambia ogni 30 secondi, mostrato da un'app sul tuo telefono."
          takesFocus
        >
          <div className="mt-6">
            <h2 className="sr-only">Collega un'app</h2>
            <EnrolFactor area="admin" onDone={onDone} />
          </div>
        </SessionCard>
      </main>
      <Footer />
    </div>
  )
}
