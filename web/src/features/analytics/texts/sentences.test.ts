import type { Analytics } from '@bancone/contract/analytics'
import { describe, expect, test } from 'vitest'
import { analyticsOf, orderAnalyticsOf, summaryOf, trafficOf } from '../../../../test/analytics.ts'
import type { PeriodQuery } from '../analytics-address.ts'
import { bucketTexts, rangeText } from './day-texts.ts'
import {
  arrivalsSentence,
  pickupsSentence,
  shortWaitText,
  waitsSentence,
  waitText,
} from './order-sentences.ts'
import { ordersSentence, viewsSentence } from './overview-sentences.ts'
import { percentWithArticle } from './percent-texts.ts'
import { funnelSentence, hoursSentence, ofSource, sharesSentence } from './traffic-sentences.ts'

const today = '2026-11-23'
const week: PeriodQuery = { dal: '2026-11-17', al: today, confronto: 'precedente' }
const shown = (traits: Partial<Analytics> = {}, period = week) => ({
  data: analyticsOf(traits),
  period,
})

test.each([
  ['2026-11-23', '2026-11-23', 'oggi'],
  ['2026-11-21', '2026-11-21', 'sabato 21 novembre'],
  ['2026-11-16', '2026-11-22', 'da lunedì 16 a domenica 22 novembre'],
  ['2026-10-26', '2026-11-01', 'da lunedì 26 ottobre a domenica 1º novembre'],
  ['2026-10-01', '2026-10-31', 'dal 1º al 31 ottobre'],
  ['2026-10-11', '2026-11-08', "dall'11 ottobre all'8 novembre"],
  ['2025-12-01', '2026-01-31', 'dal 1º dicembre 2025 al 31 gennaio'],
  ['2025-12-01', '2025-12-31', 'dal 1º al 31 dicembre 2025'],
])('%s to %s is %s', (dal, al, text) => {
  expect(rangeText({ dal, al }, today)).toBe(text)
})

test.each([
  [0, 'lo 0%'],
  [1, "l'1%"],
  [8, "l'8%"],
  [11, "l'11%"],
  [12, 'il 12%'],
  [80, "l'80%"],
  [110, 'il 110%'],
  [1100, 'il 1.100%'],
  [11_000, "l'11.000%"],
])('%d percent is %s', (percent, text) => {
  expect(percentWithArticle(percent)).toBe(text)
})

describe('the views', () => {
  test('are compared, and the best day is named', () => {
    expect(viewsSentence(shown(), today)).toBe(
      'Da martedì 17 a lunedì 23 novembre: 1.234 visualizzazioni, il 12% in più del periodo precedente; il giorno migliore è stato sabato 21 novembre. Oggi non è ancora finito.',
    )
  })

  test('of today reach until now', () => {
    const [first] = analyticsOf().points
    const points = first ? [{ ...first, at: '2026-11-23T09:00:00.000Z', views: 3 }, first] : []
    const summary = summaryOf({ totalPageViews: 1 })
    const hours = { bucket: 'hour' as const, points: points.slice(0, 1), summary, previous: null }
    expect(viewsSentence(shown(hours, { ...week, dal: today }), today)).toBe(
      'Oggi fino alle 10:32: 1 visualizzazione.',
    )
  })

  test.each([
    [1234, 0, 'nel periodo precedente nessuna'],
    [1234, 1234, 'come nel periodo precedente'],
    [98, 100, 'il 2% in meno del periodo precedente'],
  ])('%d after %d', (views, before, text) => {
    const figures = {
      summary: summaryOf({ totalPageViews: views }),
      previous: summaryOf({ totalPageViews: before }),
    }
    expect(viewsSentence(shown(figures), today)).toContain(`, ${text};`)
  })
})

test('the orders are told by their status', () => {
  expect(ordersSentence(shown(), today)).toBe(
    'Da martedì 17 a lunedì 23 novembre: 56 ordini, come nel periodo precedente; 35 completati (62,5%), 7 annullati.',
  )
  expect(ordersSentence(shown({ ordersFailed: true }), today)).toContain('non si possono leggere')
})

test('the hour that the end of summer time repeats is told which one it is', () => {
  const points = ['00', '01', '02'].map((hour) => ({ at: `2026-10-25T${hour}:00:00.000Z` }))
  expect(bucketTexts({ bucket: 'hour', points }).map(({ longLabel }) => longLabel)).toEqual([
    'ore 02:00, ora legale',
    'ore 02:00, ora solare',
    'ore 03:00',
  ])
})

test('the best hour, the sources and the funnel', () => {
  const { weekHours, sources, funnel } = trafficOf()
  expect(hoursSentence(weekHours)).toMatch(
    /^L'ora migliore è sabato dalle 10 alle 11, con 48 visualizzazioni;/,
  )
  expect(hoursSentence(weekHours.map((hours) => hours.map(() => 0)))).toBe(
    'Nessuna visualizzazione in questo periodo.',
  )
  const parts = (sources ?? []).map(({ source, views }) => ({ of: ofSource[source], views }))
  expect(sharesSentence(parts)).toBe('Il 43% delle visualizzazioni arriva dal volantino.')
  expect(funnelSentence(funnel)).toBe(
    'Ogni 100 visualizzazioni: 17 offerte aperte e 3 tocchi su WhatsApp.',
  )
  expect(funnelSentence({ ...funnel, ordered: 12 })).toBe(
    'Ogni 100 visualizzazioni: 17 offerte aperte, 3 tocchi su WhatsApp e 1 ordine.',
  )
})

describe('waits', () => {
  test.each([
    [0.4, 'meno di un minuto', '< 1 min'],
    [1, '1 minuto', '1 min'],
    [80, '1 ora e 20 minuti', '1 h 20 min'],
    [120, '2 ore', '2 h'],
    [3060, '2 giorni e 3 ore', '2 g 3 h'],
  ])('of %d minutes', (minutes, text, short) => {
    expect(waitText(minutes)).toBe(text)
    expect(shortWaitText(minutes)).toBe(short)
  })

  test('are summed up with the slowest hour', () => {
    expect(waitsSentence(orderAnalyticsOf().waits)).toBe(
      'Metà degli ordini è confermata entro 14 minuti, nove su dieci entro 1 ora e 15 minuti; aspettano di più gli ordini arrivati dalle 13 alle 14 (50 minuti).',
    )
  })

  test.each([
    [
      {},
      'Metà degli ordini è pronta entro 3 ore e 20 minuti, nove su dieci entro 1 giorno; una volta pronti, metà di quelli ritirati lo è entro 5 ore. 9 ordini non sono stati ritirati.',
    ],
    [
      { readyP90: 200, collectedMedian: null, notCollected: 1 },
      'Metà degli ordini è pronta entro 3 ore e 20 minuti, nove su dieci entro 3 ore e 20 minuti. 1 ordine non è stato ritirato.',
    ],
    [{ ready: 0, readyMedian: null }, 'In questo periodo nessun ordine è diventato pronto.'],
  ])('until orders are ready and collected: %j', (traits, text) => {
    expect(pickupsSentence({ ...orderAnalyticsOf().pickups, ...traits })).toBe(text)
  })

  test('of arrivals are seconds', () => {
    const report = {
      arrivals: 31,
      called: 28,
      noShows: 3,
      medianWait: 262,
      p90Wait: 610,
      hours: [],
    }
    expect(arrivalsSentence(report)).toBe(
      '31 arrivi, 28 chiamati; metà dei clienti ha aspettato meno di 4 minuti.',
    )
  })
})
