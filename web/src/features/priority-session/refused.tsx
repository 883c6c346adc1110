import { paths } from '@bancone/contract/pages'
import { CircleAlert } from 'lucide-react'
import { card, secondary } from './styles.ts'

/** Replaces the page. @param text why nothing is shown */
export function Refused({ text }: { text: string }) {
  return (
    <section role="alert" className={`${card} flex flex-col items-center gap-3 py-10 text-center`}>
      <CircleAlert aria-hidden className="size-10 text-danger" />
      <h1 className="text-2xl font-medium tracking-tight">Errore</h1>
      <p className="text-balance text-muted">{text}</p>
      <a href={paths.dashboard} className={`${secondary} mt-3`}>
        Torna alla home
      </a>
    </section>
  )
}
