import { formatNumber } from '../../lib/format.ts'

/** Higher counts are shown as '99+'. */
const MAX_SHOWN = 99

/** What is new on a page. `text` is read out. */
export type News = { count: number; text: string }

export function ordersNews(count: number): News {
  return { count, text: count === 1 ? '1 nuovo ordine' : `${formatNumber(count)} nuovi ordini` }
}

export function arrivalsNews(count: number): News {
  return {
    count,
    text: count === 1 ? '1 cliente in attesa' : `${formatNumber(count)} clienti in attesa`,
  }
}

/** Badge next to links: how much is new behind them. Renders nothing for 0. */
export function NewsCount({ of }: { of: readonly (News | undefined)[] }) {
  const news = of.filter((each) => each !== undefined && each.count > 0)
  const count = news.reduce((sum, each) => sum + (each?.count ?? 0), 0)
  if (count === 0) return null
  return (
    <>
      <span
        aria-hidden
        className="inline-grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent tabular-nums print:hidden"
      >
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      </span>
      <span className="sr-only">{news.map((each) => each?.text).join(', ')}</span>
    </>
  )
}
