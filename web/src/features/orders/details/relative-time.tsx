import { formatDateTime, formatRelative } from '../../../lib/format.ts'

/** How long ago something was, with the date as tooltip. */
export function RelativeTime({ value, now }: { value: string; now: number }) {
  const moment = formatDateTime(value)
  return (
    <time dateTime={value} title={moment} className="tabular-nums">
      {formatRelative(value, now) ?? moment}
    </time>
  )
}
