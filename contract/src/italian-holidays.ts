import { addDays, type Day } from './dates.ts'

/** Public holidays by month and day, with the first year of those that are new. */
const fixed: readonly { date: string; name: string; since?: number }[] = [
  { date: '01-01', name: 'Capodanno' },
  { date: '01-06', name: 'Epifania' },
  { date: '04-25', name: 'Festa della Liberazione' },
  { date: '05-01', name: 'Festa del Lavoro' },
  { date: '06-02', name: 'Festa della Repubblica' },
  { date: '08-15', name: 'Ferragosto' },
  // Law 151 of 8 October 2025.
  { date: '10-04', name: 'San Francesco d’Assisi', since: 2026 },
  { date: '11-01', name: 'Ognissanti' },
  { date: '12-08', name: 'Immacolata Concezione' },
  { date: '12-25', name: 'Natale' },
  { date: '12-26', name: 'Santo Stefano' },
]

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * shift + 114
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${year}-${pad(Math.floor(sum / 31))}-${pad((sum % 31) + 1)}`
}

/** The public holidays in Italy from one day to another, both included, in order. Without those of single towns. */
export function italianHolidays(from: Day, to: Day): { day: Day; name: string }[] {
  const years = Array.from(
    { length: Number(to.slice(0, 4)) - Number(from.slice(0, 4)) + 1 },
    (_, n) => Number(from.slice(0, 4)) + n,
  )
  return years
    .flatMap((year) => [
      ...fixed
        .filter(({ since = 0 }) => since <= year)
        .map(({ date, name }) => ({ day: `${year}-${date}`, name })),
      { day: easterOf(year), name: 'Pasqua' },
      { day: addDays(easterOf(year), 1), name: 'Lunedì dell’Angelo' },
    ])
    .filter(({ day }) => from <= day && day <= to)
    .toSorted((one, other) => one.day.localeCompare(other.day))
}
