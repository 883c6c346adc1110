import { ORDER_PARAM } from '@bancone/contract/pages'
import { topicEvents } from '@bancone/contract/realtime'
import { listWhatsAppDrafts, type WhatsAppDraft } from '@bancone/contract/whatsapp-drafts'
import { getOrderWhatsApp, listUnreadCustomers } from '@bancone/contract/whatsapp-orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { usePharmacyEvents } from '../../../lib/pharmacy-events.ts'
import { createThrottledRefetch } from '../../../lib/throttled-refetch.ts'
import { useOpened } from '../../../lib/use-opened.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'

const loadSheet = async () => (await import('./draft-sheet.tsx')).DraftSheet

/** How often they are asked for without realtime events. */
const EVERY_MS = 30_000

/**
 * Announces what customers have written on WhatsApp, without its contents. A failure is not shown: the page has its own
 * signs that the server does not answer.
 *
 * @param live whether realtime events arrive
 */
export function DraftsBanner({ live }: { live: boolean }) {
  const client = useQueryClient()
  const [throttledRefetch] = useState(createThrottledRefetch)
  usePharmacyEvents((event) => {
    if (event !== topicEvents.whatsapp && event !== topicEvents.missed) return
    throttledRefetch(() =>
      Promise.all([
        client.invalidateQueries({ queryKey: endpointKey(listWhatsAppDrafts) }),
        client.invalidateQueries({ queryKey: endpointKey(listUnreadCustomers) }),
        client.invalidateQueries({ queryKey: endpointKey(getOrderWhatsApp) }),
      ]),
    )
  })
  const refetchInterval = live ? false : EVERY_MS
  return (
    <>
      <Drafts refetchInterval={refetchInterval} />
      <UnreadCustomers refetchInterval={refetchInterval} />
    </>
  )
}

type BannerProps = { refetchInterval: number | false }

/** Orders that wait to be confirmed. */
function Drafts({ refetchInterval }: BannerProps) {
  const { data } = useEndpoint(listWhatsAppDrafts, {}, { refetchInterval })
  const nothing = useRef<HTMLElement>(null)
  const opened = useOpened<WhatsAppDraft>(nothing)
  const drafts = data?.drafts ?? []
  const [first] = drafts
  return (
    <>
      {first ? (
        <Alert
          tone="notice"
          action={
            <Button
              size="small"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => opened.open(first, currentTarget)}
            >
              Controlla
            </Button>
          }
        >
          {drafts.length === 1
            ? 'Un ordine arrivato su WhatsApp aspetta la tua conferma.'
            : `${drafts.length} ordini arrivati su WhatsApp aspettano la tua conferma.`}
        </Alert>
      ) : null}
      <LazyBoundary
        key={opened.item?.id}
        load={loadSheet}
        props={opened.item && { draft: opened.item, isWaiting: true, ...opened.modal }}
        onLoadError={opened.modal.onClose}
      />
    </>
  )
}

/** Names the last customer whose messages have not been read, and opens their order. */
function UnreadCustomers({ refetchInterval }: BannerProps) {
  const { data } = useEndpoint(listUnreadCustomers, {}, { refetchInterval })
  const navigate = useNavigate()
  const customers = data?.customers ?? []
  const [last] = customers
  if (!last) return null
  const { recordId } = last

  function open() {
    const { search, hash } = window.location
    const params = new URLSearchParams(search)
    params.set(ORDER_PARAM, recordId)
    void navigate({ search: `?${params}`, hash }, { state: { readsMessages: true } })
  }

  const who = last.name ?? 'Un cliente'
  const order = last.number === null ? '' : ` per l'ordine ${last.number}`
  const others = customers.length - 1
  return (
    <Alert
      tone="notice"
      action={
        <Button size="small" onClick={open}>
          Leggi
        </Button>
      }
    >
      {who} ha scritto su WhatsApp{order}
      {others === 0
        ? '.'
        : others === 1
          ? ', e anche un altro cliente.'
          : `, e anche altri ${others} clienti.`}
    </Alert>
  )
}
