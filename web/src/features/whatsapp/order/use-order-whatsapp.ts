import { getOrder } from '@bancone/contract/order-details'
import {
  type AskedNotice,
  cancelOrderNotice,
  getOrderWhatsApp,
  listUnreadCustomers,
  markCustomerRead,
  type OrderWhatsApp,
  recordWhatsAppConsent,
  sendOrderNotice,
  sendWhatsAppReply,
} from '@bancone/contract/whatsapp-orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'

/** How often the state is read: while something is on its way, and otherwise. */
const MOVING_MS = 4_000
const QUIET_MS = 10_000

const moving = new Set(['queued', 'sending', 'accepted', 'sent'])

function isMoving({ notices, conversation }: OrderWhatsApp): boolean {
  const states = [...notices, ...conversation].map(({ state }) => state)
  return states.some((state) => state !== null && moving.has(state))
}

/** Consent, notices and conversation of an order, and what changes them. */
export function useOrderWhatsApp(recordId: string) {
  const client = useQueryClient()
  const params = { recordId }
  const query = useEndpoint(
    getOrderWhatsApp,
    { params },
    {
      refetchInterval: ({ state: { data } }) => {
        if (!data?.isOn) return false
        return isMoving(data) ? MOVING_MS : QUIET_MS
      },
    },
  )

  // What Meta reports is in the history of the order, too.
  const reported = query.data?.notices.map(({ kind, state }) => `${kind} ${state}`).join()
  const known = useRef(reported)
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== reported
    known.current = reported
    if (isNews)
      void client.invalidateQueries({ queryKey: endpointKey(getOrder, { params: { recordId } }) })
  }, [client, recordId, reported])

  const conversation = query.data?.conversation ?? []
  const readUntil = conversation.findLast(({ from }) => from === 'customer')?.at
  useEffect(() => {
    if (readUntil === undefined) return
    const read = call(markCustomerRead, { params: { recordId }, body: { until: readUntil } })
    // The banner stays, and leads here again.
    read.then(
      () => client.invalidateQueries({ queryKey: endpointKey(listUnreadCustomers) }),
      () => {},
    )
  }, [client, recordId, readUntil])

  async function keep(response: Promise<OrderWhatsApp>): Promise<void> {
    const queryKey = endpointKey(getOrderWhatsApp, { params })
    const changed = await response
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
  }

  return {
    query,
    consent: (isGiven: boolean, version: number) =>
      keep(call(recordWhatsAppConsent, { params, body: { isGiven, version } })),
    notify: (kind: AskedNotice, now = false) =>
      keep(call(sendOrderNotice, { params, body: { kind, now } })),
    cancel: (noticeId: string) => keep(call(cancelOrderNotice, { params: { recordId, noticeId } })),
    reply: (id: string, text: string) =>
      keep(call(sendWhatsAppReply, { params, body: { id, text } })),
  }
}

export type OrderWhatsAppActions = Omit<ReturnType<typeof useOrderWhatsApp>, 'query'>
