import type { ExclusionReason, VisitDevice, VisitSource } from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { capital, hourText, weekdays } from './day-texts.ts'
import { countText } from './overview-sentences.ts'
import { percentWithArticle } from './percent-texts.ts'

/** `of`: in a sentence, 'la maggior parte arriva …'. */
export const sourceTexts: Record<VisitSource, { name: string; of: string }> = {
  flyer: { name: 'Volantino', of: 'dal volantino' },
  poster: { name: 'QR della locandina', of: 'dal QR della locandina' },
  link: { name: 'Link copiato da te', of: 'dal link che hai copiato' },
  share: { name: 'Condivisa da un cliente', of: "da clienti che l'hanno condivisa" },
  whatsapp: { name: 'WhatsApp', of: 'da WhatsApp' },
  social: { name: 'Social network', of: 'dai social network' },
  search: { name: 'Motori di ricerca', of: 'dai motori di ricerca' },
  site: { name: 'Altri siti', of: 'da altri siti' },
  direct: { name: 'Indirizzo diretto', of: "dall'indirizzo diretto" },
}

export const deviceTexts: Record<VisitDevice, { name: string; of: string }> = {
  phone: { name: 'Telefono', of: 'dal telefono' },
  tablet: { name: 'Tablet', of: 'dal tablet' },
  computer: { name: 'Computer', of: 'dal computer' },
}

export const exclusionTexts: Record<ExclusionReason, { name: string; text: string }> = {
  bot: { name: 'Programmi', text: 'Motori di ricerca e altri programmi che leggono le pagine.' },
  preview: {
    name: 'Anteprime',
    text: "WhatsApp e i social quando preparano l'anteprima del link.",
  },
  staff: { name: 'Personale', text: "Chi lavora in farmacia, con l'accesso a Bancone aperto." },
  privacy: {
    name: 'Richieste di privacy',
    text: 'Chi ha chiesto al browser di non essere contato.',
  },
  limit: { name: 'Troppe richieste', text: 'Pagine aperte troppe volte in un minuto.' },
}

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
