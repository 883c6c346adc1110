import { expect, it } from 'vitest'
import { italianHolidays } from './italian-holidays.ts'

it.each([
  [2024, '03-31'],
  [2025, '04-20'],
  [2026, '04-05'],
  [2027, '03-28'],
  [2038, '04-25'],
  [2049, '04-18'],
])('Easter of %i is on %s', (year, date) => {
  const easter = italianHolidays(`${year}-01-01`, `${year}-12-31`).find(
    ({ name }) => name === 'Pasqua',
  )
  expect(easter?.day).toBe(`${year}-${date}`)
})

it('lists the holidays of a period in order, both ends included', () => {
  expect(italianHolidays('2026-04-05', '2026-05-01').map(({ name }) => name)).toEqual([
    'Pasqua',
    'Lunedì dell’Angelo',
    'Festa della Liberazione',
    'Festa del Lavoro',
  ])
  expect(italianHolidays('2025-12-26', '2026-01-01')).toEqual([
    { day: '2025-12-26', name: 'Santo Stefano' },
    { day: '2026-01-01', name: 'Capodanno' },
  ])
})

it('has San Francesco from 2026 on', () => {
  expect(italianHolidays('2025-10-04', '2025-10-04')).toEqual([])
  expect(italianHolidays('2026-10-04', '2026-10-04')).toHaveLength(1)
})
