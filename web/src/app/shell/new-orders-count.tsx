import { formatNumber } from '../../lib/format.ts'

/** Higher counts are shown as '99+'. */
const MAX_SHOWN = 99

/** Badge next to a link: the number of new orders. Renders nothing for 0. */
export function NewOrdersCount({ count }: { count: number }) {
  if (count < 1) return null
  return (
    <>
      <span
        aria-hidden
        className="inline-grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent tabular-nums print:hidden"
      >
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      </span>
      <span className="sr-only">
        {count === 1 ? '1 nuovo ordine' : `${formatNumber(count)} nuovi ordini`}
      </span>
    </>
  )
}
