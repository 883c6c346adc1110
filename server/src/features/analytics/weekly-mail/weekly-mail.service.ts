import { hasFeature } from '@bancone/contract/access'
import { dayOf } from '@bancone/contract/dates'
import { paths } from '@bancone/contract/pages'
import { z } from 'zod'
import type { Tasks } from '../../../platform/jobs.ts'
import { htmlOf, type MailContent, textOf } from '../../../platform/mails/mail-layout.ts'
import { nameInSubject } from '../../../platform/mails/mail-words.ts'
import type { Clock } from '../../../ports/clock.ts'
import { type Mail, type Mailer, MailerError } from '../../../ports/mailer.ts'
import type { AnalyticsOwner, AnalyticsService } from '../analytics.service.ts'
import type { AnalyticsSettingsStore } from '../analytics-settings.store.ts'
import {
  chartSize,
  chartSvg,
  chartText,
  collectionLinks,
  type OrdersToCollect,
  secondsToSending,
  suggestionOf,
  type WeekFigures,
  weekBefore,
  weekSentences,
  weekTitle,
} from './weekly-mail.rules.ts'

/** Every day: on Mondays it adds the jobs of the mails. */
export const WEEKLY_MAILS_TASK = 'analytics.weekly_mails'
export const WEEKLY_MAIL_TASK = 'analytics.weekly_mail'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

const PICTURE_ID = 'visualizzazioni'

type Dependencies = {
  analytics: Pick<AnalyticsService, 'overview' | 'traffic' | 'orders'>
  settings: AnalyticsSettingsStore
  /** Undefined when the pharmacy does not exist. */
  pharmacy(pharmacyId: string): Promise<AnalyticsOwner | undefined>
  /** How many offers the public page of a pharmacy shows now. */
  shownOffers(code: string): Promise<number>
  ordersToCollect(owner: AnalyticsOwner): Promise<OrdersToCollect>
  mailer: Mailer
  /** An SVG document as PNG. */
  chartPng(svg: string): Promise<Uint8Array>
  publicUrl: string
  clock: Clock
  log: { warn(details: object, message: string): void }
}

/** The jobs that mail a summary of the week. It names neither customers nor offers. */
export function weeklyMailTasks(dependencies: Dependencies): Tasks {
  const { analytics, settings, mailer, publicUrl, clock, log } = dependencies

  async function send(pharmacyId: string): Promise<void> {
    const today = dayOf(clock.now())
    const owner = await dependencies.pharmacy(pharmacyId)
    const recipient = await settings.weeklyRecipient(pharmacyId)
    if (!owner || !recipient || !hasFeature(owner, 'analytics')) return
    const days = { ...weekBefore(today), confronto: 'precedente' as const }
    const overview = await analytics.overview(owner, days)
    const traffic = await analytics.traffic(owner, days)
    const { waits } = await analytics.orders(owner, days)
    const { email, name, code } = recipient
    const activeOffers = await dependencies.shownOffers(code)
    const week = { overview, traffic, waits, activeOffers }
    const links = collectionLinks(
      await dependencies.ordersToCollect(owner),
      publicUrl + paths.dashboard,
    )
    const content = { ...contentOf(name, weekTitle(days), week, publicUrl), links }
    await mailer.send(await mailOf(email, content, chartSvg(overview)))
  }

  async function mailOf(to: string, content: MailContent, svg: string): Promise<Mail> {
    return {
      to,
      subject: content.subject,
      text: textOf(content),
      html: htmlOf(content),
      picture: { id: PICTURE_ID, content: await dependencies.chartPng(svg) },
      unsubscribeUrl: publicUrl + paths.analyticsSettings,
    }
  }

  return {
    [WEEKLY_MAILS_TASK]: {
      lane: 'maintenance',
      async run() {
        const delay = secondsToSending(clock.now())
        if (delay !== null) await settings.enqueueWeeklyMails(WEEKLY_MAIL_TASK, delay)
      },
    },
    [WEEKLY_MAIL_TASK]: {
      lane: 'maintenance',
      async run(payload) {
        const { pharmacyId } = OfPharmacy.parse(payload)
        try {
          await send(pharmacyId)
        } catch (error) {
          // An address that is refused today is refused tomorrow.
          if (!(error instanceof MailerError) || error.kind === 'unavailable') throw error
          log.warn({ err: error, pharmacyId }, 'a weekly mail was refused')
        }
      },
    },
  }
}

function contentOf(
  pharmacy: string,
  title: string,
  week: WeekFigures,
  publicUrl: string,
): MailContent {
  const sentences = weekSentences(week)
  return {
    subject: `${nameInSubject(pharmacy)}: le statistiche della settimana`,
    pharmacy,
    preview: sentences[0] ?? '',
    title,
    paragraphs: [...sentences, `Un suggerimento. ${suggestionOf(week)}`],
    picture: { id: PICTURE_ID, alt: chartText(week.overview), ...chartSize },
    button: { label: 'Apri le statistiche', link: publicUrl + paths.analytics },
    notes: [
      `Ricevi questa email ogni lunedì perché è attiva nelle impostazioni delle statistiche. Per non riceverla più: ${publicUrl}${paths.analyticsSettings}`,
    ],
  }
}
