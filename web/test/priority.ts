import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import {
  getPriorityBoard,
  type PriorityBoard,
  type PrioritySession,
} from '@bancone/contract/priority'
import { pharmacy } from './fixtures.ts'
import { serverWith } from './render-app.tsx'

/** The n-th session: a customer who arrived n minutes ago. */
export function session(n: number, traits: Partial<PrioritySession> = {}): PrioritySession {
  return {
    id: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d${String(n).padStart(2, '0')}`,
    recordId: `recVISIT${String(n).padStart(4, '0')}`,
    orderNumber: String(1000 + n),
    customerName: `Cliente ${n}`,
    phone: null,
    status: 'user_arrived',
    code: String(400 + n),
    place: null,
    onTheWayAt: null,
    arrivedAt: new Date(Date.now() - n * 60_000).toISOString(),
    acknowledgedAt: '2026-01-01T08:00:00.000Z',
    calledAt: null,
    calledBy: null,
    endedAt: null,
    timesNotPresent: 0,
    changedAt: '2026-01-01T08:00:00.000Z',
    version: 1,
    ...traits,
  }
}

export function boardOf(board: Partial<PriorityBoard> = {}): PriorityBoard {
  return { waiting: [], onTheWay: [], sentBack: [], completed: [], lateMinutes: 10, ...board }
}

export const withPriority = { ...pharmacy, features: ['priority_access' as const] }

/** A stub of a pharmacy with priority access; the board can be replaced. */
export function priorityServer(board: PriorityBoard = boardOf()) {
  const held = { board }
  const api = serverWith([])
    .on(getOwnPharmacy, () => withPriority)
    .on(getPriorityBoard, () => held.board)
  return { api, held }
}
