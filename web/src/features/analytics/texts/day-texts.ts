import type { Analytics } from '@bancone/contract/analytics'
import { hourTexts } from '@bancone/contract/analytics-tables'
import type { Day } from '@bancone/contract/dates'
import { ROME } from '@bancone/contract/dates'
import type { Days } from '../analytics-address.ts'

/** Up to so many days, they are told by their weekdays. */
const WITH_WEEKDAYS = 14

function format(options: Intl.DateTimeFormatOptions, timeZone = 'UTC') {
  return new Intl.DateTimeFormat('it-IT', { ...options, timeZone })
}

const weekday = format({ weekday: 'long' })
const month = format({ month: 'long' })
const romeShortDay = format({ day: 'numeric', month: 'short' }, ROME)
const romeLongDay = format({ weekday: 'long', day: 'numeric', month: 'long' }, ROME)
const romeShortMonth = format({ month: 'short', year: '2-digit' }, ROME)
const romeLongMonth = format({ month: 'long', year: 'numeric' }, ROME)

function parts(day: Day) {
  const date = new Date(day)
  const number = date.getUTCDate()
  return {
    date,
    number,
    text: number === 1 ? '1º' : String(number),
    hasVowel: number === 8 || number === 11,
  }
}

/** 'sabato 21 novembre', with the year unless it is that of today. */
export function dayText(day: Day, today: Day): string {
  const { date, text } = parts(day)
  return `${weekday.format(date)} ${text} ${month.format(date)}${yearText(day, today)}`
}

function yearText(day: Day, today: Day): string {
  return day.slice(0, 4) === today.slice(0, 4) ? '' : ` ${day.slice(0, 4)}`
}

/** 'oggi', 'sabato 21 novembre', 'da lunedì 16 a domenica 22 novembre', "dal 1º ottobre all'8 novembre". */
export function rangeText({ dal, al }: Days, today: Day): string {
  if (dal === al) return dal === today ? 'oggi' : dayText(dal, today)
  const [first, last] = [parts(dal), parts(al)]
  const end = `${last.text} ${month.format(last.date)}${yearText(al, today)}`
  const isSameYear = dal.slice(0, 4) === al.slice(0, 4)
  const isSameMonth = isSameYear && dal.slice(0, 7) === al.slice(0, 7)
  const monthOfFirst = isSameMonth ? '' : ` ${month.format(first.date)}`
  const begin = `${first.text}${monthOfFirst}${isSameYear ? '' : ` ${dal.slice(0, 4)}`}`
  const days = (last.date.getTime() - first.date.getTime()) / 86_400_000 + 1
  if (days <= WITH_WEEKDAYS) {
    return `da ${weekday.format(first.date)} ${begin} a ${weekday.format(last.date)} ${end}`
  }
  return `${first.hasVowel ? "dall'" : 'dal '}${begin} ${last.hasVowel ? "all'" : 'al '}${end}`
}

/** With a capital letter at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** How a bucket of time is called on an axis, and in full. */
export type BucketText = { label: string; longLabel: string }

/** The texts of the buckets, in their order. Of an hour that the end of summer time repeats it says which one it is. */
export function bucketTexts({
  bucket,
  points,
}: {
  bucket: Analytics['bucket']
  points: readonly { at: string }[]
}): BucketText[] {
  if (bucket === 'hour') {
    return hourTexts(points).map(({ label, which }) => ({
      label,
      longLabel: `ore ${label}${which}`,
    }))
  }
  return points.map(({ at }) => {
    const time = new Date(at)
    if (bucket === 'month') {
      return { label: romeShortMonth.format(time), longLabel: romeLongMonth.format(time) }
    }
    return { label: romeShortDay.format(time), longLabel: romeLongDay.format(time) }
  })
}

/** 'dalle 10 alle 11', "dall'una alle 2", "da mezzanotte all'una", 'dalle 23 a mezzanotte'. */
export function hourText(hour: number): string {
  const from = hour === 0 ? 'da mezzanotte' : hour === 1 ? "dall'una" : `dalle ${hour}`
  const to = hour === 23 ? 'a mezzanotte' : hour === 0 ? "all'una" : `alle ${hour + 1}`
  return `${from} ${to}`
}
