import pg from 'pg'

const PER_SECOND = 200

/** A request that was not answered with 200. `sentAt` is in milliseconds since 1970. */
export type FailedRequest = { sentAt: number; reason: string }

/**
 * Sends 200 requests a second until they are stopped: pages of orders, and every tenth a change of one order after the
 * other.
 */
export function startRequests(
  url: string,
  headers: Record<string, string>,
  recordIds: readonly string[],
) {
  const failures: FailedRequest[] = []
  const running = new Set<Promise<void>>()
  /** The last status by record, where the last change was acknowledged: one that failed may have been made or not. */
  const changed = new Map<string, string>()
  let sent = 0

  async function request(n: number): Promise<void> {
    const recordId = recordIds[(n / 10) % recordIds.length]
    const status = Math.floor(n / 10 / recordIds.length) % 2 === 0 ? 'Confermato' : 'Annullato'
    const isChange = n % 10 === 0 && recordId !== undefined
    if (isChange) changed.delete(recordId)
    const reply = isChange
      ? await fetch(`${url}/api/airtable-orders/${recordId}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ fields: { Stato: status } }),
        })
      : await fetch(`${url}/api/airtable-orders?page=1`, { headers })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`status ${reply.status}`)
    if (isChange) changed.set(recordId, status)
  }

  const ticks = setInterval(() => {
    const sentAt = Date.now()
    const one: Promise<void> = request((sent += 1))
      .catch((error: unknown) => void failures.push({ sentAt, reason: String(error) }))
      .finally(() => running.delete(one))
    running.add(one)
  }, 1_000 / PER_SECOND)
  return {
    async stop() {
      clearInterval(ticks)
      await Promise.all(running)
      return { sent, failures, changed }
    },
  }
}

/** How many orders of the pharmacy have another status than the acknowledged one. */
export async function lostChanges(
  databaseUrl: string,
  pharmacyId: string,
  changed: ReadonlyMap<string, string>,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string; status: string }>(
    `select airtable_order_id as id, status from pharmacy_orders
     where pharmacy_id = $1 and airtable_order_id = any($2)`,
    [pharmacyId, [...changed.keys()]],
  )
  await client.end()
  return rows.filter(({ id, status }) => changed.get(id) !== status).length
}
