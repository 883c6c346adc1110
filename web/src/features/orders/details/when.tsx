import { formatDateTime, formatRelative } from '../../../lib/format.ts'

/** How long ago something was, with the moment itself for who rests on it. */
export function When({ value, now }: { value: string; now: number }) {
  const moment = formatDateTime(value)
  return (
    <time dateTime={value} title={moment} className="tabular-nums">
      {formatRelative(value, now) ?? moment}
    </time>
  )
}
