import type { Freshness } from '@bancone/contract/order-health'
import { useEffect, useState } from 'react'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Alert } from '../../../ui/alert.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { troubleNames } from './trouble-names.ts'

const failures = {
  load: 'Si è verificato un errore nel caricamento degli ordini. Riprova più tardi.',
  refresh: "Si è verificato un errore nell'aggiornamento degli ordini. Riprova più tardi.",
}

const SHOW_WAITING_AFTER_MS = 5_000

type OrdersNoticesProps = {
  failure: keyof typeof failures | null
  freshness: Freshness | undefined
  onRetry: () => void
}

function copyText({ syncedAt, trouble }: Freshness, now: number): string {
  const copy =
    syncedAt === null ? "l'ultima copia salvata" : `la copia ${formatMoment(syncedAt, now)}`
  // It has not answered yet, or never.
  return `${troubleNames[trouble ?? 'unreachable']}: la pagina mostra ${copy}.`
}

function waitingText(count: number): string {
  if (count === 1)
    return '1 modifica è in attesa di invio ad Airtable: la invieremo appena possibile.'
  return `${formatNumber(count)} modifiche sono in attesa di invio ad Airtable: le invieremo appena possibile.`
}

/** The number of waiting changes. Most are sent within a moment: a banner for them would only move the list. */
function useLastingChanges(waiting: number): number {
  const [isLasting, setLasting] = useState(false)
  const isWaiting = waiting > 0
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(setLasting, SHOW_WAITING_AFTER_MS, true)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [isWaiting])
  return isLasting ? waiting : 0
}

export function OrdersNotices({ failure, freshness, onRetry }: OrdersNoticesProps) {
  const now = useNow()
  const stale = freshness?.stale ?? false
  const waiting = useLastingChanges(freshness?.pendingChanges ?? 0)
  return (
    <>
      {failure ? <RetryAlert onRetry={onRetry}>{failures[failure]}</RetryAlert> : null}
      {freshness && (stale || waiting > 0) ? (
        <Alert tone="notice">
          {stale ? <p>{copyText(freshness, now)}</p> : null}
          {waiting > 0 ? <p>{waitingText(waiting)}</p> : null}
        </Alert>
      ) : null}
    </>
  )
}
