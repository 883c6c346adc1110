import type { PriorityBoard, PrioritySession } from '@bancone/contract/priority'

/** The board after a session was changed. Which list a session is in follows from its state. */
export function withSession(board: PriorityBoard, session: PrioritySession): PriorityBoard {
  const others = (sessions: readonly PrioritySession[]) =>
    sessions.filter(({ id }) => id !== session.id)
  const waiting = others(board.waiting)
  const onTheWay = others(board.onTheWay)
  const sentBack = others(board.sentBack)
  const completed = others(board.completed)
  if (session.status === 'user_arrived') waiting.push(session)
  else if (session.status === 'on_the_way') onTheWay.push(session)
  else if (session.status === 'link_sent' && session.timesNotPresent > 0) sentBack.unshift(session)
  else if (session.calledAt !== null) completed.push(session)
  const byArrival = (a: PrioritySession, b: PrioritySession) =>
    (a.arrivedAt ?? '').localeCompare(b.arrivedAt ?? '')
  const newestCall = (a: PrioritySession, b: PrioritySession) =>
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
  const waiting = board.waiting.map((session) =>
    ids.includes(session.id)
      ? { ...session, acknowledgedAt: session.acknowledgedAt ?? at }
      : session,
  )
  return { ...board, waiting }
}

export function unacknowledged(board: PriorityBoard | undefined): PrioritySession[] {
  return board?.waiting.filter(({ acknowledgedAt }) => acknowledgedAt === null) ?? []
}
