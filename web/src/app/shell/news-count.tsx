import { formatNumber } from '../../lib/format.ts'

/** More than this is many. */
const MOST_SHOWN = 99

/** Beside the link to a page: how many new orders are there. Nothing when there are none. */
export function NewsCount({ count }: { count: number }) {
  if (count < 1) return null
  return (
    <>
      <span
        aria-hidden
        className="inline-grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent tabular-nums print:hidden"
      >
        {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      </span>
      <span className="sr-only">
        {count === 1 ? '1 nuovo ordine' : `${formatNumber(count)} nuovi ordini`}
      </span>
    </>
  )
}
