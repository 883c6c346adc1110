import type { ExclusionReason, PageViewDevice, PageViewSource } from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { weekdays as capitalWeekdays } from '../../../lib/hours.ts'
import { capital, hourText } from './day-texts.ts'
import { countText } from './overview-sentences.ts'
import { percentWithArticle } from './percent-texts.ts'

/** In a sentence: 'Il 43% delle visualizzazioni arriva …'. */
export const ofSource: Record<PageViewSource, string> = {
  flyer: 'dal volantino',
  poster: 'dal QR della locandina',
  link: 'dal link che hai copiato',
  share: "da clienti che l'hanno condivisa",
  whatsapp: 'da WhatsApp',
  social: 'dai social network',
  search: 'dai motori di ricerca',
  site: 'da altri siti',
  direct: "dall'indirizzo diretto",
}

export const ofDevice: Record<PageViewDevice, string> = {
  phone: 'dal telefono',
  tablet: 'dal tablet',
  computer: 'dal computer',
}

export const exclusionTexts: Record<ExclusionReason, string> = {
  bot: 'Motori di ricerca e altri programmi che leggono le pagine.',
  preview: "WhatsApp e i social quando preparano l'anteprima del link.",
  staff: "Chi lavora in farmacia, con l'accesso a Bancone aperto.",
  privacy: 'Chi ha chiesto al browser di non essere contato.',
  limit: 'Pagine aperte troppe volte in un minuto.',
}

const weekdays = capitalWeekdays.map((day) => day.toLowerCase())

/** The weekday and the hour with the most views; null without views. */
export function bestHour(weekHours: Traffic['weekHours']) {
  let best: { day: number; hour: number; views: number } | null = null
  for (const [day, hours] of weekHours.entries()) {
    for (const [hour, views] of hours.entries()) {
      if (views > (best?.views ?? 0)) best = { day, hour, views }
    }
  }
  return best
}

/** Names the best hour, and the weekday with the most views where that is another one. */
export function hoursSentence(weekHours: Traffic['weekHours']): string {
  const best = bestHour(weekHours)
  if (best === null) return 'Nessuna visualizzazione in questo periodo.'
  const days = weekHours.map((hours) => hours.reduce((sum, views) => sum + views, 0))
  const bestDay = days.indexOf(Math.max(...days))
  const count = countText(best.views, 'visualizzazione', 'visualizzazioni')
  const hour = `L'ora migliore è ${weekdays[best.day]} ${hourText(best.hour)}, con ${count}`
  return bestDay === best.day
    ? `${hour}; ${weekdays[best.day]} è anche il giorno con più visite.`
    : `${hour}; il giorno con più visite è ${weekdays[bestDay]}.`
}

/** 'Il 43% delle visualizzazioni arriva dal volantino.' */
export function sharesSentence(parts: readonly { of: string; views: number }[]): string {
  const sum = parts.reduce((total, { views }) => total + views, 0)
  const [first] = parts.toSorted((a, b) => b.views - a.views)
  if (!first || sum === 0) return 'Nessuna visualizzazione in questo periodo.'
  const share = percentWithArticle(Math.round(rate(first.views, sum)))
  return `${capital(share)} delle visualizzazioni arriva ${first.of}.`
}

/** Follows a hundred views to the orders. */
export function funnelSentence({
  views,
  opened,
  whatsappTaps,
  ordered,
}: Traffic['funnel']): string {
  if (views === 0) return 'Nessuna visualizzazione in questo periodo.'
  const each = (count: number, one: string, many: string) =>
    countText(Math.round(rate(count, views)), one, many)
  const steps = [
    each(opened, 'offerta aperta', 'offerte aperte'),
    each(whatsappTaps, 'tocco su WhatsApp', 'tocchi su WhatsApp'),
    ...(ordered === null ? [] : [each(ordered, 'ordine', 'ordini')]),
  ]
  return `Ogni 100 visualizzazioni: ${steps.slice(0, -1).join(', ')} e ${steps.at(-1)}.`
}
