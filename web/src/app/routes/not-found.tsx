import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'

/** @param home target of the link */
export function NotFound({ home = paths.dashboard }: { home?: string }) {
  useDocumentTitle('Pagina non trovata')
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-2 px-6 py-16 text-center">
      <p className="text-sm font-medium text-muted tabular-nums">404</p>
      <h1 className="text-2xl font-medium tracking-tight">Pagina non trovata</h1>
      <p className="max-w-sm text-balance text-muted">
        L'indirizzo potrebbe essere scritto male, oppure la pagina non esiste più.
      </p>
      <Link to={home} className={`${buttonStyle({ look: 'primary' })} mt-4`}>
        Vai alla dashboard
      </Link>
    </div>
  )
}
