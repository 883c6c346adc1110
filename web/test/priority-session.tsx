import type { CustomerPrioritySession, PriorityPage } from '@bancone/contract/priority-customer'
import { act, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { onTestFinished, vi } from 'vitest'
import { z } from 'zod/mini'
import { PriorityApp } from '../src/features/priority-session/priority-app.tsx'

export const token = 'AAAAAAAAAAAAAAAAAAAAAA'

export const customerSession: CustomerPrioritySession = {
  status: 'link_sent',
  orderNumber: '1042',
  code: '042',
  place: null,
  arrivedAt: null,
  calledAt: null,
  calledBy: null,
  ahead: null,
  wait: null,
  isAttended: true,
  coolsUntil: null,
  isReplaced: false,
  version: 1,
}

export const priorityPage: PriorityPage = {
  kind: 'session',
  orderId: 'rec1',
  pharmacy: {
    code: 'PHARM-0001',
    name: 'Farmacia San Marco',
    address: 'Piazza San Marco 12, Venezia',
    phone: '041 123 4567',
    callNumber: '+390411234567',
    logoUrl: null,
    palette: null,
    openingWeek: null,
    closings: [],
  },
  status: 'link_sent',
  refusal: null,
}

const Body = z.record(z.string(), z.unknown())

type Answer = object | { status: number; body: object } | 'never' | 'no network'

/** Stands in for the server: one stream, whose events the test sends, and an answer for each other path. */
export function priorityServer(first: object) {
  const answers = new Map<string, (body: Record<string, unknown>) => Answer>()
  const asked: { path: string; body: Record<string, unknown> }[] = []
  const encoder = new TextEncoder()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const write = (state: object) =>
    stream?.enqueue(encoder.encode(`data: ${JSON.stringify(state)}\n\n`))

  vi.stubGlobal(
    'fetch',
    async (path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
      const given = Body.parse(JSON.parse(body))
      asked.push({ path, body: given })
      if (path.endsWith('/events')) {
        const opened = new ReadableStream<Uint8Array>({
          start(controller) {
            stream = controller
          },
        })
        write(first)
        return new Response(opened)
      }
      const answer = answers.get(path)?.(given) ?? first
      if (answer === 'no network') throw new TypeError('Failed to fetch')
      if (answer === 'never')
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        )
      return 'body' in answer && 'status' in answer
        ? Response.json(answer.body, { status: answer.status })
        : Response.json(answer)
    },
  )
  return {
    asked,
    on(path: string, answer: (body: Record<string, unknown>) => Answer) {
      answers.set(`/api/public/priority/${path}`, answer)
    },
    /** Sends an event. */
    async send(state: object) {
      await act(async () => {
        write(state)
        await new Promise((resolve) => setTimeout(resolve))
      })
    },
  }
}

/** Opens the page at an address. */
export function openPriority(page: PriorityPage, address: string) {
  history.replaceState(null, '', address)
  onTestFinished(() => history.replaceState(null, '', '/'))
  return { user: userEvent.setup(), ...render(<PriorityApp page={page} />) }
}
