import { ShieldCheck } from 'lucide-react'
import { useOwnAdministrator } from '../../features/administrators/own-administrator.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageTitle } from '../../ui/page-title.tsx'

export function AdminDashboard() {
  useDocumentTitle('Dashboard amministratori')
  const { data } = useOwnAdministrator()
  return (
    <>
      <PageTitle>Dashboard amministratori</PageTitle>
      <div className="mt-5 flex w-full max-w-md items-center gap-3.5 rounded-card border border-line bg-surface px-4 py-3.5">
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent"
        >
          <ShieldCheck className="size-5" />
        </span>
        <div className="min-w-0">
          <p className="text-sm text-muted">Sei nell'area amministratori come</p>
          <p className="font-medium wrap-anywhere">{data?.email}</p>
        </div>
      </div>
    </>
  )
}
