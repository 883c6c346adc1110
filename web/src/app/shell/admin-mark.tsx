import { Link } from 'react-router'
import { Wordmark } from '../../ui/wordmark.tsx'

/** The product's logo with the label of the administration. */
export function AdminMark({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 min-w-0 items-center gap-2.5 rounded-md sm:gap-3.5"
    >
      <Wordmark narrow />
      <span className="truncate border-l border-line-strong pl-2.5 text-sm text-muted sm:pl-3.5">
        Amministrazione
      </span>
    </Link>
  )
}
