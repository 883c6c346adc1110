import { recordVisit } from '@bancone/contract/visits'
import autocannon from 'autocannon'

/** As of many visitors at once, each of whom has a connection. */
const CONNECTIONS = 100

const BROWSERS = [
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
]

/** Every process begins elsewhere. */
let visitors = Math.floor(Math.random() * 2 ** 22)

/** The view of a visitor who was never there before: of a network of their own, since networks tell visitors apart. */
export function nextView(pharmacyIds: readonly string[]) {
  visitors += 1
  return {
    method: 'POST' as const,
    path: recordVisit.path,
    headers: {
      'content-type': 'application/json',
      'user-agent': BROWSERS[visitors % BROWSERS.length] ?? '',
      'x-forwarded-for': `${11 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}.7`,
    },
    body: JSON.stringify({
      pharmacyId: pharmacyIds[visitors % pharmacyIds.length],
      kind: 'view',
      referrer: 'https://www.google.com/search',
    }),
  }
}

/** Sends so many views. @param pharmacyIds as the server knows them @returns seconds */
export async function sendViews(
  url: string,
  pharmacyIds: readonly string[],
  amount: number,
): Promise<number> {
  const begun = performance.now()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount,
    requests: [{ setupRequest: (request) => ({ ...request, ...nextView(pharmacyIds) }) }],
  })
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${failed} views failed`)
  return (performance.now() - begun) / 1000
}
