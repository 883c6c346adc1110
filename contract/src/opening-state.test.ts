import { describe, expect, it } from 'vitest'
import { type Closing, OpeningWeek } from './opening-hours.ts'
import { openingState } from './opening-state.ts'

const usual = [
  { from: '08:30', to: '12:30' },
  { from: '15:30', to: '19:30' },
]
const saturday = [{ from: '08:30', to: '13:00' }]
const week: OpeningWeek = [usual, usual, usual, usual, usual, saturday, []]
const every = (spans: OpeningWeek[number]): OpeningWeek => Array.from({ length: 7 }, () => spans)
const only = (weekday: number, from: string, to: string): OpeningWeek =>
  Array.from({ length: 7 }, (_, each) => (each === weekday ? [{ from, to }] : []))

const august: Closing = { from: '2026-08-10', to: '2026-08-23', note: 'Ferie' }
const forMonths: Closing = { from: '2026-08-10', to: '2027-08-10', note: '' }

describe('the state of a pharmacy', () => {
  it.each<[string, OpeningWeek, Closing[], string, boolean, string | null]>([
    ['in the morning', week, [], '2026-11-23T09:00+01:00', true, '2026-11-23T12:30+01:00'],
    ['at the opening', week, [], '2026-11-23T08:30+01:00', true, '2026-11-23T12:30+01:00'],
    ['at noon', week, [], '2026-11-23T12:30+01:00', false, '2026-11-23T15:30+01:00'],
    ['in the evening', week, [], '2026-11-23T22:00+01:00', false, '2026-11-24T08:30+01:00'],
    ['on Saturday', week, [], '2026-11-21T14:00+01:00', false, '2026-11-23T08:30+01:00'],
    ['at midnight', week, [], '2026-11-23T00:00+01:00', false, '2026-11-23T08:30+01:00'],
    ['in summer', week, [], '2026-07-06T09:00+02:00', true, '2026-07-06T12:30+02:00'],
    // The clocks change on 29 March and on 25 October 2026.
    ['before spring', week, [], '2026-03-28T14:00+01:00', false, '2026-03-30T08:30+02:00'],
    ['before autumn', week, [], '2026-10-24T14:00+02:00', false, '2026-10-26T08:30+01:00'],
    [
      'in a night in spring',
      only(5, '20:00', '08:00'),
      [],
      '2026-03-29T01:30+01:00',
      true,
      '2026-03-29T08:00+02:00',
    ],
    [
      'with an opening in the skipped hour',
      only(6, '02:30', '03:15'),
      [],
      '2026-03-29T01:45+01:00',
      false,
      '2026-03-29T03:00+02:00',
    ],
    [
      'with an opening within the skipped hour',
      only(6, '02:15', '02:45'),
      [],
      '2026-03-29T01:45+01:00',
      false,
      '2026-04-05T02:15+02:00',
    ],
    [
      'with an end in the repeated hour',
      only(6, '01:00', '02:30'),
      [],
      '2026-10-25T01:30+02:00',
      true,
      '2026-10-25T02:30+02:00',
    ],
    [
      'in the second of the repeated hours',
      only(6, '02:30', '03:30'),
      [],
      '2026-10-25T02:10+01:00',
      true,
      '2026-10-25T03:30+01:00',
    ],
    [
      'past midnight',
      only(0, '20:00', '02:00'),
      [],
      '2026-11-24T01:00+01:00',
      true,
      '2026-11-24T02:00+01:00',
    ],
    [
      'past the midnight after which it is closed',
      only(0, '20:00', '02:00'),
      [{ from: '2026-11-24', to: '2026-11-24', note: '' }],
      '2026-11-24T01:00+01:00',
      true,
      '2026-11-24T02:00+01:00',
    ],
    [
      'past the midnight of a day of closing',
      only(0, '20:00', '02:00'),
      [{ from: '2026-11-23', to: '2026-11-23', note: '' }],
      '2026-11-24T01:00+01:00',
      false,
      '2026-11-30T20:00+01:00',
    ],
    [
      'always open',
      every([{ from: '00:00', to: '00:00' }]),
      [],
      '2026-11-24T01:00+01:00',
      true,
      null,
    ],
    [
      'always open but for a day',
      every([{ from: '00:00', to: '00:00' }]),
      [{ from: '2026-12-25', to: '2026-12-25', note: '' }],
      '2026-11-24T01:00+01:00',
      true,
      '2026-12-25T00:00+01:00',
    ],
    [
      'open for a whole day',
      only(2, '08:00', '08:00'),
      [],
      '2026-11-25T20:00+01:00',
      true,
      '2026-11-26T08:00+01:00',
    ],
    ['closed for weeks', week, [august], '2026-08-10T09:00+02:00', false, '2026-08-24T08:30+02:00'],
    ['before the weeks', week, [august], '2026-08-07T20:00+02:00', false, '2026-08-08T08:30+02:00'],
    ['closed for a year', week, [forMonths], '2026-08-10T09:00+02:00', false, null],
  ])('%s', (_name, hours, closings, at, isOpen, changes) => {
    const { changesAt, ...state } = openingState(hours, closings, Date.parse(at))
    expect({ ...state, changesAt: changesAt && new Date(changesAt).toISOString() }).toEqual({
      isOpen,
      changesAt: changes && new Date(changes).toISOString(),
    })
  })
})

describe('the times of a week', () => {
  const withMonday = (...spans: [string, string][]) => [
    spans.map(([from, to]) => ({ from, to })),
    ...week.slice(1),
  ]
  it.each<[string, unknown, boolean]>([
    ['adjoining', withMonday(['15:30', '19:30'], ['08:30', '15:30']), true],
    ['past midnight at the end', withMonday(['08:00', '12:00'], ['20:00', '02:00']), true],
    ['of 24 hours', withMonday(['00:00', '00:00']), true],
    ['overlapping', withMonday(['08:30', '16:00'], ['15:30', '19:30']), false],
    ['past midnight before others', withMonday(['08:00', '07:00'], ['20:00', '22:00']), false],
    ['with no such time', withMonday(['24:00', '25:00']), false],
    ['of six days', week.slice(1), false],
    ['never open', every([]), false],
  ])('%s', (_name, given, isValid) => {
    expect(OpeningWeek.safeParse(given).success).toBe(isValid)
  })
})
