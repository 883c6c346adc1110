import type { PriorityBoard, PriorityVisit } from '@bancone/contract/priority'

/** The board after a visit was changed. Which list a visit is in follows from its state. */
export function withVisit(board: PriorityBoard, visit: PriorityVisit): PriorityBoard {
  const others = (visits: readonly PriorityVisit[]) => visits.filter(({ id }) => id !== visit.id)
  const waiting = others(board.waiting)
  const onTheWay = others(board.onTheWay)
  const sentBack = others(board.sentBack)
  const completed = others(board.completed)
  if (visit.status === 'user_arrived') waiting.push(visit)
  else if (visit.status === 'on_the_way') onTheWay.push(visit)
  else if (visit.status === 'link_sent' && visit.timesNotPresent > 0) sentBack.unshift(visit)
  else if (visit.calledAt !== null) completed.push(visit)
  const byArrival = (a: PriorityVisit, b: PriorityVisit) =>
    (a.arrivedAt ?? '').localeCompare(b.arrivedAt ?? '')
  const newestCall = (a: PriorityVisit, b: PriorityVisit) =>
    (b.calledAt ?? '').localeCompare(a.calledAt ?? '')
  return {
    ...board,
    waiting: waiting.sort(byArrival),
    onTheWay,
    sentBack,
    completed: completed.sort(newestCall),
  }
}

/** The board after arrivals were acknowledged, until the server's is read. @param at ISO 8601 */
export function withAcknowledged(
  board: PriorityBoard,
  ids: readonly string[],
  at: string,
): PriorityBoard {
  const waiting = board.waiting.map((visit) =>
    ids.includes(visit.id) ? { ...visit, acknowledgedAt: visit.acknowledgedAt ?? at } : visit,
  )
  return { ...board, waiting }
}

export function unacknowledged(board: PriorityBoard | undefined): PriorityVisit[] {
  return board?.waiting.filter(({ acknowledgedAt }) => acknowledgedAt === null) ?? []
}
